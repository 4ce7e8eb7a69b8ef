"""Company facts documents, built by hand: what is a fact of which filing, and what is left out and why."""

from __future__ import annotations

import gzip
import io
import json
import zipfile
from datetime import date
from decimal import Decimal

import pytest

from sankofa.core.errors import UnreadableDocument
from sankofa.fundamentals.model import FiledFact
from sankofa.ingest.bytes.bounds import Rejections
from sankofa.ingest.filings.sec_companyfacts import parse

FIRST, SECOND = "0000000007-24-000001", "0000000007-24-000002"


def row(**changed):
    """Return the JSON text of one row; a value of ... leaves the key out, `val` is placed as it is."""
    stated = {
        "start": "2023-01-01",
        "end": "2023-12-31",
        "val": "100",
        "accn": FIRST,
        "fy": 2023,
        "fp": "FY",
        "form": "20-F",
        "filed": "2024-03-29",
    } | changed
    return ",".join(
        f'"{key}":{value if key == "val" else json.dumps(value)}'
        for key, value in stated.items()
        if value is not ...
    ).join("{}")


def document(*rows, tag="Revenue", taxonomy="ifrs-full", unit="ZAR", cik='"0000000007"', name='"Acme Ltd"'):
    units = f'{{"{unit}":[{",".join(rows)}]}}'
    facts = f'{{"{taxonomy}":{{"{tag}":{{"label":null,"description":"x","units":{units}}}}}}}'
    return f'{{"cik":{cik},"entityName":{name},"facts":{facts}}}'.encode()


def read(data):
    rejections = Rejections()
    return list(parse(data, rejections)), dict(rejections.counts)


def test_a_row_becomes_a_fact_of_its_filing():
    [filing], rejected = read(document(row()))
    assert rejected == {}
    assert (filing.subject, filing.subject_name) == ("cik:0000000007", "Acme Ltd")
    assert (filing.number, filing.form, filing.filed) == (FIRST, "20-F", date(2024, 3, 29))
    assert (filing.accepted_at, filing.report_period) == (None, None)
    year = (date(2023, 1, 1), date(2023, 12, 31))
    assert filing.facts == [FiledFact("ifrs-full:Revenue", *year, "ZAR", "consolidated", Decimal(100), None)]


@pytest.mark.parametrize("cik", ["7", '"7"', '"0000000007"'])
def test_a_filer_is_named_alike_however_its_key_is_written(cik):
    assert read(document(row(), cik=cik))[0][0].subject == "cik:0000000007"


@pytest.mark.parametrize("cik", ["-7", '""', '"7x"', "12345678901", '"\\u0667"', '"7\\n"'])
def test_a_document_without_a_filer_is_refused(cik):
    with pytest.raises(UnreadableDocument, match="bad_cik"):
        read(document(row(), cik=cik))


def test_rows_are_gathered_by_filing_over_concepts_and_units():
    comparative = row(accn=SECOND, filed="2025-03-31", val="90")
    filings, _ = read(document(row(), comparative, row(accn=SECOND, end="2024-12-31", filed="2025-03-31")))
    assert [(filing.number, [fact.value for fact in filing.facts]) for filing in filings] == [
        (FIRST, [100]),
        (SECOND, [90, 100]),
    ]


def test_the_period_comes_from_start_and_end_whatever_the_labels_say():
    [filing], _ = read(document(row(fy=1999, fp="Q3", frame="CY1999Q3I"), row(start=..., fy=2050)))
    assert [(fact.period_start, fact.period_end) for fact in filing.facts] == [
        (date(2023, 1, 1), date(2023, 12, 31)),
        (None, date(2023, 12, 31)),
    ]


@pytest.mark.parametrize("label", [None, ...])
def test_an_interim_report_without_fiscal_labels_is_kept(label):
    [filing], rejected = read(document(row(fp=label, fy=label, form="6-K", start=None)))
    assert (filing.form, len(filing.facts), rejected) == ("6-K", 1, {})


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("12345678901234567.89", "12345678901234567.89"),
        ("12345678901234567890", "12345678901234567890"),
        ("-99999999999999999999999999", "-99999999999999999999999999"),
        ("1e5", "100000"),
        ("0.10", "0.1"),
        ("-0.000000000001", "-0.000000000001"),
    ],
)
def test_a_value_is_exact(written, value):
    [filing], _ = read(document(row(val=written)))
    assert f"{filing.facts[0].value:f}" == value


def test_a_null_value_is_a_fact_that_says_nil():
    [filing], rejected = read(document(row(val="null")))
    assert (filing.facts[0].value, rejected) == (None, {})


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"accn": ...}, "missing_accession"),
        ({"accn": None}, "missing_accession"),
        ({"accn": ""}, "missing_accession"),
        ({"accn": "0000000007-24-00001"}, "bad_accession"),
        ({"accn": FIRST + "\n"}, "bad_accession"),
        ({"end": ...}, "bad_date"),
        ({"end": "2023-02-29"}, "bad_date"),
        ({"end": "2023-W01-1"}, "bad_date"),
        ({"end": "20231231"}, "bad_date"),
        ({"start": "2023-13-01"}, "bad_date"),
        ({"start": ""}, "bad_date"),
        ({"filed": None}, "bad_date"),
        ({"filed": "0001-01-01"}, "bad_date"),
        ({"start": "2024-01-01"}, "period_reversed"),
        ({"val": "1e26"}, "value_out_of_range"),
        ({"val": "1e999999999"}, "value_out_of_range"),
        ({"val": "0.0000000000001"}, "value_out_of_range"),
        ({"val": "1" * 39}, "value_out_of_range"),
        ({"val": '"100"'}, "bad_value"),
        ({"val": '"NaN"'}, "bad_value"),
        ({"val": "true"}, "bad_value"),
        ({"val": "[]"}, "bad_value"),
        ({"val": ...}, "bad_value"),
    ],
)
def test_a_row_that_is_no_fact_is_counted_and_the_others_stay(changed, reason):
    [filing], rejected = read(document(row(**changed), row(end="2024-12-31")))
    assert [fact.period_end for fact in filing.facts] == [date(2024, 12, 31)]
    assert rejected == {reason: 1}


@pytest.mark.parametrize(
    ("changed", "reason"),
    [({"tag": "a b"}, "bad_concept"), ({"taxonomy": ""}, "bad_concept"), ({"unit": "a b"}, "bad_unit")],
)
def test_all_rows_under_an_impossible_name_are_counted(changed, reason):
    assert read(document(row(), row(end="2024-12-31"), **changed)) == ([], {reason: 2})


def test_a_value_that_comes_twice_is_kept_once():
    [filing], rejected = read(document(row(), row(frame="CY2023"), row(val="100.0")))
    assert ([fact.value for fact in filing.facts], rejected) == ([100], {})


@pytest.mark.parametrize("values", [("100", "101"), ("101", "100"), ("100", "null"), ("100", "100", "7")])
def test_none_of_two_values_for_one_fact_is_believed(values):
    kept = row(end="2022-12-31", start="2022-01-01")
    [filing], rejected = read(document(*(row(val=value) for value in values), kept))
    assert [fact.period_end.year for fact in filing.facts] == [2022]
    assert rejected == {"duplicate_conflict": len(values)}


def test_a_filing_with_two_filing_days_is_left_out_whole():
    other = row(end="2024-12-31", filed="2024-03-28")
    [filing], rejected = read(document(row(), other, row(), row(accn=SECOND)))
    assert (filing.number, rejected) == (SECOND, {"filed_conflict": 3})


def test_a_filing_with_two_forms_has_none():
    [filing], rejected = read(document(row(), row(end="2024-12-31", form="20-F/A")))
    assert (filing.form, len(filing.facts), rejected) == (None, 2, {})
    [filing], _ = read(document(row(), row(end="2024-12-31", form=None)))
    assert filing.form == "20-F"


def test_a_key_that_nobody_knew_changes_nothing():
    plain, extended = document(row()), document(row(novelty={"a": [1]}))
    assert read(extended) == read(plain)


@pytest.mark.parametrize(
    "twice",
    [
        document(row()[:-1] + ',"val":100}'),
        document(row()[:-1] + ',"novelty":1,"novelty":2}'),
        document(row()).replace(b'"label":null', b'"label":1,"label":2'),
        document(row()).replace(b'"units":', b'"units":{},"units":'),
        document(row()).replace(b'"ZAR":[', b'"ZAR":[],"ZAR":['),
        document(row()).replace(b'"ifrs-full":', b'"ifrs-full":{},"ifrs-full":'),
        document(row()).replace(b'"cik":', b'"cik":8,"cik":'),
    ],
)
def test_a_repeated_key_refuses_the_document(twice):
    with pytest.raises(UnreadableDocument, match="duplicate_key"):
        read(twice)


@pytest.mark.parametrize("data", [b"{}", b"[]", b'{"cik":7,"facts":{"dei":[]}}', document('{"accn":5}')])
def test_another_shape_refuses_the_document(data):
    with pytest.raises(UnreadableDocument, match="unexpected_shape"):
        read(data)


def test_a_document_may_be_packed_and_may_be_a_stream():
    plain = document(row())
    assert read(gzip.compress(plain)) == read(io.BytesIO(plain)) == read(plain)


def test_the_bulk_archive_goes_on_after_a_bad_member():
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("CIK0000000007.json", document(row(), row(val='"x"')))
        archive.writestr("CIK0000000008.json", b"[" * 1_000)
        archive.writestr("CIK0000000009.json", document(row(), cik="10"))
        archive.writestr("CIK0000000011.json", bytes(5_000_000))
        archive.writestr("../CIK0000000012.json", document(row(), cik="12"))
        archive.writestr("CIK0000000013.json", document(row(), cik="13"))
    for archived in (packed.getvalue(), packed):
        filings, rejected = read(archived)
        assert [filing.subject for filing in filings] == ["cik:0000000007", "cik:0000000013"]
        assert rejected == {
            "bad_value": 1,
            "nested_too_deep": 1,
            "bad_cik": 1,
            "archive_packed_too_densely": 1,
            "unexpected_member": 1,
        }
