"""Financial Statement Data Sets, built by hand: what is a filing or a fact, what is left out and why."""

from __future__ import annotations

import io
import random
import zipfile
from datetime import UTC, date, datetime
from decimal import Decimal

import pytest

from sankofa.core.errors import UnreadableDocument
from sankofa.fundamentals.model import FiledFact
from sankofa.ingest.bytes.bounds import Rejections
from sankofa.ingest.filings.sec_fsds import parse

SEED = 20_240_331
FIRST, SECOND = "0000000007-24-000001", "0000000008-24-000002"
SUB = {
    "adsh": FIRST,
    "cik": "7",
    "name": "ACME LTD",
    "form": "20-F",
    "period": "20231231",
    "filed": "20240329",
    "accepted": "2024-03-29 16:05:00.0",
}
NUM = {
    "adsh": FIRST,
    "tag": "Revenues",
    "version": "us-gaap/2023",
    "ddate": "20231231",
    "qtrs": "4",
    "uom": "USD",
    "segments": "",
    "coreg": "",
    "value": "100.0000",
    "footnote": "",
}


def table(rows, template, columns=None, end="\n"):
    columns = columns or list(template)
    lines = ["\t".join(columns), *("\t".join((template | row)[name] for name in columns) for row in rows)]
    return "".join(line + end for line in lines)


def data_set(*numbers, submissions=({},), **tables):
    packed = io.BytesIO()
    tables = {"sub.txt": table(submissions, SUB), "num.txt": table(numbers, NUM)} | tables
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in tables.items():
            archive.writestr(name, text)
    return packed.getvalue()


def read(data, **options):
    rejections = Rejections()
    return list(parse(data, rejections, **options)), dict(rejections.counts)


def only_fact(**changed):
    [filing], rejected = read(data_set(changed))
    assert rejected == {}
    [fact] = filing.facts
    return fact


def test_a_row_becomes_a_fact_of_its_filing():
    [filing], rejected = read(data_set({}))
    assert rejected == {}
    assert (filing.subject, filing.subject_name) == ("cik:0000000007", "ACME LTD")
    assert (filing.number, filing.form, filing.filed) == (FIRST, "20-F", date(2024, 3, 29))
    assert filing.report_period == date(2023, 12, 31)
    year = (date(2023, 1, 1), date(2023, 12, 31))
    assert filing.facts == [FiledFact("us-gaap:Revenues", *year, "USD", "consolidated", Decimal(100), None)]


def test_columns_are_found_by_name_and_old_tables_lack_some():
    num = table([{}], NUM, ["value", "uom", "tag", "qtrs", "version", "adsh", "ddate"], end="\r\n")
    sub = table([{}], SUB, ["filed", "form", "adsh", "cik", "period", "name"], end="\r\n")
    daily, _ = read(data_set(**{"num.txt": "\ufeff" + num, "sub.txt": sub}))
    quarterly, _ = read(data_set({}))
    assert daily[0].facts == quarterly[0].facts
    assert daily[0].accepted_at is None


@pytest.mark.parametrize("missing", ["adsh", "value", "qtrs"])
def test_a_table_without_a_column_it_needs_is_refused(missing):
    columns = [name for name in NUM if name != missing]
    with pytest.raises(UnreadableDocument, match="missing_column"):
        read(data_set(**{"num.txt": table([{}], NUM, columns)}))


def test_a_set_without_its_tables_is_refused():
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("sub.txt", table([{}], SUB))
    with pytest.raises(UnreadableDocument, match="missing_table"):
        read(packed.getvalue())
    with pytest.raises(UnreadableDocument, match="archive_damaged"):
        read(b"not an archive")


@pytest.mark.parametrize(
    ("version", "concept"),
    [
        ("us-gaap/2009", "us-gaap:Revenues"),
        ("us-gaap/2023", "us-gaap:Revenues"),
        ("dei/2014q3", "dei:Revenues"),
        ("ifrs/2019", "ifrs-full:Revenues"),
        (FIRST, "ext:Revenues"),
    ],
)
def test_the_concept_is_taxonomy_and_tag_and_a_filers_own_tag_stands_apart(version, concept):
    assert only_fact(version=version).concept == concept


@pytest.mark.parametrize(
    ("ddate", "quarters", "start"),
    [
        ("20231231", "0", None),
        ("20231231", "4", date(2023, 1, 1)),
        ("20231231", "1", date(2023, 10, 1)),
        ("20240229", "1", date(2023, 12, 1)),
        ("20230228", "4", date(2022, 3, 1)),
        ("20240229", "4", date(2023, 3, 1)),
        ("20240531", "1", date(2024, 3, 1)),
        ("20240630", "3", date(2023, 10, 1)),
        ("20231231", "40", date(2014, 1, 1)),
        ("20240515", "1", date(2024, 2, 16)),
        ("20240530", "1", date(2024, 3, 1)),
    ],
)
def test_the_period_is_counted_back_in_whole_months(ddate, quarters, start):
    fact = only_fact(ddate=ddate, qtrs=quarters)
    assert (fact.period_start, fact.period_end) == (start, date.fromisoformat(ddate))


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("12345678901234567.8900", "12345678901234567.89"),
        ("-0.0001", "-0.0001"),
        ("57178642.0", "57178642"),
        ("0.0000", "0"),
        ("1.5E3", "1500"),
    ],
)
def test_a_value_is_exact_and_without_the_padding(written, value):
    assert f"{only_fact(value=written).value:f}" == value


def test_an_empty_value_is_a_fact_that_says_nil():
    assert only_fact(value="").value is None


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"segments": "EquityComponents=CommonStock;"}, "dimensional"),
        ({"coreg": "Subsidiary"}, "coregistrant"),
        ({"coreg": "Subsidiary", "segments": "LegalEntity=Subsidiary;"}, "coregistrant"),
        ({"ddate": "20230229"}, "bad_date"),
        ({"ddate": ""}, "bad_date"),
        ({"qtrs": "-1"}, "bad_date"),
        ({"qtrs": "1.0"}, "bad_date"),
        ({"version": "us-gaap"}, "bad_concept"),
        ({"version": "ext/2020"}, "bad_concept"),
        ({"tag": "a b"}, "bad_concept"),
        ({"uom": ""}, "bad_unit"),
        ({"value": "NaN"}, "bad_value"),
        ({"value": "1_000"}, "bad_value"),
        ({"value": " 1"}, "bad_value"),
        ({"value": "1" + "0" * 26}, "value_out_of_range"),
        ({"adsh": SECOND}, "unknown_filing"),
        ({"footnote": "a\tb"}, "bad_row"),
    ],
)
def test_a_row_that_is_no_fact_is_counted_and_the_others_stay(changed, reason):
    [filing], rejected = read(data_set(changed, {"ddate": "20221231"}))
    assert [fact.period_end.year for fact in filing.facts] == [2022]
    assert rejected == {reason: 1}


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"cik": "x"}, "bad_cik"),
        ({"filed": "20240230"}, "bad_date"),
        ({"filed": "19000101"}, "bad_date"),
        ({"period": "2023"}, "bad_date"),
        ({"accepted": "yesterday"}, "bad_date"),
        ({"accepted": "2024-03-29 25:00:00.0"}, "bad_date"),
    ],
)
def test_the_rows_of_a_filing_that_cannot_be_dated_or_named_are_counted(changed, reason):
    assert read(data_set({}, {"qtrs": "1"}, submissions=[changed])) == ([], {reason: 2})


def test_a_filing_listed_twice_counts_once_and_not_at_all_where_the_lines_differ():
    assert len(read(data_set({}, submissions=[{}, {}]))[0]) == 1
    assert read(data_set({}, submissions=[{}, {"cik": "8"}])) == ([], {"submission_conflict": 1})


def test_none_of_two_values_for_one_fact_is_believed():
    other_year = {"version": "us-gaap/2022"}
    assert len(read(data_set({}, other_year))[0][0].facts) == 1
    assert read(data_set({}, other_year | {"value": "7"})) == ([], {"duplicate_conflict": 2})


@pytest.mark.parametrize(
    ("accepted", "moment"),
    [
        ("2024-01-31 16:05:00.0", datetime(2024, 1, 31, 21, 5, tzinfo=UTC)),
        ("2024-07-31 20:05:00", datetime(2024, 8, 1, 0, 5, tzinfo=UTC)),
        ("2024-11-03 01:30:00.0", datetime(2024, 11, 3, 6, 30, tzinfo=UTC)),
        ("", None),
    ],
)
def test_the_acceptance_is_read_on_the_clock_of_new_york(accepted, moment):
    [filing], _ = read(data_set({}, submissions=[{"accepted": accepted}]))
    assert filing.accepted_at == moment


@pytest.mark.parametrize("encoding", ["utf-8", "windows-1252"])
def test_a_name_is_utf8_or_else_windows_1252(encoding):
    sub = table([{"name": "SOCIÉTÉ “ACME”"}], SUB).encode(encoding)
    [filing], _ = read(data_set({}, **{"sub.txt": sub}))
    assert filing.subject_name == "SOCIÉTÉ “ACME”"


OF_THE_PARENT = {"coreg": "ParentCompany", "segments": "LegalEntity=ParentCompany;"}


def test_a_filing_that_names_a_company_in_every_row_states_the_group_under_the_parent():
    others = {"coreg": "GasCompany", "segments": "LegalEntity=GasCompany;", "value": "7"}
    [filing], rejected = read(data_set({**OF_THE_PARENT, "value": "12"}, others))
    assert [fact.value for fact in filing.facts] == [12]
    assert rejected == {"coregistrant": 1}


def test_beside_facts_of_the_group_those_of_the_parent_are_its_own():
    [filing], rejected = read(data_set({"value": "12"}, {**OF_THE_PARENT, "tag": "Cash", "value": "3"}))
    assert [fact.value for fact in filing.facts] == [12]
    assert rejected == {"coregistrant": 1}


def test_scattered_rows_come_together_whatever_is_held_at_once():
    chance = random.Random(SEED)
    print("seed", SEED)
    numbers = [f"0000000007-24-{filing:06d}" for filing in range(20)]
    rows = [
        {"adsh": number, "ddate": f"{2000 + year}1231", "value": str(year), "coreg": "x" * (year % 7 == 0)}
        for number in numbers
        for year in range(1, 15)
    ]
    chance.shuffle(rows)
    data = data_set(*rows, submissions=[{"adsh": number} for number in numbers])
    whole = read(data)
    assert [filing.number for filing in whole[0]] == numbers
    assert whole[1] == {"coregistrant": 40}
    for held in (1, 30, 279):
        assert read(data, rows_at_once=held) == whole
