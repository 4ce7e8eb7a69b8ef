"""ESEF reports, built by hand: what is a fact, which day a period ends on, what is left out and why."""

from __future__ import annotations

import gzip
from datetime import UTC, date, datetime
from decimal import Decimal
from itertools import permutations

import pytest

from sankofa.core.errors import UnreadableDocument
from sankofa.fundamentals.model import FiledFact
from sankofa.ingest.bytes.bounds import Limits, Rejections
from sankofa.ingest.filings.esef import parse
from support.esef_reports import (
    END_OF_2023,
    NAMESPACES,
    YEAR_2023,
    fact,
    report,
)
from support.lei_documents import an_lei

FETCHED = datetime(2024, 5, 2, 10, tzinfo=UTC)
YEAR = (date(2023, 1, 1), date(2023, 12, 31))


def read(data, fetched_at=FETCHED, **options):
    rejections = Rejections()
    return list(parse(data, rejections, fetched_at=fetched_at, **options)), dict(rejections.counts)


def only(*facts, **options):
    """Return the one fact of a report, and what was rejected."""
    filings, rejected = read(report(*facts, **options))
    found = [one for filing in filings for one in filing.facts]
    assert len(found) <= 1
    return (found[0] if found else None), rejected


def refusal(data, **options):
    with pytest.raises(UnreadableDocument) as refused:
        read(data, **options)
    return refused.value.reason


def test_a_report_becomes_the_filing_of_its_issuer():
    [filing], rejected = read(report(fact("302632000", decimals=-3)))
    assert rejected == {}
    assert filing.subject == f"lei:{an_lei(1)}"
    assert (filing.subject_name, filing.accepted_at, filing.report_period) == (None,) * 3
    assert filing.form == "AFR"
    assert filing.facts == [
        FiledFact("ifrs-full:Revenue", *YEAR, "EUR", "consolidated", Decimal(302632000), -3)
    ]
    assert read(gzip.compress(report(fact("302632000", decimals=-3))))[0] == [filing]


@pytest.mark.parametrize(
    ("period", "days"),
    [
        (YEAR_2023, YEAR),
        (END_OF_2023, (None, date(2023, 12, 31))),
        ("2021-04-01T00:00:00/2022-04-01T00:00:00", (date(2021, 4, 1), date(2022, 3, 31))),
        ("2024-03-01T00:00:00", (None, date(2024, 2, 29))),
        ("2023-03-01T00:00:00", (None, date(2023, 2, 28))),
        # Taken at its word: midnight before the last day of December is the end of the 30th.
        ("2022-01-01T00:00:00/2022-12-31T00:00:00", (date(2022, 1, 1), date(2022, 12, 30))),
        ("2023-12-31T00:00:00/2024-01-01T00:00:00", (date(2023, 12, 31), date(2023, 12, 31))),
    ],
)
def test_a_period_ends_on_the_day_before_its_midnight(period, days):
    found, rejected = only(fact(period=period))
    assert (found.period_start, found.period_end) == days
    assert rejected == {}


@pytest.mark.parametrize(
    ("period", "reason"),
    [
        ("2024-01-01T00:00:00/2024-01-01T00:00:00", "period_reversed"),
        ("2024-01-01T00:00:00/2023-01-01T00:00:00", "period_reversed"),
        ("2023-12-31", "bad_date"),
        ("2023-12-31T23:59:59", "bad_date"),
        ("2023-12-31T24:00:00", "bad_date"),
        ("2024-01-01T00:00:00Z", "bad_date"),
        ("2024-01-01T00:00:00+02:00", "bad_date"),
        ("2023-02-30T00:00:00", "bad_date"),
        ("2023-13-01T00:00:00/2024-01-01T00:00:00", "bad_date"),
        ("0001-01-01T00:00:00", "bad_date"),
        ("2022-01-01T00:00:00/2023-01-01T00:00:00/2024-01-01T00:00:00", "bad_date"),
        ("/2024-01-01T00:00:00", "bad_date"),
        ("٢٠٢٤-01-01T00:00:00", "bad_date"),
        ("2024-01-01T00:00:00\n", "bad_date"),
        ("", "bad_date"),
        (None, "bad_date"),
        (["2024-01-01T00:00:00"], "bad_date"),
        (..., "bad_date"),
    ],
)
def test_a_broken_period_is_counted(period, reason):
    assert only(fact(period=period)) == (None, {reason: 1})


def test_only_facts_without_dimensions_are_taken():
    axis = {"ifrs-full:ComponentsOfEquityAxis": "ifrs-full:IssuedCapitalMember"}
    typed = {"own:ContractAxis": None}
    found, rejected = only(fact(), fact("7", **axis), fact("8", **typed), fact("9", **axis, **typed))
    assert found.value == 100
    assert rejected == {"dimensional": 3}


def test_texts_are_counted_and_never_taken_for_numbers():
    texts = [
        fact("2023", decimals=..., unit=..., language="en"),
        fact("2023", language="en"),
        fact("2023", decimals=..., unit=...),
        fact(None, decimals=..., unit=...),
        fact("x" * 2_000_000, decimals=..., unit=..., language="en"),
        fact("note", decimals=..., unit=..., concept="xbrl:note", noteId="n1", language="en"),
    ]
    assert only(fact(), *texts)[1] == {"not_a_number": 6}


@pytest.mark.parametrize(
    ("written", "unit"),
    [
        ("iso4217:EUR", "EUR"),
        ("iso4217:EUR/xbrli:shares", "EUR/shares"),
        ("xbrli:shares", "shares"),
        ("xbrli:pure", "pure"),
        (..., "pure"),
    ],
)
def test_units_are_written_as_in_the_other_sources(written, unit):
    assert only(fact(unit=written))[0].unit == unit


@pytest.mark.parametrize(
    "written",
    [
        *(
            "EUR",
            "iso4217:euro",
            "iso4217:EUR/",
            "/iso4217:EUR",
            "own:EUR",
            "xbrli:EUR",
            "none:EUR",
            "",
            None,
        ),
        *(
            "iso4217:EUR*xbrli:shares",
            "iso4217:EUR/xbrli:shares/xbrli:shares",
            "(iso4217:EUR)",
            7,
            "iso4217:",
        ),
    ],
)
def test_another_unit_is_counted(written):
    assert only(fact(unit=written)) == (None, {"bad_unit": 1})


@pytest.mark.parametrize(
    "address",
    [
        "http://xbrl.ifrs.org/taxonomy/2020-03-16/ifrs-full",
        "https://xbrl.ifrs.org/taxonomy/2022-03-24/ifrs-full",
    ],
)
def test_ifrs_is_known_by_its_address_whatever_its_prefix(address):
    found, _ = only(fact(concept="i:Revenue"), namespaces=NAMESPACES | {"i": address})
    assert found.concept == "ifrs-full:Revenue"


@pytest.mark.parametrize(
    "address",
    [
        "http://example.com/ifrs-full",
        "http://xbrl.ifrs.org.example.com/taxonomy/2020-03-16/ifrs-full",
        "http://xbrl.ifrs.org/taxonomy/2020-03-16/ifrs-full/",
        "http://xbrl-ifrs.org/taxonomy/2020-03-16/ifrs-full",
    ],
)
def test_nobody_elses_concept_can_pass_for_ifrs(address):
    found, _ = only(fact(), namespaces=NAMESPACES | {"ifrs-full": address})
    assert found.concept == f"{{{address}}}Revenue"


def test_an_issuers_own_concept_keeps_its_namespace():
    assert only(fact(concept="own:Revenue"))[0].concept == "{http://example.com/xbrl/2023}Revenue"


@pytest.mark.parametrize(
    "name", ["Revenue", "none:Revenue", "own:", "own:a b", "own:a:b", "", None, 7, ["x"]]
)
def test_a_concept_without_a_name_is_counted(name):
    assert only(fact(concept=name)) == (None, {"bad_concept": 1})


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("12345678901234567.89", "12345678901234567.89"),
        ("-269000", "-269000"),
        ("0.304", "0.304"),
        ("100.0", "100"),
        ("1.5E3", "1500"),
        (".5", "0.5"),
        ("+5", "5"),
        ("99999999999999999999999999.999999999999", "99999999999999999999999999.999999999999"),
    ],
)
def test_a_value_keeps_its_digits(written, value):
    assert f"{only(fact(written))[0].value:f}" == value


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        *(
            (text, "bad_value")
            for text in ("", "NaN", "INF", "-Infinity", "1,000", "1 000", "0x10", "١٢", "1_0")
        ),
        *((value, "bad_value") for value in (100, 1.5, True, ["1"], {"a": "1"}, ..., "9" * 65, "1e999")),
        *((text, "value_out_of_range") for text in ("1" + "0" * 26, "1E+99", "1E-13", "9" * 64)),
    ],
)
def test_a_value_that_is_no_number_here_is_counted(written, reason):
    assert only(fact(written)) == (None, {reason: 1})


@pytest.mark.parametrize("decimals", ["-3", "INF", 1.5, True, 65, -65, 10**30])
def test_a_precision_that_is_none_is_counted(decimals):
    assert only(fact(decimals=decimals)) == (None, {"bad_decimals": 1})


def test_nil_is_a_value_and_a_missing_precision_is_none_stated():
    assert only(fact(None, decimals=...))[0][-2:] == (None, None)
    assert only(fact("7", decimals=...))[0][-2:] == (7, None)
    assert only(fact("7", decimals=None))[0][-2:] == (7, None)


def test_a_fact_told_twice_is_kept_once():
    assert only(fact(), fact(), fact("100.0"))[1] == {}


@pytest.mark.parametrize(
    ("rows", "kept"),
    [
        # 302,632 thousand is 303 million to the million, and 300 million to the hundred million.
        ([("302632000", -3), ("303000000", -6), ("300000000", -8)], ("302632000", -3)),
        ([("302500000", -5), ("302000000", -6)], ("302500000", -5)),  # a half may be rounded either way
        ([("302500000", -5), ("303000000", -6)], ("302500000", -5)),
        ([("302632017", ...), ("302632000", -3)], ("302632017", None)),  # without a precision it is exact
        ([("302632000", -3), ("302000000", -6)], None),
        ([("302632000", -3), ("302633000", -3)], None),
        ([("302632000", -3), ("302632400", -3)], None),  # neither is the finer one
        ([("302632000", ...), ("302632001", ...)], None),
        ([("100", 0), (None, ...)], None),
        # 0.449 is 0.45 and 0.45 may be 0.5, but 0.449 is not.
        ([("0.449", 3), ("0.45", 2), ("0.5", 1)], None),
    ],
)
def test_the_most_precise_of_agreeing_values_is_kept_in_any_order(rows, kept):
    for order in permutations(rows):
        found, rejected = only(*(fact(value, decimals=decimals) for value, decimals in order))
        if kept:
            assert (found.value, found.decimals, rejected) == (Decimal(kept[0]), kept[1], {})
        else:
            assert (found, rejected) == (None, {"duplicate_conflict": len(rows)})


@pytest.mark.parametrize(
    ("entities", "reason"),
    [
        ([f"lei:{an_lei(1)}", f"lei:{an_lei(2)}"], "several_entities"),
        ([f"lei:{an_lei(1)}", ...], "several_entities"),
        ([f"lei:{an_lei(1)[:-1]}0"], "bad_lei"),
        ([f"own:{an_lei(1)}"], "bad_lei"),
        ([an_lei(1)], "bad_lei"),
        ([None], "bad_lei"),
        ([["lei"]], "bad_lei"),
        ([], "no_facts"),
    ],
)
def test_a_report_is_about_one_issuer_with_a_sound_lei(entities, reason):
    assert refusal(report(*(fact(entity=entity) for entity in entities))) == reason


@pytest.mark.parametrize(
    "kind", ["", "https://xbrl.org/2021/xbrl-csv", "https://xbrl.org/CR/2021-02-03/xbrl-json"]
)
def test_another_kind_of_document_is_refused(kind):
    assert refusal(report(fact(), document_type=kind)) == "unexpected_document_type"


def test_hostile_documents_are_refused_with_a_reason():
    whole = report(fact()).decode()
    deep = whole.replace('"100"', "[" * 70 + "]" * 70)
    assert refusal(deep.encode()) == "nested_too_deep"
    assert refusal(whole.replace('"100"', "NaN").encode()) == "malformed_json"
    assert refusal(whole.replace('"fact-1"', '"fact-1": {}, "fact-1"').encode()) == "unexpected_shape"
    once, _, tail = whole.partition('"fact-1": ')
    again = f'{once}"fact-1": {tail[:-2]}, "fact-1": {tail}'
    assert refusal(again.encode()) == "duplicate_key"
    assert refusal(whole.replace('"value"', '"value": "1", "value"').encode()) == "duplicate_key"
    assert refusal(whole.replace('"concept"', '"concept": "own:x", "concept"').encode()) == "duplicate_key"
    assert refusal(whole.replace('"lei":', '"lei": "x", "lei":').encode()) == "duplicate_key"
    assert refusal(whole.replace('"100"', '"1\\u0000"').encode()) == "nul_character"
    assert refusal(whole.replace('"100"', f"1.{'1' * 2_000}").encode()) == "number_too_long"
    assert refusal(whole.encode(), limits=Limits(document_bytes=100)) == "document_too_large"
    assert refusal(gzip.compress(b" " * 200_000_000)) == "archive_packed_too_densely"
    for shape in ("[]", '{"facts":{}}', '{"documentInfo":{},"facts":{}}', whole.replace("https", '"')):
        assert refusal(shape.encode()) in {"unexpected_shape", "malformed_json"}
    for cut in range(1, len(whole), 7):
        assert refusal(whole[:cut].encode()) == "malformed_json"


def test_every_fact_is_read_rejected_or_a_repeat():
    rows = [fact(), fact(), fact("1", period=END_OF_2023), fact("x"), fact(unit="own:u"), fact("1", unit=...)]
    [filing], rejected = read(report(*rows))
    assert [(one.period_start, one.unit, one.value) for one in filing.facts] == [
        (YEAR[0], "EUR", 100),
        (None, "EUR", 1),
        (YEAR[0], "pure", 1),
    ]
    assert rejected == {"bad_value": 1, "bad_unit": 1}
