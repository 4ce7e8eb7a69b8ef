"""Definitions of portals are read strictly, and their windows hold every day once."""

from __future__ import annotations

import random
import re
import tomllib
from datetime import date, timedelta
from pathlib import Path

import msgspec
import pytest

from sankofa.ingest.portals.addresses import address
from sankofa.ingest.portals.deltas import Delta
from sankofa.ingest.portals.index import Index
from sankofa.ingest.portals.key import Key
from sankofa.ingest.portals.portal import Portal
from sankofa.ingest.portals.post import Post
from sankofa.ingest.portals.template import filled
from sankofa.ingest.portals.windows import windows
from sankofa.ingest.sources import sources

DEFINED = {name: known.portal for name, known in sources().items() if known.portal}
INDEX = {"address": "https://portal.test/index", "pattern": "(?P<id>[0-9]+)", "id": "[0-9]+"}
DELTA = {"days": 1, "address": "https://portal.test/?delta=LastDay"}


def test_the_addresses_are_those_that_the_portals_publish():
    def at(name, page=1, item=""):
        return DEFINED[name].at(date(2024, 7, 1), date(2025, 6, 30), page, item)

    assert at("za-etenders", 3) == (
        "https://ocds-api.etenders.gov.za/api/OCDSReleases"
        "?PageNumber=3&PageSize=50&dateFrom=2024-07-01&dateTo=2025-06-30"
    )
    assert at("ng-nocopo") == "https://nocopo.bpp.gov.ng/ocdsjson.ashx?ocid=all"
    assert at("ke-ppip") == "https://tenders.go.ke/api/ocds/tenders?fy=2024-2025"
    assert at("ug-gpp", 2) == (
        "https://cdn.ppda.go.ug/api/open-data/v2/ocds/download?fy=2024-2025&format=json&code=2"
    )
    assert at("rw-umucyo", 3) == (
        "https://ocds.umucyo.gov.rw/opendata/api/v1/releases/all"
        "?offset=100&limit=50&date_from=2024-07-01&date_to=2025-06-30"
    )
    assert at("tz-nest") == (
        "https://nest.go.tz/gateway/nest-data-portal-api/api/releases?since=2024-07-01T00:00:00Z"
    )
    assert at("sec-fsds") == ("https://www.sec.gov/files/dera/data/financial-statement-data-sets/2024q3.zip")
    assert at("sec-companyfacts", item="320193") == (
        "https://data.sec.gov/api/xbrl/companyfacts/CIK0000320193.json"
    )
    assert filled(DEFINED["sec-companyfacts"].index.address, date(2024, 10, 2)) == (
        "https://www.sec.gov/Archives/edgar/daily-index/2024/QTR4/master.20241002.idx"
    )
    assert at("cbk-fx", item="193") == (
        "https://www.centralbank.go.ke/wp-admin/admin-ajax.php?action=get_wdtable&table_id=193"
    )
    assert at("py-dncp") == (
        "https://data.open-contracting.org/en/publication/63/download?name=full.jsonl.gz"
    )
    assert at("zm-zppa") == "https://www.zppa.org.zm/ocds/services/recordpackage/getrecordpackage/2024/7"


@pytest.mark.parametrize("name", DEFINED)
def test_every_portal_is_asked_over_tls_by_name_and_with_pauses(name):
    portal = DEFINED[name]
    origin = address(portal.at(date(2024, 7, 1), date(2025, 6, 30))).origin
    assert (origin.scheme, origin.port) == ("https", 443)
    assert origin.host[-1].isalpha()
    # The SEC publishes a limit of ten requests a second; nobody else does.
    assert portal.pause_seconds >= (0.2 if origin.host.endswith(".sec.gov") else 1)
    for declared in portal.declared():
        assert address(declared).origin.host.split(".")[-2:] == origin.host.split(".")[-2:]


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"address": "ftp://portal.test/"},
        {"address": "https://portal.test"},
        {"address": "https://{first}.test/"},
        {"address": "https://portal.test/{cursor}"},
        {"address": "https://portal.test/{page}", "page_size": 50},
        {"address": "https://portal.test/{offset}"},
        {"address": "https://portal.test/{offset}/{page}", "page_size": 50},
        {"address": "https://portal.test/{page}", "carried": ["cursor"]},
        {"address": "https://portal.test/", "window": 7},
        {"address": "https://portal.test/{first}", "window": 0},
        {"address": "https://portal.test/{first}", "window": "week"},
        {"address": "https://portal.test/", "pause_seconds": -1},
        {"address": "https://portal.test/", "attempts": 0},
        {"address": "https://portal.test/", "pause": 1},
        {"address": "https://portal.test/", "answers": "html"},
        {"address": "https://portal.test/{item}"},
        {"address": "https://portal.test/", "items": ["a"]},
        {"address": "https://portal.test/{item}", "items": ["a"], "index": INDEX},
        {"address": "https://portal.test/", "index": INDEX},
        {"address": "https://portal.test/{item}", "index": INDEX | {"pattern": "[0-9]+"}},
        {"address": "https://portal.test/{item}", "index": INDEX | {"pattern": "(?P<id>["}},
        {"address": "https://portal.test/{item}", "index": INDEX | {"address": "https://{item}.test/"}},
        {"address": "https://portal.test/{item}", "index": INDEX | {"address": "https://portal.test/{page}"}},
        {"address": "https://portal.test/{item}", "index": {"address": "https://portal.test/"}},
        {"address": "https://portal.test/{first}", "deltas": [DELTA]},
        {"address": "https://portal.test/", "deltas": [DELTA | {"days": 0}]},
        {"address": "https://portal.test/", "deltas": [DELTA | {"address": "https://portal.test/{first}"}]},
        {"address": "https://portal.test/", "pages_at": "/0/pages"},
        {"address": "https://portal.test/{page}", "pages_at": "pages"},
        {"address": "https://portal.test/{page}", "checksum": "https://portal.test/sum"},
        {"address": "https://portal.test/", "checksum": "portal.test/sum"},
        {"address": "https://portal.test/", "again_days": -1},
        {"address": "https://portal.test/{page}", "form": {"length": "-1"}},
        {"address": "https://portal.test/", "form": {"length": "-1"}, "deltas": [DELTA]},
        {"address": "https://portal.test/", "form": {"length": -1}},
    ],
)
def test_a_definition_that_makes_no_sense_is_refused(fields):
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(fields, Portal)


def test_the_docs_name_every_field_and_their_examples_are_portals():
    page = (Path(__file__).parents[2] / "docs" / "operations" / "sources.md").read_text(encoding="utf-8")
    fields = [name for one in (Portal, Index, Delta, Key, Post) for name in one.__struct_encode_fields__]
    assert [name for name in fields if not re.search(rf"\b{name}\b", page)] == []
    written = [tomllib.loads(block) for block in re.findall("```toml\n(.*?)```", page, re.DOTALL)]
    portals = [msgspec.convert(one["portal"], Portal) for one in written if "portal" in one]
    assert [portal.index is not None for portal in portals] == [False, True, False, False]
    assert [portal.post is not None for portal in portals] == [False, False, True, False]
    assert [portal.key is not None for portal in portals] == [False, False, False, True]


@pytest.mark.parametrize("length", [1, 7, 30, 1_000, None, "month", "quarter", "year", "fiscal_year"])
def test_windows_hold_every_day_once(length):
    seed = random.randrange(1 << 32)
    print("seed", seed)
    draw = random.Random(seed)
    for _ in range(200):
        first = date(2012, 1, 1) + timedelta(days=draw.randrange(4_000))
        last = first + timedelta(days=draw.randrange(1_500))
        found = list(windows(first, last, length))
        days = [w.first + timedelta(days=n) for w in found for n in range((w.last - w.first).days + 1)]
        assert days == [days[0] + timedelta(days=number) for number in range(len(days))]
        if isinstance(length, int):
            assert (days[0], days[-1]) == (first, last)
            assert all((w.last - w.first).days < length for w in found)
        else:
            assert days[0] <= first
            assert last <= days[-1]


def test_quarters_and_years_are_of_the_calendar():
    assert list(windows(date(2023, 12, 31), date(2024, 4, 1), "quarter")) == [
        (date(2023, 10, 1), date(2023, 12, 31)),
        (date(2024, 1, 1), date(2024, 3, 31)),
        (date(2024, 4, 1), date(2024, 6, 30)),
    ]
    assert list(windows(date(2023, 12, 31), date(2024, 1, 1), "year")) == [
        (date(2023, 1, 1), date(2023, 12, 31)),
        (date(2024, 1, 1), date(2024, 12, 31)),
    ]
    first_days = [date(2024, month, 1) for month in range(1, 13)]
    assert [filled("https://portal.test/{first.year}q{quarter}", day)[-6:] for day in first_days] == [
        f"2024q{quarter}" for quarter in (1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4)
    ]


def test_months_and_fiscal_years_are_whole():
    assert list(windows(date(2023, 12, 31), date(2024, 2, 1), "month")) == [
        (date(2023, 12, 1), date(2023, 12, 31)),
        (date(2024, 1, 1), date(2024, 1, 31)),
        (date(2024, 2, 1), date(2024, 2, 29)),
    ]
    assert list(windows(date(2024, 6, 30), date(2024, 7, 1), "fiscal_year")) == [
        (date(2023, 7, 1), date(2024, 6, 30)),
        (date(2024, 7, 1), date(2025, 6, 30)),
    ]
    assert list(windows(date(2024, 3, 2), date(2024, 3, 1), 7)) == []
