"""A download that was killed goes on in another process: no byte is sent twice, and no version is mixed."""

from __future__ import annotations

import fcntl
import hashlib
import os
import random
import re
import signal
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from sankofa.core.errors import StoreUnavailable
from sankofa.ingest.portals.fetch import documents
from support.portal_server import Answer, Portal, at
from support.waiting import until

AGENT = "sankofa/test (data@example.org)"
TESTS = Path(__file__).parents[1]
BODY = random.Random(7).randbytes(4 << 20)
OTHER = random.Random(8).randbytes(3 << 20)
PIECE = 1 << 16


class Archive:
    """A file server that keeps to ranges, notes the bytes it sends, and can stop in the middle of a file."""

    def __init__(self, body, hold_at=None):
        self.body, self.hold_at = body, hold_at
        self.sent = []  # of each answer: the first byte and the one after the last
        self.is_over = threading.Event()  # for whoever waits for the rest

    def __call__(self, asked):
        body, tag = self.body, f'"{hashlib.sha256(self.body).hexdigest()[:8]}"'
        if asked.headers.get("If-None-Match") == tag:
            return Answer(status=304)
        wanted = re.fullmatch(r"bytes=(\d+)-", asked.headers.get("Range", ""))
        is_rest = wanted is not None and asked.headers["If-Range"] == tag
        start = int(wanted[1]) if is_rest else 0
        headers = {"ETag": tag, "Content-Length": str(len(body) - start)}
        if is_rest:
            headers["Content-Range"] = f"bytes {start}-{len(body) - 1}/{len(body)}"
        return Answer(self._pieces(body, start), 206 if is_rest else 200, headers)

    def _pieces(self, body, start):
        place = len(self.sent)
        self.sent.append((start, start))
        for at_byte in range(start, len(body), PIECE):
            if self.hold_at is not None and at_byte >= self.hold_at:
                self.is_over.wait()
                return
            piece = body[at_byte : at_byte + PIECE]
            self.sent[place] = (start, at_byte + len(piece))
            yield piece


def process(portal, spool):
    paths = [str(TESTS.parent / "src"), str(TESTS.parent), str(TESTS)]
    return subprocess.Popen(
        [sys.executable, str(TESTS / "support" / "fetching.py"), f"{portal.url}/file", str(spool)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        stdout=subprocess.PIPE,
    )


def hash_of_finished(running):
    with running:
        out, _ = running.communicate(timeout=60)
    assert running.returncode == 0
    hashed, _memory = out.decode().split()
    return hashed


def fetched(portal, spool, **changes):
    source = at(portal, "ecb", address=f"{portal.url}/file", **changes)
    found = documents(source, user_agent=AGENT, spool=spool)
    return [document.content.read_bytes() for document in found]


def killed(portal, archive, spool, at_byte):
    """Kill a process when it has written so many bytes of the file."""
    archive.hold_at = at_byte
    with process(portal, spool) as running:
        until(lambda: sum(part.stat().st_size for part in spool.glob("*.part")) == at_byte)
        running.send_signal(signal.SIGKILL)
    archive.hold_at = None
    archive.is_over.set()
    archive.is_over = threading.Event()


def test_a_killed_download_goes_on_in_another_process_and_no_byte_is_sent_twice(tmp_path):
    archive, spool = Archive(BODY), tmp_path / "spool"
    with Portal(archive) as portal:
        killed(portal, archive, spool, 20 * PIECE)
        killed(portal, archive, spool, 50 * PIECE)
        assert hash_of_finished(process(portal, spool)) == hashlib.sha256(BODY).hexdigest()
    assert [asked.headers.get("Range") for asked in portal.requests] == [
        None,
        f"bytes={20 * PIECE}-",
        f"bytes={50 * PIECE}-",
    ]
    assert archive.sent == [(0, 20 * PIECE), (20 * PIECE, 50 * PIECE), (50 * PIECE, len(BODY))]
    assert list(spool.iterdir()) == [], "what was taken is removed"


def test_what_a_killed_process_leaves_is_private_and_named_by_source_and_address(tmp_path):
    archive, spool = Archive(BODY), tmp_path / "spool"
    with Portal(archive) as portal:
        killed(portal, archive, spool, 8 * PIECE)
        name = hashlib.sha256(f"ecb {portal.url}/file".encode()).hexdigest()
    assert sorted(file.name for file in spool.iterdir()) == [f"{name}.part", f"{name}.version"]
    assert {stat.S_IMODE(file.stat().st_mode) for file in spool.iterdir()} == {0o600}
    assert stat.S_IMODE(spool.stat().st_mode) == 0o700


def test_another_version_is_fetched_from_its_first_byte(tmp_path):
    archive, spool = Archive(BODY), tmp_path / "spool"
    with Portal(archive) as portal:
        killed(portal, archive, spool, 8 * PIECE)
        archive.body = OTHER
        assert fetched(portal, spool) == [OTHER]
    assert archive.sent[-1] == (0, len(OTHER))


@pytest.mark.parametrize("note", [None, b"", b'{"version":"', b'{"version":7}', b'{"version":""}'])
def test_a_part_of_no_known_version_is_dropped(tmp_path, note):
    archive, spool = Archive(BODY), tmp_path / "spool"
    with Portal(archive) as portal:
        killed(portal, archive, spool, 8 * PIECE)
        (version,) = spool.glob("*.version")
        if note is None:
            version.unlink()
        else:
            version.write_bytes(note)
        assert fetched(portal, spool) == [BODY]
    assert "Range" not in portal.requests[-1].headers


def test_a_document_that_came_and_was_not_taken_is_not_sent_again(tmp_path):
    archive = Archive(BODY)
    with Portal(archive) as portal:
        source = at(portal, "ecb", address=f"{portal.url}/file")
        arriving = documents(source, user_agent=AGENT, spool=tmp_path)
        next(arriving)
        arriving.close()  # as when its ingest fails
        assert len(list(tmp_path.iterdir())) == 2
        assert fetched(portal, tmp_path) == [BODY]
        assert archive.sent == [(0, len(BODY))]
        assert list(tmp_path.iterdir()) == []


def test_a_document_that_came_and_was_cut_afterwards_is_fetched_again(tmp_path):
    archive = Archive(BODY)
    with Portal(archive) as portal:
        arriving = documents(
            at(portal, "ecb", address=f"{portal.url}/file"), user_agent=AGENT, spool=tmp_path
        )
        os.truncate(next(arriving).content, PIECE)
        arriving.close()
        assert fetched(portal, tmp_path) == [BODY]
    assert archive.sent == [(0, len(BODY)), (0, len(BODY))]


def test_attempts_that_ran_out_leave_what_came_for_the_next_run(tmp_path):
    cuts = []

    def cut(asked):
        cuts.append(asked.headers.get("Range"))
        answer = archive(asked)
        answer.body = b"".join(answer.body)
        answer.body = answer.body if len(cuts) > 2 else answer.body[:PIECE]
        return Answer(answer.body, answer.status, answer.headers, sized=False)

    archive = Archive(BODY)
    with Portal(cut) as portal:
        with pytest.raises(Exception, match="IncompleteRead"):
            fetched(portal, tmp_path, attempts=2)
        assert fetched(portal, tmp_path) == [BODY]
    assert cuts == [None, f"bytes={PIECE}-", f"bytes={2 * PIECE}-"]


def test_nothing_stays_of_answers_that_cannot_go_on(tmp_path):
    with Portal(lambda _: Answer(status=401)) as portal, pytest.raises(Exception, match="status 401"):
        fetched(portal, tmp_path)
    cut = Answer(b"x" * 10, headers={"Content-Length": "20"}, sized=False)
    with Portal(lambda _: cut) as portal, pytest.raises(Exception, match="IncompleteRead"):
        fetched(portal, tmp_path, attempts=1)
    assert list(tmp_path.iterdir()) == []


def test_a_part_that_another_process_writes_is_left_to_it(tmp_path):
    archive = Archive(BODY)
    with Portal(archive) as portal:
        killed(portal, archive, tmp_path, 8 * PIECE)
        (part,) = tmp_path.glob("*.part")
        with part.open("rb") as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            assert fetched(portal, tmp_path) == [BODY]
        assert part.stat().st_size == 8 * PIECE
        assert fetched(portal, tmp_path) == [BODY]
    assert [sent[0] for sent in archive.sent] == [0, 0, 8 * PIECE]


def test_parts_that_nobody_went_on_with_are_removed_after_a_week(tmp_path):
    archive = Archive(BODY)
    with Portal(archive) as portal:
        killed(portal, archive, tmp_path, 8 * PIECE)
        (part,) = tmp_path.glob("*.part")
        (tmp_path / "somebody's file").touch()
        for days, left in ((6, 3), (8, 1)):
            for file in tmp_path.iterdir():
                os.utime(file, (time.time() - days * 86_400,) * 2)
            elsewhere = at(portal, "ecb", address=f"{portal.url}/another")
            for _ in documents(elsewhere, user_agent=AGENT, spool=tmp_path):
                pass
            assert len(list(tmp_path.iterdir())) == left
        assert not part.exists()


def test_a_length_that_was_stated_too_large_is_named(tmp_path):
    def answer(asked):
        if "Range" in asked.headers:
            return Answer(status=416, headers={"Content-Range": f"bytes */{len(BODY)}"})
        headers = {"ETag": '"1"', "Content-Length": str(len(BODY) + 1_000_000)}
        return Answer(BODY, headers=headers)

    with Portal(answer) as portal, pytest.raises(StoreUnavailable) as told:
        fetched(portal, tmp_path / "spool", attempts=2)
    assert (
        f"Content-Length stated {len(BODY) + 1_000_000:,} bytes, and the server has {len(BODY):,}:"
        " the stated length is wrong"
    ) in str(told.value)
