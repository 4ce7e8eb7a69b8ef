"""The ways to fetch: an index and its documents, deltas on a full copy, counted pages, what is new since."""

from __future__ import annotations

import hashlib
import json
from datetime import UTC, date, datetime, timedelta

import msgspec
import pytest

from sankofa.core.errors import StoreUnavailable
from sankofa.ingest.portals.fetch import documents
from sankofa.ingest.validators import Validators
from support.portal_server import Answer, Portal, at, here, package

AGENT = "sankofa/test (data@example.org)"
FRIDAY = date(2024, 3, 1)
HEADER = "Description: Daily Index\n\nCIK|Company Name|Form Type|Date Filed|File Name\n-----\n"


def urls(source, *days, **options):
    return [document.url for document in documents(source, *days, user_agent=AGENT, **options)]


def indexed(www, data, **changes):
    """Return the SEC's company facts: the index at one server, the documents at another."""
    source = at(data, "sec-companyfacts")
    index = msgspec.structs.replace(source.portal.index, address=here(www, source.portal.index.address))
    return at(data, "sec-companyfacts", **{"index": index} | changes)


def master(*lines):
    return Answer((HEADER + "".join(f"{line}\n" for line in lines)).encode("latin-1"))


def test_each_filer_of_the_daily_indexes_is_asked_for_once():
    days = {
        "20240229": master(
            "1000045|NICHOLAS FINANCIAL INC|8-K|20240229|edgar/data/1000045/1.txt",
            "320193|APPLE INC|10-Q|20240229|http://evil.test/steal",
            "99|A PERSON|4|20240229|edgar/data/99/2.txt",
            "7|A FUND|10-K405|20240229|edgar/data/7/3.txt",
        ),
        "20240301": master(
            "320193|APPLE INC|10-Q/A|20240301|edgar/data/320193/4.txt",
            "5|SOCIÉTÉ|20-F|2024-03-01|edgar/data/5/5.txt",
            "6|NO FACTS|6-K|20240301|edgar/data/6/6.txt",
        ),
    }

    def index(asked):
        return days.get(asked.path.split(".")[-2], Answer(status=403))

    def facts(asked):
        return Answer(status=404) if asked.path.endswith("CIK0000000006.json") else b"{}"

    with Portal(index) as www, Portal(facts) as data:
        found = urls(indexed(www, data), date(2024, 2, 29), date(2024, 3, 3))
        assert found == [
            f"{data.url}/api/xbrl/companyfacts/CIK{number:0>10}.json" for number in (1000045, 320193, 5)
        ]
        assert www.targets() == [
            f"/Archives/edgar/daily-index/2024/QTR1/master.{day}.idx"
            for day in ("20240229", "20240301", "20240302", "20240303")
        ]
        assert www.requests[0].headers["Accept"].startswith("text/plain")
        assert [target[-15:] for target in data.targets()] == [
            "0001000045.json", "0000320193.json", "0000000005.json", "0000000006.json",
        ]  # fmt: skip


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (Answer(b"<html>Down for maintenance</html>"), "no_index"),
        (master("../../x|APPLE INC|10-Q|20240301|edgar"), None),  # no such line is one of the index
        (master("0|APPLE INC|10-Q|20240301|edgar"), "id_unfit"),
        (Answer(b"", status=500), "status 500"),
        (Answer(b"", status=401), "status 401"),
    ],
)
def test_what_is_no_index_leads_to_no_document(answer, told):
    with Portal(lambda _: answer) as www, Portal(lambda _: b"{}") as data:
        source = indexed(www, data)
        if told:
            with pytest.raises(StoreUnavailable, match=told):
                urls(source, FRIDAY, FRIDAY)
        else:
            assert urls(source, FRIDAY, FRIDAY) == []
        assert data.requests == []


def test_a_status_that_means_no_index_does_not_mean_no_document():
    with (
        Portal(lambda _: master("320193|APPLE INC|10-Q|20240301|edgar")) as www,
        Portal(lambda _: Answer(status=403)) as data,
        pytest.raises(StoreUnavailable, match="status 403"),
    ):
        urls(indexed(www, data), FRIDAY, FRIDAY)


def test_too_many_days_without_an_index_are_a_failure():
    with Portal(lambda _: Answer(status=403)) as www, Portal(lambda _: b"{}") as data:
        source = indexed(www, data)
        assert urls(source, FRIDAY, FRIDAY + timedelta(days=6)) == []
        with pytest.raises(StoreUnavailable, match="no index for 8 days in a row"):
            urls(source, FRIDAY, FRIDAY + timedelta(days=9))


def test_documents_of_an_index_that_have_not_changed_are_not_sent_again():
    with (
        Portal(lambda _: master("1|A|10-Q|20240301|edgar", "2|B|10-Q|20240301|edgar")) as www,
        Portal(lambda asked: Answer(status=304) if "If-Modified-Since" in asked.headers else b"{}") as data,
    ):
        modified = Validators(last_modified="Mon, 01 Jan 2024 00:00:00 GMT")
        known = {f"{data.url}/api/xbrl/companyfacts/CIK0000000001.json": modified}
        unchanged = []
        found = urls(indexed(www, data), FRIDAY, FRIDAY, fetched=known.get, unchanged=unchanged.append)
        assert [url[-6:] for url in found] == ["2.json"]
        assert unchanged == list(known)
        assert data.requests[0].headers["If-Modified-Since"] == modified.last_modified
        assert "If-Modified-Since" not in www.requests[0].headers


@pytest.mark.parametrize(
    ("ago", "asked_for"),
    [
        (timedelta(hours=2), ["LastDay"]),
        (timedelta(days=1), ["LastWeek"]),
        (timedelta(days=6), ["LastWeek"]),
        (timedelta(days=7), ["LastMonth"]),
        (timedelta(days=28), [None]),
        (timedelta(days=-2), [None]),
        (None, [None]),
    ],
)
def test_the_smallest_delta_without_a_gap_is_fetched_or_else_the_full_copy(ago, asked_for):
    with Portal(lambda _: b"LEI") as portal:
        last_good = None if ago is None else datetime.now(UTC) - ago
        found = urls(at(portal, "gleif"), last_good=last_good)
        assert [asked.get("delta") for asked in portal.requests] == asked_for
        assert found == [portal.url + target for target in portal.targets()]


def test_where_there_is_no_delta_the_full_copy_is_fetched():
    with Portal(lambda asked: Answer(status=404) if asked.get("delta") else b"LEI") as portal:
        found = urls(at(portal, "gleif", nothing=(404,)), last_good=datetime.now(UTC))
        assert [asked.get("delta") for asked in portal.requests] == ["LastDay", None]
        assert found == [f"{portal.url}{portal.targets()[1]}"]


def test_a_delta_that_has_not_changed_is_all_there_is():
    with Portal(lambda _: Answer(status=304)) as portal:
        now, unchanged = datetime.now(UTC), []
        known = {"fetched": lambda _: Validators('"1"'), "unchanged": unchanged.append}
        assert urls(at(portal, "gleif"), last_good=now, **known) == []
        assert len(portal.requests) == 1
        assert unchanged == [portal.url + portal.targets()[0]]


def counted(portal, **changes):
    address = f"{portal.url}/v2/country/all/indicator/{{item}}?format=json&page={{page}}"
    more = {"address": address, "items": ("NY.GDP.MKTP.CD",), "answers": "json", "pages_at": "/0/pages"}
    return at(portal, "world-bank", **more | changes)


def bank(pages):
    return lambda asked: [{"page": int(asked["page"]), "pages": pages, "total": 9}, [{"value": None}]]


@pytest.mark.parametrize("pages", [1, 3])
def test_pages_are_counted_as_the_answers_say(pages):
    with Portal(bank(pages)) as portal:
        assert len(urls(counted(portal))) == pages
        assert [asked["page"] for asked in portal.requests] == [str(page + 1) for page in range(pages)]


def test_no_pages_are_no_documents():
    with Portal(lambda _: [{"page": 0, "pages": 0}, None]) as portal:
        assert urls(counted(portal)) == []
        assert len(portal.requests) == 1


def test_pages_that_appear_meanwhile_are_fetched_too():
    with Portal(lambda asked: bank(2 if asked["page"] == "1" else 3)(asked)) as portal:
        assert len(urls(counted(portal))) == 3


@pytest.mark.parametrize(
    "answer",
    [
        [{"message": [{"id": "120", "key": "Invalid value"}]}],
        [{"pages": "many"}],
        [{"pages": -1}],
        [{"pages": 1.5}],
        [{"pages": {"pages": 2}}],
        [{"pages": [2] * 1_000}],
        {"0": 2},
        [],
        "pages",
    ],
)
def test_an_answer_without_a_number_of_pages_is_one_document(answer):
    with Portal(lambda _: answer) as portal:
        assert len(urls(counted(portal))) == 1
        assert len(portal.requests) == 1


def test_the_number_is_found_by_its_pointer():
    answer = {"a/b": [[], {"~": {"pages": 2, "deep": 1}}], "pages": 9, "page": 0}
    with Portal(lambda asked: answer | {"page": asked["page"]}) as portal:
        assert len(urls(counted(portal, pages_at="/a~1b/1/~0/pages"))) == 2


def test_a_page_that_comes_again_ends_the_run():
    with Portal(lambda _: [{"pages": 10**9}, []]) as portal:
        with pytest.raises(StoreUnavailable, match="repeats the page before"):
            urls(counted(portal))
        assert len(portal.requests) == 2


def first_days(source, *days, **options):
    with Portal(lambda _: package([])) as portal:
        urls(at(portal, source, **options.pop("changes", {})), *days, **options)
        return [asked["dateFrom"] for asked in portal.requests]


def test_a_run_begins_some_days_before_the_last_complete_one():
    today = datetime.now(UTC)
    last_good = today - timedelta(days=2)
    assert first_days("za-etenders", last_good=last_good) == [
        str(last_good.date() - timedelta(days=7)),
        str(last_good.date()),
    ]
    assert first_days("za-etenders", changes={"again_days": 0}, last_good=last_good) == [
        str(last_good.date())
    ]
    assert first_days("za-etenders", changes={"again_days": 0}, last_good=today + timedelta(days=3)) == [
        str(today.date())
    ]
    assert first_days("za-etenders", today.date(), last_good=last_good) == [str(today.date())]


def test_no_run_begins_before_the_earliest_day():
    today = datetime.now(UTC)
    changes = {"earliest": today.date() - timedelta(days=1)}
    assert first_days("za-etenders", changes=changes, last_good=today) == [str(changes["earliest"])]
    assert first_days("za-etenders", changes=changes) == [str(changes["earliest"])]


def test_a_portal_without_an_earliest_day_is_asked_since_the_last_run():
    now = datetime.now(UTC)
    with Portal(lambda _: package([])) as portal:
        assert urls(at(portal, "tz-nest"), last_good=now) == []
        assert portal.requests[0]["since"] == f"{now.date() - timedelta(days=7)}T00:00:00Z"


def test_quarters_that_are_not_out_yet_are_nothing():
    with Portal(lambda asked: b"zip" if "2024q1" in asked.path else Answer(status=404)) as portal:
        assert len(urls(at(portal, "sec-fsds"), date(2023, 12, 31), date(2024, 4, 1))) == 1
        assert [target[-10:] for target in portal.targets()] == ["2023q4.zip", "2024q1.zip", "2024q2.zip"]


@pytest.mark.parametrize("algorithm", ["sha256", "md5"])
@pytest.mark.parametrize("line", ["{}", "{}  rates.zip\n", "{}\n"])
def test_a_document_that_is_not_its_checksum_is_fetched_again(algorithm, line):
    body = b"the right bytes"
    stated = line.format(hashlib.new(algorithm, body).hexdigest().upper()).encode()
    sent = iter([b"the wrong bytes", body])

    with Portal(lambda asked: stated if asked.path == "/sum" else next(sent)) as portal:
        source = at(portal, "ecb", checksum=f"{portal.url}/sum")
        found = [document.content.read_bytes() for document in documents(source, user_agent=AGENT)]
        assert found == [body]
        assert [asked.path == "/sum" for asked in portal.requests] == [False, True, False, True]


@pytest.mark.parametrize(
    "stated", [b"", b"none", b"0" * 63, json.dumps({"a": 1}).encode(), Answer(status=404)]
)
def test_without_a_readable_checksum_there_is_no_document(stated):
    with Portal(lambda asked: stated if asked.path == "/sum" else b"bytes") as portal:
        source = at(portal, "ecb", checksum=f"{portal.url}/sum", attempts=2, nothing=(404,))
        with pytest.raises(StoreUnavailable, match="no checksum at"):
            urls(source)


class Noted:
    """Turns that note who asked for them, and give none for a while if told so."""

    def __init__(self, wait=0.0):
        self.wait, self.taken, self.rested = wait, [], []

    def take(self, host, pause):
        self.taken.append((host, pause))
        return self.wait

    def rest(self, host, seconds):
        self.rested.append((host, seconds))


def test_every_request_takes_its_turn_redirects_included():
    def hop(asked):
        return b"file" if asked.path == "/hop" else Answer(status=302, headers={"Location": "/hop"})

    turns = Noted()
    with Portal(hop) as portal:
        urls(at(portal, "ecb", pause_seconds=0.05), turns=turns)
        assert len(portal.requests) == 2
        assert portal.requests[1].began - portal.requests[0].began >= 0.05
    assert turns.taken == [("127.0.0.1", 0.05)] * 2


def test_others_are_told_that_a_host_wants_rest():
    answers = iter([Answer(status=503, headers={"Retry-After": "1"}), Answer(status=503), b"file"])
    turns = Noted()
    with Portal(lambda _: next(answers)) as portal:
        assert len(urls(at(portal, "ecb"), turns=turns)) == 1
    assert turns.rested == [("127.0.0.1", 1.0)]


def test_a_host_without_a_turn_for_long_is_not_asked():
    with Portal(lambda _: b"file") as portal:
        with pytest.raises(StoreUnavailable, match="asks to come back in 86,400 s"):
            urls(at(portal, "ecb"), turns=Noted(86_400))
        assert portal.requests == []


def test_a_form_is_sent_for_each_item_and_its_answers_are_the_documents():
    def table(asked):
        return f'{{"table": {asked["table_id"]}}}'.encode()

    with Portal(table) as www:
        source = at(www, "cbk-fx", pause_seconds=0)
        for _ in range(2):  # unlike a file, an answer to a form has no version: it is asked for again
            assert [one.content.read_bytes() for one in documents(source, user_agent=AGENT)] == [
                b'{"table": 32}',
                b'{"table": 193}',
            ]
        assert [(each.method, each.body) for each in www.requests] == [
            ("POST", b"draw=1&start=0&length=-1")
        ] * 4
        assert www.requests[0].headers["Content-Type"] == "application/x-www-form-urlencoded"
