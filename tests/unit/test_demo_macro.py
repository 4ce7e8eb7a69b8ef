"""The demo world's macroeconomic documents: what the parsers make of them."""

from __future__ import annotations

import io
from datetime import date
from decimal import Decimal

import pytest

from demo import macro_rates, macro_tables, macro_vintages
from demo.world import World
from sankofa.ingest.bytes.bounds import Rejections
from sankofa.ingest.series import ecb_rates, fred, world_bank_csv
from sankofa.ingest.sources import source
from sankofa.macro.model import SeriesHead

WORLD = World()


def read(written, number, parse, **known):
    """Return the values of a document by series and first day, none of which was left out."""
    document = written.part(WORLD, number)
    rejections = Rejections()
    snapshots = list(parse(io.BytesIO(document.content), rejections, fetched_at=document.fetched_at, **known))
    assert rejections.counts == {}
    assert sum(len(snapshot.observations) for snapshot in snapshots) == document.facts
    return snapshots


def values(snapshots):
    return {(s.head.key, o.period_start): o.value for s in snapshots for o in s.observations}


@pytest.mark.parametrize("written", [macro_tables, macro_rates, macro_vintages])
def test_a_document_is_the_same_every_time_and_belongs_to_a_source(written):
    for number in range(written.parts(WORLD)):
        assert written.part(WORLD, number) == written.part(World(facts=250), number)
        assert written.part(WORLD, number).content != written.part(World(seed=2), number).content
    assert source(written.SOURCE).license_class == "synthetic"


def test_tables_are_whole_and_tell_a_story():
    tables = [read(macro_tables, number, world_bank_csv.parse) for number in range(3)]
    assert {snapshot.is_whole for table in tables for snapshot in table} == {True}
    kenya, south_africa = "WB.NY.GDP.MKTP.CD.KEN", "WB.NY.GDP.MKTP.CD.ZAF"
    told = [values(table) for table in tables]
    assert [table[kenya, date(2020, 1, 1)] for table in told] == [10**11, 9 * 10**10, 10**11]
    assert [(south_africa, date(2001, 1, 1)) in table for table in told] == [True, True, False]
    revised = sum(told[0][key] != told[1][key] for key in told[0].keys() & told[1].keys())
    assert 0.02 < revised / len(told[0]) < 0.08


def test_rates_overlap_and_one_is_corrected():
    first, second = (values(read(macro_rates, number, ecb_rates.parse)) for number in range(2))
    shared = first.keys() & second.keys()
    assert len(shared) > 100
    assert [key for key in shared if first[key] != second[key]] == [("FX.EUR.KES", date(2025, 9, 15))]
    assert second["FX.EUR.KES", date(2025, 9, 15)] == Decimal(150)


def test_prices_have_vintages_in_order():
    head = SeriesHead(**source(macro_vintages.SOURCE).states["series"])
    snapshots = read(macro_vintages, 0, fred.parse, series=head)
    days = [snapshot.available_at for snapshot in snapshots]
    assert days == sorted(set(days))
    assert len(days) >= 48
    months = [one.period_start for snapshot in snapshots for one in snapshot.observations]
    assert len(set(months)) == 48
    assert len(months) > 48
