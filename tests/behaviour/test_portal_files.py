"""Sources that publish files: downloads that go on, files that have not changed, lists of items."""

from __future__ import annotations

import hashlib
import io
import re
import zipfile
from datetime import UTC, date, datetime, timedelta
from email.utils import format_datetime

import pytest

from sankofa.core.errors import StoreUnavailable
from sankofa.ingest.portals.fetch import documents
from sankofa.surfaces.commands import portals
from support.portal_server import Answer, Portal, at
from support.stated_macro import rates

AGENT = "sankofa/test (data@example.org)"
DAY = date(2024, 3, 1)
OLD, NEW = b"the first version " * 400, b"another version altogether " * 300


def fetched(portal, **changes):
    """Return the one file of a source that is no OCDS."""
    source = at(portal, "ecb", **changes)
    return [document.content.read_bytes() for document in documents(source, user_agent=AGENT)]


class Files:
    """A server that keeps to ranges and validators, and breaks off after some bytes."""

    def __init__(self, *bodies, cut=1_000, tag='"{}"', breaks=3):
        self.bodies, self.cut, self.tag, self.breaks = bodies, cut, tag, breaks
        self.asked, self.sent = 0, 0

    def __call__(self, asked):
        body = self.bodies[min(self.asked, len(self.bodies) - 1)]
        self.asked += 1
        tag = self.tag.format(hashlib.sha256(body).hexdigest()[:8])
        start, status, headers = 0, 200, {"ETag": tag} if tag else {}
        wanted = re.fullmatch(r"bytes=(\d+)-", asked.headers.get("Range", ""))
        if wanted and asked.headers["If-Range"] == tag:
            start, status = int(wanted[1]), 206
            headers["Content-Range"] = f"bytes {start}-{len(body) - 1}/{len(body)}"
        rest = body[start:]
        part = rest[: self.cut] if self.asked <= self.breaks else rest
        self.sent += len(part)
        return Answer(part, status, headers | {"Content-Length": str(len(rest))}, sized=False)


def test_a_download_that_breaks_off_goes_on_where_it_ended():
    files = Files(OLD)
    with Portal(files) as portal:
        assert fetched(portal) == [OLD]
    assert [asked.headers.get("Range") for asked in portal.requests] == [
        None,
        "bytes=1000-",
        "bytes=2000-",
        "bytes=3000-",
    ]
    assert files.sent == len(OLD), "no byte is sent twice"


def test_another_version_is_asked_for_from_the_start():
    with Portal(Files(OLD, NEW, breaks=1)) as portal:
        assert fetched(portal) == [NEW]
    assert len(portal.requests) == 2


@pytest.mark.parametrize("tag", ["", 'W/"{}"'])
def test_without_the_name_of_a_version_all_of_it_is_asked_for_again(tag):
    with Portal(Files(OLD, tag=tag, breaks=2)) as portal:
        assert fetched(portal) == [OLD]
    assert [asked.headers.get("Range") for asked in portal.requests] == [None, None, None]


@pytest.mark.parametrize(
    "wrong",
    [
        Answer(OLD[500:], 206, {"ETag": '"1"', "Content-Range": f"bytes 500-{len(OLD) - 1}/{len(OLD)}"}),
        Answer(NEW[1_000:], 206, {"ETag": '"2"', "Content-Range": f"bytes 1000-{len(NEW) - 1}/{len(NEW)}"}),
        Answer(OLD[1_000:], 206, {"ETag": '"1"'}),
        Answer(b"", 416),
    ],
)
def test_a_part_of_something_else_is_never_joined(wrong):
    cut = Answer(OLD[:1_000], 200, {"ETag": '"1"', "Content-Length": str(len(OLD))}, sized=False)
    answers = iter([cut, wrong, Answer(OLD, 200, {"ETag": '"1"'})])
    with Portal(lambda _: next(answers)) as portal:
        assert fetched(portal) == [OLD]
    assert [asked.headers.get("Range") for asked in portal.requests] == [None, "bytes=1000-", None]


def test_parts_of_files_of_different_length_are_never_joined():
    old, new = b"a" * 1000, b"b" * 1600
    modified = {"Last-Modified": "Mon, 01 Jan 2024 00:00:00 GMT"}
    answers = iter(
        [
            Answer(old[:500], 200, modified | {"Content-Length": "1000"}, sized=False),
            Answer(new[500:], 206, modified | {"Content-Range": "bytes 500-1599/1600"}),
            Answer(new, 200, modified),
        ]
    )
    with Portal(lambda _: next(answers)) as portal:
        assert fetched(portal) == [new]


@pytest.mark.parametrize(
    ("age", "asked_for"), [(0, None), (59, None), (60, "bytes=1000-"), (-60, None), (None, None)]
)
def test_a_date_names_a_version_only_if_it_is_a_minute_old(age, asked_for):
    """Two versions of one second have the same date (RFC 9110, 8.8.2.2)."""
    now = datetime.now(UTC).replace(microsecond=0)
    modified = now - timedelta(seconds=age) if age is not None else "never"
    dates = {
        "Last-Modified": format_datetime(modified, usegmt=True) if age is not None else "never",
        "Date": format_datetime(now, usegmt=True),
    }

    def answer(asked):
        if len(portal.requests) == 1:
            return Answer(OLD[:1_000], 200, dates | {"Content-Length": str(len(OLD))}, sized=False)
        if "Range" in asked.headers:
            part = {"Content-Range": f"bytes 1000-{len(OLD) - 1}/{len(OLD)}"}
            return Answer(OLD[1_000:], 206, dates | part)
        return Answer(OLD, 200, dates)

    with Portal(answer) as portal:
        assert fetched(portal) == [OLD]
    assert portal.requests[1].headers.get("Range") == asked_for


def test_a_part_that_is_shorter_than_the_rest_is_not_the_end():
    size = len(OLD)

    def answer(asked):
        wanted = re.fullmatch(r"bytes=(\d+)-", asked.headers.get("Range", ""))
        if wanted is None:
            return Answer(OLD[:1_000], 200, {"ETag": '"1"', "Content-Length": str(size)}, sized=False)
        start = int(wanted[1])
        end = min(start + 3_000, size)
        return Answer(
            OLD[start:end], 206, {"ETag": '"1"', "Content-Range": f"bytes {start}-{end - 1}/{size}"}
        )

    with Portal(answer) as portal:
        assert fetched(portal) == [OLD]
    assert len(portal.requests) == 4


def test_no_file_grows_beyond_the_largest_by_parts():
    files = Files(OLD, breaks=100)
    with Portal(files) as portal, pytest.raises(Exception, match="more than 2,500 bytes"):
        fetched(portal, largest_bytes=2_500)
    assert len(portal.requests) == 3


def test_a_file_that_has_not_changed_is_not_sent_again(service, capsys):
    one, other = (rates({"2024-02-28": {"ZAR": rate}}) for rate in ("20.8", "20.9"))
    january, april = (f"Mon, 01 {month} 2024 00:00:00 GMT" for month in ("Jan", "Apr"))
    unreadable = b"<html>"
    # What there is, the validators that it is asked for with, and what becomes of it.
    visits = [
        (one, '"1"', january, (None, None), "1 accepted"),
        (one, '"1"', january, ('"1"', january), "none"),
        (one, '"2"', april, ('"1"', january), "1 seen"),
        (one, '"2"', april, ('"2"', april), "none"),
        (other, "", april, ('"2"', april), "1 accepted"),
        (unreadable, '"3"', april, (None, april), "1 refused"),
        (unreadable, '"3"', april, (None, april), "1 refused"),
        (one, '"1"', january, (None, april), "1 seen"),
        (one, '"1"', january, ('"1"', january), "none"),
    ]
    settings = service.settings.model_copy(update={"contact": "data@example.org"})
    left = iter(visits)

    def answer(asked):
        body, tag, modified, *_ = next(left)
        if tag and asked.headers.get("If-None-Match") == tag:
            return Answer(status=304)
        return Answer(body, headers={"Last-Modified": modified} | ({"ETag": tag} if tag else {}))

    with Portal(answer) as portal:
        for *_, sent, told in visits:
            portals.gather(settings, at(portal, "ecb"), None, None)
            asked = portal.requests[-1].headers
            assert (asked.get("If-None-Match"), asked.get("If-Modified-Since")) == sent
            assert capsys.readouterr().out.splitlines()[-1].startswith(f"documents: {told};")
    assert service.rows("SELECT count(*) FROM ops.file_version") == [(4,)]


def test_the_command_takes_shared_turns_and_goes_on_with_its_spool(service, tmp_path):
    table = rates({"2024-02-28": {"ZAR": "20.8"}})
    settings = service.settings.model_copy(update={"contact": "data@example.org", "spool": str(tmp_path)})
    with Portal(Files(table, cut=10, breaks=1)) as portal:
        with pytest.raises(StoreUnavailable, match="IncompleteRead"):
            portals.gather(settings, at(portal, "ecb", attempts=1), None, None)
        portals.gather(settings, at(portal, "ecb", attempts=1), None, None)
    assert [asked.headers.get("Range") for asked in portal.requests] == [None, "bytes=10-"]
    assert service.rows("SELECT host FROM ops.host_turn") == [("127.0.0.1",)]


def test_items_are_asked_for_one_by_one():
    def archive(asked):
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as file:
            file.writestr("a.csv", asked.path)
        return packed.getvalue()

    with Portal(archive) as portal:
        source = at(portal, "world-bank")
        found = [document.url for document in documents(source, user_agent=AGENT)]
    assert found == [
        f"{portal.url}/v2/en/indicator/{item}?downloadformat=csv" for item in source.portal.items
    ]
    assert len(found) > 1
