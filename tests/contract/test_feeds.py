"""OPS-10: a run is published as a whole if it brought what is expected, and is held otherwise."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import msgspec
import pytest

from sankofa.core.errors import Refused, ServiceError
from sankofa.feeds.running import Means, give_up, run
from sankofa.feeds.states import Feed, due, feeds, pause
from sankofa.ingest.due import Due
from sankofa.ingest.expects import Expects
from sankofa.ingest.source import Source
from support.command import sankofa
from support.portal_server import Answer, Portal, package, release
from support.restoring import run as operate
from support.waiting import until

pytestmark = pytest.mark.proves("OPS-10")
NAME = "zz-portal"


class Tenders:
    """A portal of numbered pages; a test says what they hold, and after how many it fails."""

    def __init__(self, *pages):
        self.pages, self.fails_after = list(pages), None

    def __call__(self, asked):
        number = int(asked["page"])
        if self.fails_after is not None and number > self.fails_after:
            return Answer(status=403)
        page = self.pages[number - 1] if number <= len(self.pages) else []
        return page if isinstance(page, bytes) else package(page)


def releases(first, count):
    return [release(first + number) for number in range(count)]


@pytest.fixture
def offered():
    return Tenders(releases(0, 3), releases(10, 3))


@pytest.fixture
def portal(offered):
    with Portal(offered) as running:
        yield running


def feed(portal, path="?page={page}", every="0 6 * * *", **expects):
    """Return a source that is asked for numbered pages, or for a file."""
    fields = {
        "name": NAME,
        "publisher": "A portal",
        "license_class": "operator",
        "parser": "ocds",
        "country": "ZA",
        "portal": {"address": f"{portal.url}/{path}", "pause_seconds": 0, "retry_seconds": 0.01},
        "due": {"at": every},
        "expects": expects,
    }
    return msgspec.convert(fields, Source)


def means(service):
    return Means(objects=service.objects, user_agent="sankofa/test (data@example.org)")


@pytest.fixture
def ran(service):
    def once(source):
        with service.connect("ingest") as connection:
            return run(connection, means(service), source)

    return once


def served(service):
    """Return the tenders of the current edition, after a publish of what is free."""
    service.has_lenient_reviewer = False
    service.publish()
    rows = service.rows(
        "SELECT ocid FROM serving.tender_release WHERE superseded_in > serving.current_edition()"
    )
    return [ocid for (ocid,) in rows]


def waiting(service):
    return service.rows("SELECT count(*) FROM ops.run_waiting")[0][0]


def test_a_good_run_is_published(service, portal, ran):
    ended = ran(feed(portal, documents=[2, 2], rows=[6, 6], keys=[6, 6]))
    assert (ended.outcome, ended.reasons) == ("good", ())
    assert (ended.brought.documents, ended.brought.new_documents, ended.brought.rows) == (2, 2, 6)
    assert len(served(service)) == 6
    assert len(service.get("/v1/tenders", country="ZA", limit=50).exact["data"]) == 6


@pytest.mark.parametrize(
    ("expects", "reason"),
    [
        ({"documents": [3, 9]}, "documents: 2 (expected: 3 to 9)"),
        ({"documents": [0, 1]}, "documents: 2 (expected: 0 to 1)"),
        ({"rows": [7, 99]}, "rows: 6 (expected: 7 to 99)"),
        ({"keys": [0, 5]}, "keys: 6 (expected: 0 to 5)"),
        ({"newest_days": 30}, "newest period: 2024-03-01 (expected: "),
    ],
)
def test_a_run_that_falls_short_is_kept_and_held_with_the_reason(service, portal, ran, expects, reason):
    ended = ran(feed(portal, **expects))
    assert ended.outcome == "held"
    (said,) = ended.reasons
    assert said.startswith(reason)
    assert served(service) == []
    assert service.rows("SELECT count(*) FROM ledger.release") == [(6,)], "it is kept"
    listed = sankofa(service, "held")
    assert f"run {ended.run} of {NAME} (AF-TENDER)" in listed
    assert reason in listed


def test_an_operator_releases_a_held_run(service, portal, ran):
    ran(feed(portal, documents=[3, 9]))
    assert served(service) == []
    sankofa(service, "held", "release", "1", "--because", "the portal is small this week")
    assert len(served(service)) == 6


def test_a_later_good_run_frees_what_it_offers_again_and_no_more(service, offered, portal, ran):
    source = feed(portal, documents=[2, 2])
    torn = releases(20, 2)
    offered.pages = [releases(0, 3), releases(10, 3), torn]
    assert ran(source).outcome == "held"
    offered.pages.pop()
    ended = ran(source)
    assert (ended.outcome, ended.brought.new_documents) == ("good", 0)
    assert len(served(service)) == 6, "the third page was never offered by a good run"
    assert waiting(service) == 1


def test_fewer_rows_than_in_the_good_run_before(offered, portal, ran):
    source = feed(portal, fewer_percent=20)
    assert ran(source).outcome == "good"
    offered.pages.pop()
    ended = ran(source)
    assert (ended.outcome, ended.reasons) == (
        "held",
        ("rows: 3, in the good run before: 6 (at most 20% fewer)",),
    )


def test_a_page_of_html_holds_the_run_and_is_named(service, offered, portal, ran):
    offered.pages = [releases(0, 3), b"<!doctype html><title>Sorry</title>"]
    ended = ran(feed(portal))
    assert ended.outcome == "held"
    assert ended.reasons[0] == "unreadable documents: 1 (at most 0)"
    assert ended.reasons[1].startswith("unreadable: ")
    assert served(service) == []


def test_half_a_crawl_is_never_published_and_the_next_run_goes_on(service, offered, portal, ran):
    source = feed(portal)
    offered.fails_after = 1
    with pytest.raises(ServiceError, match="status 403"):
        ran(source)
    assert served(service) == []
    offered.fails_after = None
    ended = ran(source)
    assert ended.outcome == "good"
    assert ended.brought.documents == 2
    assert service.rows("SELECT count(*) FROM ops.run") == [(1,)], "it is the same run"
    assert len(served(service)) == 6


def test_a_run_that_is_given_up_waits_for_a_good_one(service, offered, portal, ran):
    source = feed(portal)
    offered.fails_after = 1
    with pytest.raises(ServiceError):
        ran(source)
    with service.connect("ingest") as connection:
        assert give_up(connection, source, "no attempt is left").outcome == "failed"
    assert served(service) == []
    offered.fails_after = None
    assert ran(source).outcome == "good"
    assert len(served(service)) == 6


def test_a_document_that_is_loaded_by_hand_meanwhile_belongs_to_the_run(
    service, offered, portal, ran, tmp_path
):
    source = feed(portal)
    offered.fails_after = 1
    with pytest.raises(ServiceError):
        ran(source)
    folder = tmp_path / "sources"
    folder.mkdir()
    (folder / f"{NAME}.toml").write_text(
        'publisher = "A portal"\nlicense_class = "operator"\nparser = "ocds"\ncountry = "ZA"\n'
    )
    file = tmp_path / "page.json"
    file.write_bytes(msgspec.json.encode(package(releases(30, 1))))
    loaded = operate(service, "ingest", NAME, str(file), SANKOFA_SOURCES=str(folder))
    assert "1 accepted" in loaded.output, loaded.output
    assert served(service) == []
    offered.fails_after = None
    assert ran(source).outcome == "good"
    assert len(served(service)) == 7


def test_a_source_has_one_run_at_a_time(service, portal):
    source = feed(portal)
    with service.connect("ingest") as one, service.connect("ingest") as other:

        def tell(_document, _batch):
            with pytest.raises(Refused, match="a run of zz-portal is under way"):
                run(other, means(service), source)

        assert run(one, means(service), source, tell).outcome == "good"


def test_an_unchanged_file_counts_as_offered(ran):
    body = msgspec.json.encode(package(releases(0, 4)))

    def file(asked):
        if asked.headers.get("If-None-Match") == '"1"':
            return Answer(status=304)
        return Answer(body, headers={"ETag": '"1"'})

    with Portal(file) as portal:
        source = feed(portal, path="all.json", documents=[1, 1], rows=[4, 4])
        assert ran(source).outcome == "good"
        again = ran(source)
    assert again.outcome == "good", again.reasons
    assert (again.brought.documents, again.brought.new_documents, again.brought.rows) == (1, 0, 4)


def test_a_file_that_is_gone_does_not_count_as_offered(ran):
    body, is_there = msgspec.json.encode(package(releases(0, 4))), [True]

    def file(_):
        return Answer(body, headers={"ETag": '"1"'}) if is_there[0] else Answer(status=404)

    with Portal(file) as portal:
        source = feed(portal, path="all.json", documents=[1, 1])
        source = msgspec.convert(
            msgspec.to_builtins(source) | {"portal": msgspec.to_builtins(source.portal) | {"nothing": [404]}},
            Source,
        )
        assert ran(source).outcome == "good"
        is_there[0] = False
        gone = ran(source)
    assert (gone.outcome, gone.brought.documents) == ("held", 0)


def test_a_version_that_comes_back_is_the_one_that_is_unchanged(ran):
    few, many = (msgspec.json.encode(package(releases(0, count))) for count in (2, 4))
    offered = [('"1"', few)]

    def file(asked):
        tag, body = offered[0]
        if asked.headers.get("If-None-Match") == tag:
            return Answer(status=304)
        return Answer(body, headers={"ETag": tag})

    with Portal(file) as portal:
        source = feed(portal, path="all.json")
        rows = []
        for tag, body in [('"1"', few), ('"2"', many), ('"1"', few), ('"1"', few)]:
            offered[0] = (tag, body)
            rows.append(ran(source).brought.rows)
    assert rows == [2, 4, 2, 2]


def test_a_run_that_meets_two_versions_of_a_file_counts_the_newest(service, ran):
    """Otherwise the next run, which meets one version, would bring fewer rows and be held for good."""
    versions = iter([releases(0, 4), releases(0, 5), releases(0, 5)])
    with Portal(lambda _asked: package(next(versions))) as portal:
        source = feed(portal, path="all.json", fewer_percent=0, documents=[1, 1])

        def killed(_document, _batch):
            raise KeyboardInterrupt

        with service.connect("ingest") as connection, pytest.raises(KeyboardInterrupt):
            run(connection, means(service), source, killed)
        ended = ran(source)
        assert (ended.outcome, ended.brought.documents, ended.brought.rows) == ("good", 1, 5)
        assert ran(source).outcome == "good"


def test_a_file_that_was_held_is_sent_again_whole(ran):
    """What was held may be half a file. That it has not changed since would say nothing."""
    whole = msgspec.json.encode(package(releases(0, 4)))
    bodies = [msgspec.json.encode(package(releases(0, 1)))]

    def file(asked):
        if "If-None-Match" in asked.headers:
            return Answer(status=304)
        return Answer(bodies.pop() if bodies else whole, headers={"ETag": '"1"'})

    with Portal(file) as portal:
        source = feed(portal, path="all.json", rows=[4, 4])
        assert ran(source).outcome == "held"
        ended = ran(source)
        assert (ended.outcome, ended.brought.rows) == ("good", 4)
        assert ran(source).outcome == "good"
        assert portal.requests[-1].headers["If-None-Match"] == '"1"'


def test_a_feed_is_due_when_its_moment_has_come_and_not_while_it_is_paused(service, portal, ran):
    source = feed(portal)
    with service.connect("ingest") as connection:
        assert [one.source.name for one in due(feeds(connection, [source]))] == [NAME], "never asked"
        ran(source)
        assert due(feeds(connection, [source])) == []
        often = feed(portal, every="* * * * * *")
        until(lambda: [one.source.name for one in due(feeds(connection, [often]))] == [NAME])
        pause(connection, often, "the portal moves", is_paused=True)
        assert due(feeds(connection, [often])) == []
        (shown,) = feeds(connection, [often])
        assert (shown.state(datetime.now(UTC)), shown.paused_because) == ("paused", "the portal moves")
        pause(connection, often, "it is back", is_paused=False)
        assert [one.source.name for one in due(feeds(connection, [often]))] == [NAME]


def test_a_feed_is_late_when_two_moments_passed_without_a_good_run():
    source = Source(
        name="x",
        publisher="",
        license_class="operator",
        parser="ocds",
        due=Due(at="0 6 * * *"),
        expects=Expects(),
    )
    good = datetime(2026, 3, 2, 6, 1, tzinfo=UTC)
    shown = Feed(source=source, began_at=good, outcome="good", good_at=good, known_at=good)
    assert shown.state(good + timedelta(hours=47)) == "good"
    assert shown.state(good + timedelta(hours=48)) == "late"
