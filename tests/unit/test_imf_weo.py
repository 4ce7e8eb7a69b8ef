"""The World Economic Outlook: outturns with their unit and their day; estimates are counted and left out."""

from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal

import pytest

from sankofa.core.errors import UnreadableDocument
from sankofa.ingest.bytes.bounds import Rejections
from sankofa.ingest.series import imf_weo
from sankofa.ingest.series.imf_weo_words import area, subject
from support.weo_exports import GDP, PRICES, export, line

FETCHED = datetime(2024, 8, 22, 22, tzinfo=UTC)
YEARS = (2013, 2014, 2015)
KENYA = line("Kenya", GDP, ("55.097", "61.395", "1,063.398"), 2014)


def read(data, fetched_at=FETCHED):
    rejections = Rejections()
    snapshots = {s.head.key: s for s in imf_weo.parse(data, rejections, fetched_at=fetched_at)}
    return snapshots, dict(rejections.counts)


def values(snapshot):
    return {one.period_start.year: one.value for one in snapshot.observations}


def test_outturns_are_taken_and_estimates_are_counted_and_left_out():
    found, left_out = read(export(YEARS, KENYA))
    (snapshot,) = found.values()
    assert values(snapshot) == {2013: Decimal("55.097"), 2014: Decimal("61.395"), 2015: None}
    assert left_out == {"estimate": 1}
    assert not snapshot.is_whole
    head = snapshot.head
    assert (head.key, head.indicator, head.unit) == ("WEO.NGDPD.KEN", "NGDPD", "USD billions")
    assert (head.country_iso3, head.frequency, head.series_type) == ("KEN", "A", "indicator")
    assert head.indicator_name == "Gross domestic product, current prices (U.S. dollars)"


@pytest.mark.parametrize(
    ("estimates", "known", "left_out"),
    [
        ("2015", [2013, 2014, 2015], {}),
        ("2012", [], {"estimate": 3}),
        ("0", [], {"estimate": 3}),
        ("", None, {"estimates_unmarked": 3}),
        ("2013/14", None, {"estimates_unmarked": 3}),
    ],
)
def test_what_is_no_outturn_by_the_line_itself_is_left_out(estimates, known, left_out):
    found, counted = read(export(YEARS, line("Kenya", GDP, ("1", "2", "3"), estimates)))
    years = [year for one in found.values() for year, value in values(one).items() if value is not None]
    assert (years, counted) == (known or [], left_out)
    assert bool(found) == (known is not None)


def test_a_year_that_was_not_over_has_no_outturn():
    """An edition of October 2016 that gives 2016 as an outturn: it is of no whole year."""
    data = export((2015, 2016), line("Kenya", PRICES, ("6.6", "6.2"), 2016))
    (snapshot,), left_out = (found := read(data))[0].values(), found[1]
    assert (values(snapshot), left_out) == ({2015: Decimal("6.6"), 2016: None}, {"year_not_over": 1})


@pytest.mark.parametrize(
    ("edition", "fetched", "day", "basis"),
    [
        ("October 2016", "2024-08-22", "2016-10-31", "publisher"),
        ("April 2016", "2024-08-22", "2016-04-30", "publisher"),
        ("February 2024", "2024-08-22", "2024-02-29", "publisher"),
        ("October 2016", "2016-10-31", "2016-10-31", "publisher"),
        ("October 2016", "2016-10-12", "2016-10-12", "first_seen"),  # seen before its month was over
        (None, "2024-08-22", "2024-08-22", "first_seen"),
    ],
)
def test_an_edition_is_known_at_the_end_of_its_month_or_when_it_was_fetched(edition, fetched, day, basis):
    moment = datetime.fromisoformat(f"{fetched}T15:00:00+00:00")
    (snapshot,) = read(export((2013, 2014), (*KENYA[:7], "2014"), edition=edition), moment)[0].values()
    assert (snapshot.available_at, snapshot.available_at_basis) == (date.fromisoformat(day), basis)


@pytest.mark.parametrize(
    "encoding", ["utf-16-le", "utf-16", "utf-8", "utf-8-sig", "iso-8859-1"], ids=lambda name: name
)
def test_any_encoding_that_it_comes_in_gives_the_same(encoding):
    ivory = line("Côte d'Ivoire", GDP, ("n/a", '"1,234.5"', "--"), 2015)
    (snapshot,) = read(export(YEARS, ivory, encoding=encoding))[0].values()
    assert snapshot.head.key == "WEO.NGDPD.CIV"
    assert values(snapshot) == {2013: None, 2014: Decimal("1234.5"), 2015: None}


def test_semicolons_of_a_spreadsheet_are_read_too():
    power = ("Gross domestic product, current prices", '"Purchasing power parity; international dollars"')
    data = export(YEARS, line("Kenya", (*power, "Billions"), ("1", "2", "3"), 2015), tab=";")
    (snapshot,) = read(data)[0].values()
    assert (snapshot.head.key, snapshot.head.unit) == ("WEO.PPPGDP.KEN", "international dollars billions")


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (export(YEARS, line("Kenya", GDP, ("1101,445", "1,032", "3,1"), 2015)), "decimal_commas"),
        (export(YEARS, KENYA, last="Notes"), "missing_column"),
        (export((), line("Kenya", GDP, (), 2015)), "missing_column"),
        (export((2013, 2013), KENYA), "duplicate_column"),
        (export(YEARS, KENYA, edition="October 2024"), "released_after_fetch"),
        (export(YEARS, KENYA, edition="Octember 2016"), "bad_date"),
        (export(YEARS, KENYA) + b"x", "not_utf16"),
        (b"", "missing_column"),
        (b"<html>", "missing_column"),
    ],
)
def test_what_cannot_be_read_is_refused_and_why(data, reason):
    with pytest.raises(UnreadableDocument) as refused:
        read(data)
    assert refused.value.reason == reason


def test_lines_that_name_no_country_or_no_subject_are_counted():
    lines = (
        line("World", GDP, ("1", "2", "3"), 2015),
        line("Kenya", ("Happiness", "Percent", ""), ("1", "2", "3"), 2015),
        line("Kenya", (GDP[0], "Cowries", "Billions"), ("1", "2", "3"), 2015),
        line("Kenya", (GDP[0], GDP[1], "Dozens"), ("1", "2", "3"), 2015),
        KENYA,
    )
    found, counted = read(export(YEARS, *lines))
    assert list(found) == ["WEO.NGDPD.KEN"]
    assert counted == {"bad_country": 1, "bad_subject": 3, "estimate": 1}


def test_the_same_line_twice_is_one_and_a_contradiction_is_none():
    other = line("Kenya", GDP, ("55.097", "99", "1"), 2014)
    found, counted = read(export(YEARS, KENYA, KENYA, other))
    assert {year: value for year, value in values(found["WEO.NGDPD.KEN"]).items() if value is not None} == {
        2013: Decimal("55.097")
    }
    assert counted["duplicate_conflict"]


def test_columns_of_the_whole_database_are_used_where_they_are():
    head = "WEO Country Code\tISO\tWEO Subject Code\tCountry\tSubject Descriptor\tSubject Notes\tUnits\tScale"
    told = "Gross domestic product, current prices\tx\tU.S. dollars\tBillions"
    data = (
        f"{head}\t2014\tEstimates Start After\r\n"
        f"967\tUVK\tNGDPD\tKosovo\t{told}\t7.3\t2014\r\n"
        f"664\tKEN\tNGDP\tKenya\t{told}\t61\t2014\r\n"
    ).encode("utf-16-le")
    found, counted = read(data)
    assert list(found) == ["WEO.NGDPD.XKX"]
    assert counted == {"bad_subject": 1}, "the code contradicts the words"


@pytest.mark.parametrize(
    ("name", "iso3"),
    [
        ("Russia", "RUS"),
        ("Turkey", "TUR"),
        ("Türkiye", "TUR"),
        ("Republic of Congo", "COG"),
        ("Japan", "JPN"),
    ],
)
def test_countries_are_known_by_the_names_of_every_edition(name, iso3):
    assert area(None, name) == iso3
    assert area(None, "Sub-Saharan Africa") is None


@pytest.mark.parametrize(
    ("words", "code", "unit"),
    [
        (("Population", "Persons", "Millions"), "LP", "persons millions"),
        (("Inflation, average consumer prices", "Index", ""), "PCPI", "index"),
        (("Current account balance", "Percent of GDP", "Units"), "BCA_NGDPD", "percent"),
        (
            (
                "Gross domestic product per capita, constant prices",
                "Purchasing power parity; 2017 international dollar",
                "Units",
            ),
            "NGDPRPPPPC",
            "2017 international dollars",
        ),
        (
            ("Implied PPP conversion rate", "National currency per current international dollar", ""),
            "PPPEX",
            "national currency per international dollar",
        ),
    ],
)
def test_a_subject_has_the_fund_s_code_and_a_unit_with_its_scale(words, code, unit):
    assert subject(None, *words) == (code, unit)
