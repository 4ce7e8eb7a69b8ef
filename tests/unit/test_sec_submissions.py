"""SEC submissions: the names of a filer, each from the day it was known."""

from __future__ import annotations

import io
import json
import zipfile
from datetime import UTC, date, datetime

import pytest

from sankofa.core.errors import UnreadableDocument
from sankofa.entities.model import Identifier, OrganisationRecord
from sankofa.ingest.bytes.bounds import Rejections
from sankofa.ingest.registers.sec_submissions import parse

FETCHED = datetime(2026, 8, 20, 6, tzinfo=UTC)


def submissions(
    name="Example Corp",
    former=(),
    filed=("2026-08-03",),
    *,
    files=(),
    form="10-K",
    cik="0000000007",
    **state,
):
    return json.dumps(
        {
            "cik": cik,
            "entityType": "operating",
            **state,
            "name": name,
            "formerNames": [{"name": one, "from": first, "to": last} for one, first, last in former],
            "filings": {
                "recent": {
                    "accessionNumber": ["0000000007-26-000001"] * len(filed),
                    "filingDate": list(filed),
                    "acceptanceDateTime": ["2026-08-03T18:55:38.000Z"] * len(filed),
                    "form": [form] * len(filed),
                },
                "files": [
                    {"name": "CIK0000000007-submissions-001.json", "filingFrom": first, "filingTo": last}
                    for first, last in files
                ],
            },
        }
    ).encode()


def read(data):
    rejections = Rejections()
    return list(parse(data, rejections, fetched_at=FETCHED)), dict(rejections.counts)


def names(data):
    return [(record.available_at.isoformat(), record.legal_name) for record in read(data)[0]]


def eastern(day):
    return f"{day}T00:00:00.000Z"


def utc(day):
    summer = "04" if "04" <= day[5:7] <= "10" else "05"
    return f"{day}T{summer}:00:00.000Z"


def test_a_record_has_the_filer_s_number_and_the_day_of_its_first_filing_under_the_name():
    found, rejected = read(submissions(filed=("2026-08-03", "2019-02-01")))
    assert found == [
        OrganisationRecord(
            subject="cik:0000000007",
            legal_name="Example Corp",
            jurisdiction=None,
            status="unknown",
            identifiers=(Identifier("registry", "US-SEC", "0000000007"),),
            marks=("files_accounts:US-SEC",),
            duplicate_of=None,
            stated_at=datetime(2019, 2, 1, tzinfo=UTC),
            available_at=date(2019, 2, 1),
            available_at_basis="filing",
        )
    ]
    assert rejected == {}


@pytest.mark.parametrize("midnight", [eastern, utc])
def test_both_ways_to_write_midnight_in_new_york_are_the_same_day(midnight):
    former = [
        ("EXAMPLE INC", midnight("2007-01-10"), midnight("2019-08-05")),
        ("EXAMPLE COMPUTER INC", midnight("1994-01-26"), midnight("2007-01-04")),
    ]
    assert names(submissions("Example Inc.", former, ("2026-08-03", "2019-08-14", "2019-08-05"))) == [
        ("1994-01-26", "EXAMPLE COMPUTER INC"),
        ("2007-01-10", "EXAMPLE INC"),
        ("2019-08-14", "Example Inc."),
    ]


@pytest.mark.parametrize(
    ("marker", "day"),
    [
        # The same evening in New York: written as such, and as the day after in UTC. The later day counts.
        (("2001-01-01T00:00:00.000Z", "2019-01-31T20:23:00.000Z"), "2019-02-01"),
        (("2001-01-01T05:00:00.000Z", "2019-02-01T01:23:00.000Z"), "2019-02-01"),
        # Before seven in the evening both clocks show the same day.
        (("2001-01-01T00:00:00.000Z", "2019-01-31T18:59:00.000Z"), "2019-01-31"),
        (("2001-01-01T05:00:00.000Z", "2019-01-31T23:59:00.000Z"), "2019-01-31"),
    ],
)
def test_a_time_of_day_is_read_by_the_clock_of_its_file(marker, day):
    midnight, began = marker
    former = [("OLD CO", midnight, midnight), ("EXAMPLE CORP", began, f"2020-03-02{midnight[10:]}")]
    assert (day, "EXAMPLE CORP") in names(submissions(former=former))


def test_a_name_of_one_day_within_another_s_range_holds_for_that_day_only():
    former = [
        ("EXAMPLE COMPUTER INC", eastern("1994-01-26"), eastern("2007-01-04")),
        ("EXAMPLE COMPUTER INC/ FA", eastern("1997-07-28"), eastern("1997-07-28")),
    ]
    assert names(submissions(former=former, filed=("2007-01-10",))) == [
        ("1994-01-26", "EXAMPLE COMPUTER INC"),
        ("1997-07-28", "EXAMPLE COMPUTER INC/ FA"),
        ("1997-07-29", "EXAMPLE COMPUTER INC"),
        ("2007-01-10", "Example Corp"),
    ]


def test_where_ranges_overlap_the_one_that_began_last_counts():
    former = [
        ("FIRST CORP", eastern("2000-01-03"), eastern("2004-06-01")),
        ("SECOND CORP", eastern("2004-05-03"), eastern("2009-01-05")),
    ]
    assert names(submissions(former=former, filed=("2009-02-02",))) == [
        ("2000-01-03", "FIRST CORP"),
        ("2004-05-03", "SECOND CORP"),
        ("2009-02-02", "Example Corp"),
    ]


def test_the_current_name_in_the_list_is_known_from_its_own_first_day():
    former = [
        ("Example Corp", utc("2018-01-31"), utc("2026-06-26")),
        ("EXAMPLE STORES INC", utc("1994-02-14"), utc("2018-01-30")),
    ]
    assert names(submissions(former=former, filed=("2026-06-26", "2015-01-02"))) == [
        ("1994-02-14", "EXAMPLE STORES INC"),
        ("2018-01-31", "Example Corp"),
    ]


def test_a_name_that_came_back_is_known_again_after_the_other():
    former = [
        ("Example Corp", utc("2001-02-01"), utc("2009-06-30")),
        ("SAMPLE CORP", utc("2009-07-06"), utc("2012-03-01")),
    ]
    assert names(submissions(former=former, filed=("2026-06-26", "2012-04-02"))) == [
        ("2001-02-01", "Example Corp"),
        ("2009-07-06", "SAMPLE CORP"),
        ("2012-04-02", "Example Corp"),
    ]


def test_pages_of_older_filings_date_the_current_name_where_the_newest_do_not_reach_back():
    former = [("EXAMPLE OIL CORP", eastern("1994-05-11"), eastern("1999-11-30"))]
    files = [("2003-05-01", "2018-12-31"), ("1993-08-02", "2003-04-30")]
    found = names(submissions(former=former, filed=("2019-01-04",), files=files))
    assert found[1] == ("2003-04-30", "Example Corp")


def test_a_name_that_no_filing_dates_counts_from_the_day_of_the_fetch():
    former = [("OLD CO", eastern("1994-05-11"), eastern("1999-11-30"))]
    found, _ = read(submissions(former=former, filed=("1999-11-30",)))
    assert (found[1].legal_name, found[1].available_at, found[1].available_at_basis) == (
        "Example Corp",
        date(2026, 8, 20),
        "first_seen",
    )


def test_whoever_files_no_accounts_brings_no_evidence_of_being_an_organisation():
    (person,), _ = read(submissions("MOKOENA THABO", form="4"))
    assert person.marks == ()


HOME = {"stateOfIncorporation": "E9", "addresses": {"business": {"stateOrCountry": "F4"}, "mailing": {}}}
TRADED = {"tickers": ["EXM", "EXM-A", "EXMF", "X"], "exchanges": ["Nasdaq", "NYSE", "OTC", None]}


def test_home_industry_and_tickers_are_a_record_of_the_day_of_the_fetch():
    named, state = read(submissions(sic="1311", **HOME, **TRADED))[0]
    assert (named.jurisdiction, named.marks) == (None, ("files_accounts:US-SEC",))
    assert [one.value for one in named.identifiers] == ["0000000007"]
    assert (state.legal_name, state.jurisdiction) == ("Example Corp", "KY")
    assert state.marks == ("files_accounts:US-SEC", "sic:1311")
    assert [(one.issuer, one.value) for one in state.identifiers[1:]] == [
        ("OTCM", "EXMF"),
        ("XNAS", "EXM"),
        ("XNYS", "EXM-A"),
    ]
    assert (state.available_at, state.available_at_basis) == (FETCHED.date(), "first_seen")
    assert state.stated_at == FETCHED


@pytest.mark.parametrize(
    ("incorporated", "business", "home"),
    [
        ("DE", "CA", "US-DE"),
        ("", "T3", "ZA"),
        (None, "A6", "CA"),  # an address tells the country of a filer, not under which law it stands
        ("A6", "NY", "CA-ON"),
        ("XX", "X0", "GB"),
        ("", "QQ", None),
    ],
)
def test_a_filer_is_at_home_where_it_was_incorporated_else_in_the_country_of_its_business(
    incorporated, business, home
):
    addresses = {"business": {"stateOrCountry": business}}
    *_, state = read(submissions(stateOfIncorporation=incorporated, addresses=addresses, sic="100"))[0]
    assert (state.jurisdiction, state.marks[1]) == (home, "sic:0100")


def test_an_exchange_that_nobody_knows_is_counted():
    _, rejected = read(submissions(tickers=["A", "B?"], exchanges=["Mars", "NYSE"]))
    assert rejected == {"repaired_exchange": 1, "repaired_ticker": 1}


def test_of_a_filer_without_accounts_nothing_but_its_name_is_read():
    (person,), _ = read(submissions("MOKOENA THABO", form="4", sic="1311", **HOME, **TRADED))
    assert (person.jurisdiction, person.marks, len(person.identifiers)) == (None, (), 1)


@pytest.mark.parametrize(
    "former",
    [
        ("OLD CO", "2001-01-01", eastern("2002-01-01")),
        ("OLD CO", eastern("2002-01-01"), eastern("2001-01-01")),
        ("OLD CO", eastern("1901-01-01"), eastern("2001-01-01")),
        ("OLD CO", eastern("2001-02-30"), eastern("2002-01-01")),
        ("OLD CO", eastern("2001-01-01"), eastern("2126-09-01")),
        ("OLD CO", None, eastern("2001-01-01")),
        ("", eastern("2001-01-01"), eastern("2002-01-01")),
        ("OLD \u202eCO", eastern("2001-01-01"), eastern("2002-01-01")),
    ],
)
def test_a_former_name_without_a_name_or_credible_days_is_counted_and_left_out(former):
    found, rejected = read(submissions(former=[former]))
    assert [record.legal_name for record in found] == ["Example Corp"]
    assert rejected == {"repaired_former_name": 1}


def test_an_archive_is_read_member_by_member():
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("CIK0000000007.json", submissions())
        archive.writestr("CIK0000000007-submissions-001.json", b'{"filingDate": []}')
        archive.writestr("CIK0000000008.json", submissions())
        archive.writestr("notes.txt", b"")
    found, rejected = read(io.BytesIO(packed.getvalue()))
    assert [record.subject for record in found] == ["cik:0000000007"]
    assert rejected == {"bad_cik": 1, "unexpected_member": 1}


@pytest.mark.parametrize("data", [b"{}", b"[]", b'{"filingDate": []}', submissions(cik="x")])
def test_another_document_is_refused(data):
    with pytest.raises(UnreadableDocument):
        read(data)


@pytest.mark.parametrize(("name", "reason"), [("", "missing_name"), ("Ex\u202eample", "bad_name")])
def test_a_filer_without_a_name_is_counted(name, reason):
    assert read(submissions(name)) == ([], {reason: 1})
