"""What portals do wrong on the wire: none of it is taken for a document, and none of it goes on for ever."""

from __future__ import annotations

import gzip
import hashlib
import itertools
import json
import socket
import tempfile
import threading
import time
from datetime import date
from pathlib import Path

import pytest

from sankofa.core.errors import Refused, StoreUnavailable
from sankofa.ingest.portals.fetch import documents
from sankofa.ingest.run import ingest
from support.portal_server import Answer, Portal, at, package, release

AGENT = "sankofa/test (data@example.org)"
DAY = date(2024, 3, 1)
BODY = json.dumps(package([release(number) for number in range(40)])).encode()


def fetched(portal, **changes):
    """Return the documents of a portal that has one page for each fiscal year."""
    source = at(portal, "ke-ppip", **changes)
    return [document.content.read_bytes() for document in documents(source, DAY, DAY, user_agent=AGENT)]


def ingested(service, portal):
    """Return what became of the portal's one document."""
    with service.connect("ingest") as connection:
        (batch,) = [
            ingest(connection, service.objects, document)
            for document in documents(at(portal, "ke-ppip"), DAY, DAY, user_agent=AGENT)
        ]
    return batch


def turns(*answers):
    left = iter(answers)
    return lambda _: next(left)


def chunked(*pieces, is_complete=True):
    written = [b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces]
    return Answer(
        [*written, *([b"0\r\n\r\n"] if is_complete else [])], headers={"Transfer-Encoding": "chunked"}
    )


def drip(piece, seconds=0.05):
    while True:
        yield piece
        threading.Event().wait(seconds)  # a slow portal, not a wait of the test


@pytest.mark.parametrize("status", [429, 500, 502, 503, 504])
def test_faults_that_pass_are_tried_again(status):
    with Portal(turns(Answer(status=status), Answer(status=status), BODY)) as portal:
        assert fetched(portal) == [BODY]
        assert len(portal.requests) == 3


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410, 206, 204, 304])
def test_other_statuses_are_not(status):
    with Portal(lambda _: Answer(BODY, status=status)) as portal:
        with pytest.raises(StoreUnavailable):
            fetched(portal)
        assert len(portal.requests) == 1


def test_retries_are_bounded_and_each_waits_longer():
    with Portal(lambda _: Answer(status=503)) as portal:
        with pytest.raises(StoreUnavailable, match="status 503"):
            fetched(portal, attempts=4, retry_seconds=0.1)
        gaps = [later.began - earlier.began for earlier, later in itertools.pairwise(portal.requests)]
    assert len(gaps) == 3
    assert all(gap >= least for gap, least in zip(gaps, [0.1, 0.2, 0.4], strict=True))


def test_retry_after_is_kept():
    with Portal(turns(Answer(status=429, headers={"Retry-After": "1"}), BODY)) as portal:
        assert fetched(portal) == [BODY]
        assert portal.requests[1].began - portal.requests[0].began >= 1


@pytest.mark.parametrize("after", ["86400", "Fri, 01 Jan 2100 00:00:00 GMT"])
def test_who_asks_for_a_long_wait_gets_it(after):
    with Portal(lambda _: Answer(status=503, headers={"Retry-After": after})) as portal:
        with pytest.raises(StoreUnavailable, match="asks to come back in"):
            fetched(portal)
        assert len(portal.requests) == 1


@pytest.mark.parametrize("after", ["soon", "-5", "", "1e9", "²", "Fri, 99 Jan 2100"])
def test_a_retry_after_that_says_nothing_is_none(after):
    with Portal(turns(Answer(status=503, headers={"Retry-After": after}), BODY)) as portal:
        assert fetched(portal) == [BODY]


@pytest.mark.parametrize(
    "cut",
    [
        Answer(BODY[:500], headers={"Content-Length": str(len(BODY))}, sized=False),
        chunked(BODY[:500], is_complete=False),
        Answer([b"ffff\r\n", BODY[:500]], headers={"Transfer-Encoding": "chunked"}),
        Answer([b"this is no chunk"], headers={"Transfer-Encoding": "chunked"}),
        Answer(b"", headers={"Content-Length": str(len(BODY))}, sized=False),
    ],
)
def test_a_body_that_breaks_off_is_asked_for_again(cut):
    with Portal(turns(cut, BODY)) as portal:
        assert fetched(portal) == [BODY]
        assert len(portal.requests) == 2


def test_a_body_in_chunks_is_whole():
    with Portal(lambda _: chunked(BODY[:7], BODY[7:])) as portal:
        assert fetched(portal) == [BODY]


def test_a_body_that_breaks_off_unnoticed_is_refused_as_a_document(service):
    with Portal(lambda _: Answer(BODY[:500], sized=False)) as portal:
        batch = ingested(service, portal)
    assert (batch.outcome, batch.rejected) == ("refused", {"malformed_json": 1})


def test_a_server_that_keeps_the_connection_open_is_waited_for_only_a_moment():
    def open_end():
        yield BODY
        threading.Event().wait(3)  # it does not close, although it was asked to

    with Portal(lambda _: Answer(open_end(), headers={"Content-Length": str(len(BODY))})) as portal:
        began = time.monotonic()
        assert fetched(portal) == [BODY]
        assert time.monotonic() - began < 2.5


TABLE = b"Date,USD\n2024-03-01,1.08\n2024-02-29,1.09\n"


@pytest.mark.parametrize("sent", [TABLE, TABLE[:-19], TABLE[:-21]])
def test_a_table_of_unknown_length_is_asked_for_again(sent):
    with Portal(turns(Answer(sent, sized=False), TABLE)) as portal:
        assert fetched(portal) == [TABLE]
        assert len(portal.requests) == 2
    with (
        Portal(lambda _: Answer(sent, sized=False)) as portal,
        pytest.raises(StoreUnavailable, match="nothing shows that it is whole"),
    ):
        fetched(portal)
    with Portal(lambda _: chunked(TABLE)) as portal:
        assert fetched(portal) == [TABLE]


def test_a_table_of_unknown_length_is_whole_if_its_checksum_says_so():
    stated = hashlib.sha256(TABLE).hexdigest().encode()

    def answer(asked):
        return stated if asked.path == "/sum" else Answer(TABLE, sized=False)

    with Portal(answer) as portal:
        assert fetched(portal, checksum=f"{portal.url}/sum") == [TABLE]
    with (
        Portal(lambda asked: Answer(stated, sized=False) if asked.path == "/sum" else TABLE) as portal,
        pytest.raises(StoreUnavailable, match="nothing shows that it is whole"),
    ):
        fetched(portal, checksum=f"{portal.url}/sum")


@pytest.mark.parametrize("headers", [{}, {"Content-Length": "10"}, {"Content-Length": str(1 << 40)}])
def test_an_endless_body_is_cut_at_the_largest_document(headers):
    sent = itertools.count()

    def endless():
        while next(sent) < 4_000:
            yield b" " * 65_536

    with Portal(lambda _: Answer(endless(), headers=headers)) as portal:
        told = "more than 1,048,576 bytes" if headers.get("Content-Length") != "10" else "more bytes than"
        with pytest.raises(StoreUnavailable, match=told):
            fetched(portal, largest_bytes=1 << 20, attempts=1)
        assert len(portal.requests) == 1
    assert next(sent) < 1_000  # the server was hung up on, long before its 256 MB


def test_a_bomb_by_content_encoding_stays_packed_and_is_refused(service):
    bomb = gzip.compress(b'{"releases": [' + b" " * (200 << 20) + b"]}")
    assert len(bomb) < 1 << 20
    with Portal(lambda _: Answer(bomb, headers={"Content-Encoding": "gzip"})) as portal:
        batch = ingested(service, portal)
    assert (batch.outcome, batch.rejected) == ("refused", {"archive_packed_too_densely": 1})
    assert service.rows("SELECT bytes FROM ops.document") == [(len(bomb),)]


def test_an_answer_that_came_packed_all_the_same_is_read(service):
    packed = gzip.compress(BODY)
    with Portal(lambda _: Answer(packed, headers={"Content-Encoding": "gzip"})) as portal:
        batch = ingested(service, portal)
    assert (batch.outcome, batch.facts_appended) == ("accepted", 40)


@pytest.mark.parametrize(
    "slow",
    [
        Answer(drip(b" ")),  # ends where we hang up, which must not look like its end
        Answer(itertools.chain([BODY], drip(b" "))),
        Answer(drip(b" "), headers={"Content-Length": "1000"}),
        Answer(drip(b"1\r\n \r\n"), headers={"Transfer-Encoding": "chunked"}),
    ],
)
def test_a_drip_ends_at_the_deadline_of_the_document(slow):
    with Portal(lambda _: slow) as portal:
        began = time.monotonic()
        with pytest.raises(StoreUnavailable, match="too slow"):
            fetched(portal, attempts=1, document_seconds=0.4)
        assert 0.4 <= time.monotonic() - began < 10


def test_a_deadline_that_passes_while_connecting_is_kept():
    with Portal(lambda _: Answer(drip(b" "))) as portal, pytest.raises(StoreUnavailable, match="too slow"):
        fetched(portal, attempts=1, document_seconds=0)


def test_a_portal_that_says_nothing_is_left_after_the_deadline_of_a_read():
    with socket.create_server(("127.0.0.1", 0)) as silent, Portal(lambda _: BODY) as portal:
        portal.url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        began = time.monotonic()
        with pytest.raises(StoreUnavailable, match="timed out"):
            fetched(portal, attempts=1, read_seconds=0.3)
        assert 0.3 <= time.monotonic() - began < 10


@pytest.mark.parametrize(
    "bytes_sent",
    [
        b"",
        b"HTTP/1.1 ",
        b"hello\r\n\r\n",
        b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 500 + b"\r\n",
        b"HTTP/1.1 200 " + b"a" * 70_000,
    ],
)
def test_what_is_no_http_is_tried_again_and_given_up(bytes_sent):
    with socket.create_server(("127.0.0.1", 0)) as server:
        accepted = []

        def answer():
            while len(accepted) < 2:
                connection, _ = server.accept()
                accepted.append(connection)
                connection.recv(65_536)
                connection.sendall(bytes_sent)
                connection.close()

        threading.Thread(target=answer, daemon=True).start()
        with Portal(lambda _: BODY) as portal:
            portal.url = f"http://127.0.0.1:{server.getsockname()[1]}"
            with pytest.raises(StoreUnavailable):
                fetched(portal, attempts=2)
        assert len(accepted) == 2


def test_redirects_on_the_same_server_are_followed_three_times():
    def hops(asked):
        hop = int(asked.get("hop") or 0)
        return Answer(status=302, headers={"Location": f"/elsewhere?hop={hop + 1}"}) if hop < 3 else BODY

    with Portal(hops) as portal:
        assert fetched(portal) == [BODY]
        assert len(portal.requests) == 4
    with Portal(lambda _: Answer(status=307, headers={"Location": "/again"})) as portal:
        with pytest.raises(StoreUnavailable, match="redirects"):
            fetched(portal)
        assert len(portal.requests) == 4


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_to_another_server_is_not_followed(status):
    with Portal(lambda _: BODY) as other:
        with Portal(lambda _: Answer(status=status, headers={"Location": f"{other.url}/"})) as portal:
            with pytest.raises(Refused, match="another server"):
                fetched(portal)
            assert len(portal.requests) == 1
        assert other.requests == []


def test_no_file_is_left_behind(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    present = []
    with Portal(lambda asked: package([release(int(asked["fy"][:4]))])) as portal:
        source = at(portal, "ke-ppip")
        for document in documents(source, date(2020, 7, 1), date(2024, 6, 30), user_agent=AGENT):
            assert document.content.parent == tmp_path
            present.append(len(list(Path(tmp_path).iterdir())))
    assert present == [1, 1, 1, 1]
    assert list(tmp_path.iterdir()) == []
