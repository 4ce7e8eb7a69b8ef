"""Real macroeconomic documents through ledger and edition, against recorded answers and plain counts."""

from __future__ import annotations

import json
import os
import random
import re
import zipfile
from collections import Counter
from datetime import date, datetime, timedelta
from decimal import Decimal
from itertools import pairwise

import pytest

from support.macro_files import (
    ALFRED,
    CBK_INFLATION,
    ECB,
    LONG,
    committed,
    needs_real_files,
    table,
)
from support.service import Service

pytestmark = needs_real_files
ORDERS = 20 if os.environ.get("AUDIT_SIZE") == "full" else 4

ALL_RELEASES, RECORDED_2019, INITIAL = (
    next((path for path in ALFRED if path.stem.endswith(name)), None)
    for name in ("all_releases", "asof_2019-01-01", "initial_release")
)
VALUES = """
SELECT series_key, period_start, period_end, vintage, available_at, nullif(known_until, 'infinity'), value
FROM serving.macro_value WHERE superseded_in = 2147483647 ORDER BY series_key, period_start, vintage
"""


def load(service, source, *paths):
    """Ingest real files, each at the moment its name says, and return the batches."""
    service.closed_sources = ()  # some may not be redistributed; here they are read by nobody else
    return service.ingest(*((path.read_bytes(), committed(path)) for path in paths), source_name=source)


def recorded(path):
    return json.loads(path.read_text())["observations"]


@pytest.fixture(scope="module")
def alfred(module_service):
    [batch] = load(module_service, "alfred-gdp", ALL_RELEASES)
    assert (batch.outcome, batch.rejected) == ("accepted", {})
    module_service.publish()
    return module_service


def test_the_vintages_known_on_a_day_are_what_alfred_answered_for_it(alfred):
    """Every row of the recorded answer: from when to when, cut at the day, which value was in force."""
    vintages = alfred.rows(
        """
        SELECT period_start, available_at, nullif(known_until, 'infinity'),
            lead(available_at) OVER (PARTITION BY period_start ORDER BY vintage), value
        FROM serving.macro_value WHERE series_key = 'FRED.GDP' AND superseded_in = 2147483647
        """
    )
    cut = date(2019, 1, 1)
    stretches = []
    for period, began, ended, following, value in vintages:
        stretches.append((period, began, ended, value))
        if ended and ended != following:
            stretches.append((period, ended, following, None))
    known = {
        (str(period), str(began), str(min(ended - timedelta(1), cut) if ended else cut), value)
        for period, began, ended, value in stretches
        if began <= cut
    }
    assert len(known) == 2_902
    assert known == {
        (
            row["date"],
            row["realtime_start"],
            row["realtime_end"],
            None if row["value"] == "." else Decimal(row["value"]),
        )
        for row in recorded(RECORDED_2019)
    }


def test_the_first_vintages_are_the_initial_releases(alfred):
    initial = {(row["date"], row["realtime_start"], Decimal(row["value"])) for row in recorded(INITIAL)}
    first = alfred.rows(
        """
        SELECT period_start, available_at, value FROM serving.macro_value
        WHERE series_key = 'FRED.GDP' AND vintage = 1 AND superseded_in = 2147483647
        """
    )
    assert len(initial) == 132
    assert len({(str(a), str(b), c) for a, b, c in first} & initial) == 132


def test_vintage_dates_are_complete(alfred):
    dates = next(path for path in ALFRED if path.stem.endswith("vintagedates"))
    listed = json.loads(dates.read_text())["vintage_dates"]
    changes = alfred.rows(
        "SELECT available_at FROM serving.macro_value UNION"
        " SELECT nullif(known_until, 'infinity') FROM serving.macro_value"
    )
    assert len(listed) == 395
    assert {str(day) for (day,) in changes if day} == set(listed)


def test_two_answers_of_alfred_agree_in_either_order(make_service):
    """The cut answer repeats the whole one; only what was in force at its own last day is dated by it."""
    editions = []
    for order in ((ALL_RELEASES, INITIAL), (INITIAL, ALL_RELEASES)):
        service = make_service()
        load(service, "alfred-gdp", *order)
        service.publish()
        editions.append(service.rows(VALUES))
    assert editions[0] == editions[1]
    assert len(editions[0]) > 2_902


GDP = [path for path in LONG if path.parent.name == "gdp"]


def plain(path):
    """Return the GDP of a table, by country and year; the lines that name no country are left out."""
    return {(row[1], row[2]): Decimal(row[3]) for row in table(path)[1:] if row[1]}


def revised(documents):
    """Count by pair the country-years that both have, with another value."""
    pairs = pairwise(documents)
    return [sum(a[key] != b[key] for key in a.keys() & b.keys()) for a, b in pairs]


@pytest.fixture(scope="module")
def gdp(stack):
    service = Service(stack, "test_macro_gdp")
    load(service, "datahub-gdp", *GDP)
    service.publish()
    yield service
    service.close()


def test_each_snapshot_revises_as_many_country_years_as_a_plain_count_finds(gdp):
    """A vintage that follows one that was not withdrawn is a revision.

    Kosovo's lines of 2015 name no country, so those of 2017 revise those of 2013.
    """
    counted = revised([plain(path) for path in GDP])
    assert counted == [3984, 7268, 7325, 3663, 10713]
    by_day = dict(
        gdp.rows(
            """
            SELECT available_at, count(*) FROM (
                SELECT *, lag(known_until) OVER in_order AS ended_before,
                    lag(available_at) OVER in_order AS before
                FROM serving.macro_value
                WINDOW in_order AS (PARTITION BY series_key, period_start ORDER BY vintage)
            ) AS vintages
            WHERE before IS NOT NULL AND ended_before = available_at GROUP BY available_at
            """
        )
    )
    before, after = (
        {key[1]: value for key, value in plain(path).items() if key[0] in ("KSV", "XKX")}
        for path in (GDP[1], GDP[3])
    )
    kosovo = sum(before[year] != after[year] for year in before.keys() & after.keys())
    assert kosovo == 7
    counted[2] += kosovo
    assert [by_day[committed(path).date()] for path in GDP[1:]] == counted


def test_what_vanished_is_withdrawn(gdp):
    """776 country-years vanish. 12 are Kosovo's, whose lines lost their code: the gap is not the Bank's."""
    documents = [plain(path) for path in GDP]
    vanished = Counter(key[0] for a, b in pairwise(documents) for key in a.keys() - b.keys())
    assert vanished.total() == 776
    withdrawn = gdp.rows(
        """
        SELECT count(*) FROM (
            SELECT known_until, lead(available_at) OVER in_order AS following FROM serving.macro_value
            WINDOW in_order AS (PARTITION BY series_key, period_start ORDER BY vintage)
        ) AS vintages WHERE known_until < 'infinity' AND known_until IS DISTINCT FROM following
        """
    )
    assert withdrawn == [(764,)]
    assert vanished["KSV"] == 12


def test_219_country_years_that_went_back_have_three_vintages(gdp):
    """Of the form a, b, a: more than two vintages, and one value twice."""
    returned = gdp.rows(
        """
        SELECT series_key, period_start FROM serving.macro_value
        GROUP BY series_key, period_start HAVING count(*) > count(DISTINCT value) AND count(*) > 2
        """
    )
    came_back = set()
    documents = [plain(path) for path in GDP]
    for key in set().union(*documents):
        values = [document[key] for document in documents if key in document]
        changes = values[:1] + [b for a, b in pairwise(values) if a != b]
        if len(set(changes)) < len(changes):
            came_back.add(key)
    assert len(came_back) == 219
    assert len(returned) >= 219


EDITION = """
SELECT value.fact_id, value.series_key, value.period_start, value.period_end, value.available_at,
    value.known_until::text, value.vintage, value.measure, value.country_iso3, value.value,
    provenance.document_ref, provenance.available_at_basis, series.unit, series.indicator_name
FROM serving.macro_value AS value
JOIN serving.provenance AS provenance USING (provenance_id)
JOIN serving.series AS series ON series.series_key = value.series_key AND series.superseded_in = 2147483647
WHERE value.superseded_in = 2147483647 ORDER BY value.series_key, value.period_start, value.vintage
"""


@pytest.mark.heavy
@pytest.mark.timeout(900)
def test_random_orders_of_the_snapshots_give_the_same_newest_edition(make_service, gdp):
    """Published after each snapshot in every fifth order, and once at the end in the rest."""
    expected = gdp.rows(EDITION)
    assert len(expected) > 40_000
    for seed in range(ORDERS):
        service, order = make_service(), random.Random(seed).sample(GDP, len(GDP))
        for path in order:
            load(service, "datahub-gdp", path)
            if seed % 5 == 0:
                service.publish()
        service.publish()
        assert service.rows(EDITION) == expected, f"seed {seed}"


def test_kenya_revised_two_months(module_service):
    load(module_service, "cbk-inflation", *CBK_INFLATION)
    module_service.publish()
    rows = module_service.rows(
        """
        SELECT series_key, period_start, max(vintage) FROM serving.macro_value
        WHERE series_key LIKE 'CPI%%' AND superseded_in = 2147483647 GROUP BY 1, 2
        """
    )
    assert len(rows) > 400
    assert len({period for _, period, vintages in rows if vintages > 1}) == 2


def ecb_days(path):
    """Return the days that a document of the European Central Bank has rates for."""
    data = path.read_bytes()
    if path.suffix == ".zip":
        with zipfile.ZipFile(path) as archive:
            data = archive.read("eurofxref-hist.csv")
    return sorted(set(re.findall(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", data.decode())))


@pytest.mark.heavy
def test_the_euro_s_rates_were_never_revised(module_service):
    """195,305 rates of one history are stated by a later one too, and none differs."""
    read = appended = 0
    for path in sorted(ECB, key=lambda path: ecb_days(path)[-1]):
        fetched = datetime.fromisoformat(f"{ecb_days(path)[-1]}T16:00:00+00:00")
        [batch] = module_service.ingest((path.read_bytes(), fetched), source_name="ecb")
        assert (batch.outcome, batch.rejected) == ("accepted", {})
        read, appended = read + batch.facts_read, appended + batch.facts_appended
    assert read - appended >= 195_305
    module_service.publish()
    [(values, most, withdrawn, own_day)] = module_service.rows(
        """
        SELECT count(*), max(vintage), count(nullif(known_until, 'infinity')),
            bool_and(available_at = period_end)
        FROM serving.macro_value WHERE series_key LIKE 'FX.EUR.%%'
        """
    )
    assert (values, most, withdrawn, own_day) == (appended, 1, 0, True)
