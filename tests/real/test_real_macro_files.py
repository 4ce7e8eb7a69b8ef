"""Real documents of the World Bank, and those that no parser takes, counted twice.

Once by the parsers, and once by a plain reading with csv and json.
"""

from __future__ import annotations

import json
from collections import Counter
from datetime import date
from decimal import Decimal
from itertools import pairwise

import pytest

from sankofa.core.countries import country
from sankofa.core.errors import UnreadableDocument
from sankofa.ingest.series import (
    cbk_inflation,
    cbk_rates,
    ecb_rates,
    fred,
    world_bank,
    world_bank_csv,
    world_bank_json,
)
from sankofa.macro.model import SeriesHead
from support.macro_files import (
    ALFRED,
    CBK_INFLATION,
    CBK_RATES,
    DATA,
    ECB,
    FOLDERS,
    LONG,
    PAGES,
    TODAY,
    WIDE,
    committed,
    name,
    needs_real_files,
    parsed,
    stated,
    table,
)

pytestmark = needs_real_files

REFUSED = {
    "worldbank/api-v2/countries.json": "unexpected_shape",  # a list of countries, without values
    "worldbank/api-v2-cassettes/countries_page1.json": "unexpected_shape",
    "worldbank/api-v2-cassettes/regions.json": "unexpected_shape",
    "worldbank/api-v2-cassettes/sources_page1.json": "unexpected_shape",
    "worldbank/api-v2-cassettes/error_invalid_indicator.json": "world_bank_error",
    "fx/cbk/key_cbk_indicative_snapshot.csv": "missing_column",  # rates of a day that it does not name
    "vintages/alfred/fred_release10_CPI_release_dates.json": "unexpected_shape",  # days without a series
}
# Made by others from what central banks and offices publish: no format of a publisher, and rates that
# were turned round on the way. The workbooks are of a form that no parser reads.
UNKNOWN = sorted(
    path
    for pattern in (
        "fx/datasets-exchange-rates/*",
        "fx/openexchangerates/*",
        "cpi/nigeria/*",
        "cpi/south-africa/*",
        "vintages/philadelphia-fed/*",
    )
    for path in DATA.glob(pattern)
)
INDICATORS = {
    "gdp": world_bank.Indicator("NY.GDP.MKTP.CD", "GDP (current US$)"),
    "population": world_bank.Indicator("SP.POP.TOTL", "Population, total"),
    "inflation": world_bank.Indicator("NY.GDP.DEFL.KD.ZG", "Inflation, GDP deflator (annual %)"),
    "cpi": world_bank.Indicator("FP.CPI.TOTL", "Consumer price index"),
}
# From 2024 on the file that was of the index has held its change in percent, under the same name.
CPI_CHANGE = world_bank.Indicator("FP.CPI.TOTL.ZG", "Inflation, consumer prices (annual %)")
SERIES = SeriesHead(
    key="FRED.GDP", series_type="indicator", frequency="Q", country_iso3="USA", unit="USD", indicator="GDP"
)


def indicator(path):
    is_change = path.parent.name == "cpi" and committed(path).year >= 2024
    return CPI_CHANGE if is_change else INDICATORS[path.parent.name]


def year(text):
    return date(int(text), 1, 1), date(int(text), 12, 31)


def test_every_real_file_is_read_below_or_refused():
    read = [*PAGES, *WIDE, *LONG, *ECB, *CBK_RATES, *CBK_INFLATION, *ALFRED]
    found = [path for folder in FOLDERS for path in (DATA / folder).rglob("*.*") if path.suffix != ".md"]
    assert sorted(found) == sorted([*read, *(DATA / path for path in REFUSED), *UNKNOWN])
    assert len(found) == 41 + 17 + 8 + 7  # as PROVENANCE.md counts them


def attempts(path):
    """Return why each parser refuses a document."""
    reasons = {}
    for parser in (world_bank_json, world_bank_csv, ecb_rates, cbk_rates, cbk_inflation, fred):
        known = {world_bank_csv: {"indicator": INDICATORS["gdp"]}, fred: {"series": SERIES}}.get(parser, {})
        try:
            parsed(parser, path, fetched_at=TODAY, **known)
        except UnreadableDocument as unreadable:
            reasons[parser] = unreadable.reason
    return reasons


@pytest.mark.parametrize("path", REFUSED)
def test_a_document_without_values_is_refused_with_a_reason(path):
    reasons = attempts(DATA / path)
    own = cbk_rates if "cbk" in path else fred if "alfred" in path else world_bank_json
    assert len(reasons) == 6
    assert reasons[own] == REFUSED[path]


@pytest.mark.parametrize("path", UNKNOWN, ids=name)
def test_a_compilation_is_refused_by_every_parser(path):
    assert len(attempts(path)) == 6


@pytest.mark.parametrize(
    "path",
    [path for kind in (PAGES, WIDE, LONG, ECB, CBK_RATES, CBK_INFLATION) for path in kind[:1]],
    ids=name,
)
def test_no_parser_takes_the_document_of_another(path):
    assert len(attempts(path)) == 5


def world_bank_codes():
    """Return the Bank's own list: three letters by two, and which of them are aggregates."""
    rows = json.loads((DATA / "worldbank/api-v2/countries.json").read_text())[1]
    aggregates = {row["id"] for row in rows if row["region"]["value"] == "Aggregates"}
    return {row["iso2Code"]: row["id"] for row in rows}, aggregates


def test_the_bank_s_countries_are_countries_and_its_aggregates_are_none():
    codes, aggregates = world_bank_codes()
    for alpha2, alpha3 in codes.items():
        area = world_bank.area(alpha3)
        assert area.code == alpha3
        if alpha3 in aggregates or alpha3 == "CHI":  # the Channel Islands are two territories to ISO 3166
            assert area.country_iso3 is None
        else:
            assert area == world_bank.area(alpha2) == (alpha3, alpha3)
            assert country(alpha2) == (alpha2, alpha3)


@pytest.mark.parametrize("path", PAGES, ids=name)
def test_every_row_of_a_page_is_an_observation(path):
    codes, _ = world_bank_codes()
    head, rows = json.loads(path.read_text(), parse_float=Decimal)
    snapshots, rejected = parsed(world_bank_json, path)
    assert rejected == {}
    expected = {}
    for row in rows:
        short = row["country"]["id"]
        code = row["countryiso3code"] or codes.get(short, short)
        expected[f"WB.{row['indicator']['id']}.{code}", *year(row["date"])] = row["value"]
    assert len(expected) == len(rows)
    assert stated(snapshots) == expected
    assert {(str(s.available_at), s.available_at_basis) for s in snapshots} == {
        (head["lastupdated"], "publisher")
    }


@pytest.mark.parametrize("path", WIDE, ids=name)
def test_every_cell_of_a_wide_table_is_an_observation(path):
    rows = table(path)
    [start] = [place for place, row in enumerate(rows) if "Country Code" in row]
    header, lines = rows[start], [row for row in rows[start + 1 :] if row]
    expected = {
        (f"WB.{line[3]}.{'XKX' if line[1] == 'KSV' else line[1]}", *year(column)): Decimal(cell)
        for line in lines
        for column, cell in zip(header[4:], line[4:], strict=True)
        if cell
    }
    snapshots, rejected = parsed(world_bank_csv, path)
    assert (stated(snapshots), rejected) == (expected, {})
    assert len(snapshots) == len(lines)
    updated = [row[1] for row in rows[:start] if row and row[0] == "Last Updated Date"]
    release = (updated[0], "publisher") if updated else ("2026-11-01", "first_seen")
    assert {(str(s.available_at), s.available_at_basis) for s in snapshots} == {release}
    assert {(s.is_whole, s.covers) for s in snapshots} == {(True, f"WB.{lines[0][3]}.")}


def long_rows(path):
    return {(row[1], row[2]): Decimal(row[3]) for row in table(path)[1:]}


@pytest.mark.parametrize("path", LONG, ids=name)
def test_every_line_of_a_long_table_is_an_observation_or_counted(path):
    rows = long_rows(path)
    assert len(rows) == len(table(path)) - 1
    of_nobody = sum(not code for code, _ in rows)  # Kosovo, between two codes of the Bank
    snapshots, rejected = parsed(world_bank_csv, path, indicator=indicator(path))
    assert rejected == ({"bad_country": 15} if path.stem == "gdp_committed_2015-08-16" else {})
    assert sum(rejected.values()) == of_nobody
    assert stated(snapshots) == {
        (f"WB.{indicator(path).code}.{'XKX' if code == 'KSV' else code}", *year(text)): value
        for (code, text), value in rows.items()
        if code
    }
    assert {s.is_whole for s in snapshots} == {True}
    assert {s.covers is None for s in snapshots} == {of_nobody > 0}
    assert {(s.available_at, s.available_at_basis) for s in snapshots} == {
        (committed(path).date(), "first_seen")
    }


def test_the_file_called_cpi_changed_its_meaning():
    """So a source that names an indicator names it for the documents of one time."""
    page, _ = parsed(world_bank_json, DATA / "worldbank/api-v2/FP.CPI.TOTL.ZG.json")
    changes = {key: value for key, value in stated(page).items() if value is not None}
    for path in LONG:
        if path.parent.name == "cpi":
            rows = stated(parsed(world_bank_csv, path, indicator=CPI_CHANGE)[0])
            shared = rows.keys() & changes.keys()
            equal = sum(rows[key] == changes[key] for key in shared)
            assert len(shared) > 3_000
            assert equal > 0.7 * len(shared) if committed(path).year >= 2024 else equal == 0


def gdp_snapshots():
    paths = [path for path in LONG if path.parent.name == "gdp"]
    plain = [{key: value for key, value in long_rows(path).items() if key[0]} for path in paths]
    return plain, [parsed(world_bank_csv, path, indicator=INDICATORS["gdp"])[0] for path in paths]


def test_revised_country_years_of_successive_snapshots_are_those_of_a_plain_count():
    plain, snapshots = gdp_snapshots()
    read = [stated(each) for each in snapshots]
    for documents in (plain, read):
        pairs = list(pairwise(documents))
        revised = [sum(a[key] != b[key] for key in a.keys() & b.keys()) for a, b in pairs]
        assert revised == [3984, 7268, 7325, 3663, 10713]
        assert sum(len(a.keys() - b.keys()) for a, b in pairs) == 776


def test_what_vanishes_is_withdrawn_unless_the_document_lost_lines():
    """Of 776 country-years, 12 are Kosovo's: it lost its code in 2015, and was not withdrawn."""
    _, snapshots = gdp_snapshots()
    withdrawn = Counter()
    for before, after in pairwise(snapshots):
        named = {s.head.key: s for s in after}
        covered = {s.covers for s in after}
        for old in before:
            new = named.get(old.head.key)
            periods = {o.period_start for o in old.observations}
            if new is None:
                is_covered = any(begin and old.head.key.startswith(begin) for begin in covered)
                withdrawn["series" if is_covered else "in doubt"] += len(periods)
            elif new.is_whole:
                withdrawn["period"] += len(periods - {o.period_start for o in new.observations})
    assert withdrawn == {"period": 669, "series": 95, "in doubt": 12}
    assert withdrawn.total() == 776


def comebacks(documents):
    """Count the values that were revised and later came back: 100, 90, 100."""
    count = 0
    for key in set().union(*documents):
        values = [document[key] for document in documents if key in document]
        changes = values[:1] + [b for a, b in pairwise(values) if a != b]
        count += len(set(changes)) < len(changes)
    return count


def test_219_country_years_went_back_to_a_value_they_had_left():
    plain, snapshots = gdp_snapshots()
    assert comebacks(plain) == 219
    assert comebacks([stated(each) for each in snapshots]) == 219
