"""SEC Financial Statement and Notes: what each filing tells of its filer."""

from __future__ import annotations

import io
import zipfile
from datetime import UTC, date, datetime

import pytest

from sankofa.core.errors import UnreadableDocument
from sankofa.ingest.bytes.bounds import Rejections
from sankofa.ingest.filings.sec_notes import parse

FETCHED = datetime(2026, 8, 20, 6, tzinfo=UTC)
SASOL = {
    "adsh": "0000314590-19-000004",
    "cik": "314590",
    "name": "SASOL LTD",
    "sic": "1311",
    "countryba": "ZA",
    "stprba": "",
    "countryinc": "ZA",
    "stprinc": "",
    "form": "6-K",
    "period": "20181231",
    "filed": "20190225",
    "accepted": "2019-02-25 06:00:00.0",
}


def read(*rows, name="sub.tsv"):
    packed = io.BytesIO()
    lines = [SASOL.keys(), *(row.values() for row in rows)]
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr(name, "\n".join("\t".join(line) for line in lines))
    rejections = Rejections()
    return list(parse(packed.getvalue(), rejections, fetched_at=FETCHED)), dict(rejections.counts)


def test_a_filing_tells_name_home_and_industry_from_its_own_day():
    (record,), rejected = read(SASOL)
    assert rejected == {}
    assert (record.subject, record.legal_name, record.jurisdiction) == ("cik:0000314590", "SASOL LTD", "ZA")
    assert record.marks == ("files_accounts:US-SEC", "sic:1311")
    assert (record.available_at, record.available_at_basis) == (date(2019, 2, 25), "filing")


@pytest.mark.parametrize(
    ("stated", "home"),
    [
        ({"countryinc": "US", "stprinc": "DE", "countryba": "CA"}, "US-DE"),
        ({"countryinc": "CA", "stprinc": "QC", "countryba": "CA"}, "CA-QC"),
        ({"countryinc": "US", "stprinc": "X1", "countryba": "US"}, "US"),
        ({"countryinc": "", "stprinc": "", "countryba": "BR"}, "BR"),
        ({"countryinc": "AN", "stprinc": "", "countryba": "US"}, "US"),
        ({"countryinc": "", "stprinc": "", "countryba": ""}, None),
    ],
)
def test_a_filer_is_at_home_where_it_was_incorporated_else_in_the_country_of_its_business(stated, home):
    (record,), _ = read(SASOL | stated | {"sic": "0"})
    assert (record.jurisdiction, record.marks) == (home, ("files_accounts:US-SEC",))


@pytest.mark.parametrize(
    ("stated", "reason"),
    [
        ({"cik": "x"}, "bad_cik"),
        ({"filed": "20191399"}, "bad_date"),
        ({"filed": "20260901"}, "filed_after_fetch"),
    ],
)
def test_a_filing_that_cannot_be_dated_or_attributed_is_counted(stated, reason):
    assert read(SASOL | stated) == ([], {reason: 1})


def test_an_archive_without_the_table_is_refused():
    with pytest.raises(UnreadableDocument) as refused:
        read(SASOL, name="num.tsv")
    assert refused.value.reason == "missing_table"
