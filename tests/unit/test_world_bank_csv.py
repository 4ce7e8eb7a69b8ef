"""Tables of the World Bank: wide as the Bank sends them, long as others publish them."""

from __future__ import annotations

import io
import zipfile
from datetime import UTC, date, datetime
from decimal import Decimal

import pytest

from sankofa.core.errors import UnreadableDocument
from sankofa.ingest.bytes.bounds import Rejections
from sankofa.ingest.series.world_bank import Indicator, unit_of
from sankofa.ingest.series.world_bank_csv import parse

FETCHED = datetime(2024, 4, 18, 12, tzinfo=UTC)
GDP = Indicator("NY.GDP.MKTP.CD", "GDP (current US$)")
PREAMBLE = '"Data Source","World Development Indicators",\n\n"Last Updated Date","2024-03-28",\n\n'
HEADER = '"Country Name","Country Code","Indicator Name","Indicator Code","2021","2022",\n'


def line(code="KEN", *values, indicator="NY.GDP.MKTP.CD"):
    cells = ["x, y", code, "GDP (current US$)", indicator, *(values or ("100", "110.5"))]
    return ",".join(f'"{cell}"' for cell in cells) + ",\n"


def wide(*lines, preamble=PREAMBLE, header=HEADER):
    return ("\N{ZERO WIDTH NO-BREAK SPACE}" + preamble + header + "".join(lines)).encode()


def long(*lines, header="Country Name,Country Code,Year,Value"):
    return "\r\n".join([header, *lines, ""]).encode()


def read(data, indicator=None):
    rejections = Rejections()
    return list(parse(data, rejections, fetched_at=FETCHED, indicator=indicator)), dict(rejections.counts)


def values(snapshot):
    return {one.period_start.year: one.value for one in snapshot.observations}


def test_a_line_of_a_wide_table_is_a_series():
    [kenya, arab], rejected = read(wide(line(), line("ARB", "", "7")))
    assert rejected == {}
    assert (kenya.head.key, kenya.head.country_iso3) == ("WB.NY.GDP.MKTP.CD.KEN", "KEN")
    assert (kenya.head.unit, kenya.head.indicator_name) == ("USD", "GDP (current US$)")
    assert (kenya.available_at, kenya.available_at_basis) == (date(2024, 3, 28), "publisher")
    assert values(kenya) == {2021: 100, 2022: Decimal("110.5")}
    assert (arab.head.key, arab.head.country_iso3) == ("WB.NY.GDP.MKTP.CD.ARB", None)
    assert values(arab) == {2022: 7}


def test_a_wide_table_is_whole_and_covers_its_indicator():
    snapshots, _ = read(wide(line(), line("UGA")))
    assert {(s.is_whole, s.covers) for s in snapshots} == {(True, "WB.NY.GDP.MKTP.CD.")}


def test_a_table_of_one_country_says_nothing_of_the_others():
    snapshots, _ = read(wide(line(), line(indicator="SP.POP.TOTL")))
    assert [(s.is_whole, s.covers) for s in snapshots] == [(True, None), (True, None)]


def test_a_country_without_a_value_is_a_series_that_states_none():
    [empty, _], _ = read(wide(line("KEN", "", ".."), line("UGA")))
    assert (empty.is_whole, empty.observations) == (True, [])


@pytest.mark.parametrize("preamble", ["", "\n\n", '"Data Source","x"\n' * 7])
def test_without_the_day_of_an_update_the_day_of_the_fetch_counts(preamble):
    [snapshot], _ = read(wide(line(), preamble=preamble))
    assert (snapshot.available_at, snapshot.available_at_basis) == (date(2024, 4, 18), "first_seen")


@pytest.mark.parametrize(("day", "reason"), [("soon", "bad_date"), ("2024-04-20", "released_after_fetch")])
def test_a_day_of_update_that_cannot_be_refuses_the_table(day, reason):
    with pytest.raises(UnreadableDocument, match=reason):
        read(wide(line(), preamble=PREAMBLE.replace("2024-03-28", day)))


def test_columns_are_found_by_name_and_numbers_may_have_thousands():
    header = '"2022","Indicator Code","Country Code","2021","Indicator Name","Country Name"\n'
    data = wide('"1,234.5","A.B","KEN","1","n","k"\n', header=header)
    assert values(read(data)[0][0]) == {2021: 1, 2022: Decimal("1234.5")}


@pytest.mark.parametrize(
    ("text", "reason"), [("NaN", "bad_value"), ("1,23", "bad_value"), ("1e30", "value_out_of_range")]
)
def test_a_value_that_is_none_is_counted_and_its_series_is_not_whole(text, reason):
    [kenya, uganda], rejected = read(wide(line("KEN", text, ""), line("UGA")))
    assert (kenya.is_whole, values(kenya), rejected) == (False, {2022: None}, {reason: 1})
    assert uganda.is_whole


@pytest.mark.parametrize(
    ("lost", "reason"),
    [
        ('"x","KEN"\n', "bad_row"),
        ('"x,KEN\n', "bad_row"),
        (line(""), "bad_country"),
        (line("kenya"), "bad_country"),
        (line(indicator="a b"), "bad_indicator"),
    ],
)
def test_after_a_lost_line_the_table_no_longer_covers_its_indicator(lost, reason):
    snapshots, rejected = read(wide(line(), lost, line("UGA")))
    assert [(s.is_whole, s.covers) for s in snapshots] == [(True, None), (True, None)]
    assert rejected == {reason: 1}


def test_lines_of_one_series_agree_or_their_difference_is_counted():
    lines = [line("ZAR", "1", "2"), line("UGA"), line("COD", "1", "3")]
    [uganda, congo], rejected = read(wide(*lines))
    assert (uganda.head.key[-3:], congo.head.key[-3:]) == ("UGA", "COD")
    assert (values(congo), congo.is_whole, rejected) == ({2021: 1}, False, {"duplicate_conflict": 2})
    [_, congo], rejected = read(wide(line("ZAR"), line("UGA"), line("COD")))
    assert (congo.is_whole, rejected) == (True, {})


@pytest.mark.parametrize(
    ("header", "reason"),
    [
        (HEADER.replace("2022", "2021"), "duplicate_column"),
        (HEADER.replace("2022", "2022Q1"), "unexpected_column"),
        (HEADER.replace("2022", "2022 [YR2022]"), "unexpected_column"),
        (HEADER.replace("Indicator Name", "Name"), "unexpected_column"),
        (HEADER.replace("Country Code", "Code"), "missing_column"),
        ('"Country Name","Country Code","Indicator Name","Indicator Code"\n', "unexpected_column"),
    ],
)
def test_other_columns_refuse_the_table(header, reason):
    with pytest.raises(UnreadableDocument, match=reason):
        read(wide(line(), header=header))


def zipped(**files):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name.replace("__", "."), data)
    return packed.getvalue()


def test_an_archive_holds_a_table_and_notes():
    data = zipped(
        API_NY__csv=wide(line()),
        Metadata_Country__csv=b'"a\n',
        Metadata_Indicator__csv=b"",
        empty__csv=b"",
        x__txt=b"",
    )
    snapshots, rejected = read(data)
    assert snapshots == read(wide(line()))[0]
    assert rejected == {"empty_member": 1, "unexpected_member": 1}


@pytest.mark.parametrize("data", [zipped(), zipped(API__csv=b""), zipped(Metadata_Country__csv=b"x")])
def test_an_archive_without_a_table_is_refused(data):
    with pytest.raises(UnreadableDocument, match="missing_table"):
        read(data)


def test_a_bomb_is_stopped():
    with pytest.raises(UnreadableDocument, match="archive_packed_too_densely"):
        read(zipped(API__csv=bytes(30_000_000)))


@pytest.mark.parametrize("name", ["Country Name", "Country"])
@pytest.mark.parametrize("value", ["Value", "CPI", "Inflation"])
def test_a_long_table_is_of_the_indicator_that_its_source_names(name, value):
    data = long(
        "Kenya,KEN,2021,100",
        "Kenya,KEN,2022,110.5",
        "x,ARB,2022,7",
        header=f"{name},Country Code,Year,{value}",
    )
    [kenya, arab], rejected = read(data, GDP)
    assert rejected == {}
    assert (kenya.head.key, kenya.head.unit) == ("WB.NY.GDP.MKTP.CD.KEN", "USD")
    assert (arab.head.key, arab.head.country_iso3) == ("WB.NY.GDP.MKTP.CD.ARB", None)
    assert values(kenya) == {2021: 100, 2022: Decimal("110.5")}
    assert (kenya.available_at, kenya.available_at_basis) == (date(2024, 4, 18), "first_seen")
    assert (kenya.is_whole, kenya.covers) == (True, "WB.NY.GDP.MKTP.CD.")


def test_a_long_table_of_nobody_knows_what_is_refused():
    with pytest.raises(UnreadableDocument, match="missing_column: Indicator Code"):
        read(long("Kenya,KEN,2021,100"))


@pytest.mark.parametrize(
    ("lost", "reason", "is_whole", "covers"),
    [
        ("Kosovo,,2021,5", "bad_country", True, None),
        ("Kenya,KEN", "bad_row", False, None),
        ("Kenya,KEN,21,5", "bad_date", False, "WB.NY.GDP.MKTP.CD."),
        ("Kenya,KEN,2021Q1,5", "bad_date", False, "WB.NY.GDP.MKTP.CD."),
        ("Kenya,KEN,2022,x", "bad_value", False, "WB.NY.GDP.MKTP.CD."),
    ],
)
def test_a_lost_line_takes_from_the_table_only_what_it_puts_in_doubt(lost, reason, is_whole, covers):
    [kenya], rejected = read(long("Kenya,KEN,2021,100", lost), GDP)
    assert (values(kenya), rejected) == ({2021: 100}, {reason: 1})
    assert (kenya.is_whole, kenya.covers) == (is_whole, covers)


def test_a_long_table_with_two_columns_of_values_is_refused():
    with pytest.raises(UnreadableDocument, match="unexpected_column"):
        read(long("Kenya,KEN,2021,1,2", header="Country,Country Code,Year,CPI,Inflation"), GDP)


@pytest.mark.parametrize(
    ("name", "unit"),
    [
        ("GDP (current US$)", "USD"),
        ("Exports (current US$, millions)", "USD millions"),
        ("Reserves (Million US$)", "USD millions"),
        ("External debt (US$ billion)", "USD billions"),
        ("Prices (annual %)", "percent"),
        ("Population, total", None),
    ],
)
def test_a_unit_has_the_scale_that_the_name_gives(name, unit):
    assert unit_of(name) == unit
