"""Nothing goes away without a successor and 180 days' notice, and responses say so (VER-1)."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from sankofa.core.deprecation import DEPRECATED, Deprecated, check, find
from sankofa.core.errors import Refused
from sankofa.web.deprecation_fields import fields

SINCE = date(2027, 2, 1)
ROUTE = Deprecated(
    kind="route", name="/v1/macro", since=SINCE, sunset=date(2028, 2, 1), successor="/v2/macro"
)


def entry(**changed):
    known = {"kind": "parameter", "name": "macro.country", "since": SINCE, "sunset": date(2027, 12, 1)}
    return Deprecated(**{**known, "successor": "/docs/changes#macro-country", **changed})


def test_what_is_declared_today_keeps_the_promise():
    check(DEPRECATED)


@pytest.mark.parametrize("days", [180, 365])
def test_enough_notice_is_taken(days):
    check([ROUTE, entry(sunset=SINCE + timedelta(days=days))])


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"successor": ""}, "names no successor"),
        ({"successor": "country_code"}, "not a link"),
        ({"successor": "//elsewhere.example/v2"}, "not a link"),
        ({"successor": "https://elsewhere.example/v2"}, "not a link"),
        ({"successor": '/v2>; rel="next"'}, "not a link"),
        ({"successor": "/v2\r\nSet-Cookie: a"}, "not a link"),
        ({"successor": "/v2\n"}, "not a link"),
        ({"sunset": SINCE + timedelta(days=179)}, "less than 180 days"),
        ({"sunset": SINCE}, "less than 180 days"),
        ({"sunset": SINCE - timedelta(days=1)}, "before its deprecation"),
    ],
)
def test_a_broken_promise_is_refused(changed, reason):
    with pytest.raises(Refused, match=rf"parameter macro\.country: .*{reason}"):
        check([ROUTE, entry(**changed)])


def test_every_fault_is_named():
    with pytest.raises(Refused) as refusal:
        check([ROUTE, ROUTE, entry(successor="", sunset=SINCE)])
    assert str(refusal.value) == (
        "route /v1/macro: is listed twice; parameter macro.country: names no successor; "
        "parameter macro.country: its sunset is less than 180 days after its deprecation"
    )


def test_finding_needs_both_kind_and_name():
    registry = (ROUTE, entry())
    assert find(registry, "route", "/v1/macro") is ROUTE
    assert find(registry, "tool", "/v1/macro") is None
    assert find(registry, "route", "/v1/tenders") is None


def test_fields_of_one_entry():
    assert fields([ROUTE]) == {
        "Deprecation": "@1801440000",
        "Sunset": "Tue, 01 Feb 2028 00:00:00 GMT",
        "Link": '</v2/macro>; rel="successor-version"',
    }


def test_of_several_entries_the_first_dates_count_and_each_successor_is_named_once():
    earlier = entry(since=SINCE - timedelta(days=1), sunset=date(2029, 1, 1), successor="/v2/macro")
    assert fields([ROUTE, earlier, entry()]) == {
        "Deprecation": "@1801353600",
        "Sunset": "Wed, 01 Dec 2027 00:00:00 GMT",
        "Link": (
            '</v2/macro>; rel="successor-version", </docs/changes#macro-country>; rel="successor-version"'
        ),
    }


def test_a_response_that_carries_nothing_deprecated_says_nothing():
    assert fields([]) == {}
