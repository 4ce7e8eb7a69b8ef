"""Fetching from a publisher that behaves: every document arrives, and unchanged files are not sent again."""

from __future__ import annotations

import random
import subprocess
import sys
from contextlib import closing
from http.client import HTTPConnection
from urllib.parse import urlsplit

import pytest

from publisher.client import Running
from publisher.tables import Indicators, Rates, Tickers
from publisher.tenders import Months, Years
from publisher.world import World
from sankofa.ingest.run import ingest
from support.publisher_reader import Reader
from support.repository import ROOT


@pytest.fixture
def publisher():
    with Running(random.randrange(1 << 32), days=12) as running:
        yield running


def test_fetched_daily_exactly_the_offered_documents_arrive(tmp_path):
    with Running(random.randrange(1 << 32), sources=9, days=12, hosts=2) as publisher:
        reader, received = Reader(publisher, tmp_path), {name: set() for name in publisher.world.sources}
        for day in range(publisher.world.days):
            for name, source in publisher.world.sources.items():
                assert reader.fetch(source, day) == reader.expected(source, day), (name, day)
                received[name].update(reader.received)
                assert all(found and not left_out for found, left_out in reader.parsed), (name, day)
            if day + 1 < publisher.world.days:
                publisher.advance()
        offered = publisher.offered()
        assert len(set(publisher.hosts.values())) == 2
        with pytest.raises(ValueError, match="the world ends after 12 days"):
            publisher.advance()
    for name in publisher.world.sources:
        stated = {(one.sha256, one.day) for one in publisher.world.offered(name, 11)}
        assert stated == {(row["sha256"], row["day"]) for row in offered if row["source"] == name}
        assert received[name] == {sha256 for sha256, _ in stated}


def test_fetched_once_at_the_end_all_pages_of_all_days_arrive(tmp_path):
    with Running(random.randrange(1 << 32), sources=2, days=20, day=19) as publisher:
        reader = Reader(publisher, tmp_path)
        for name, source in publisher.world.sources.items():
            assert reader.fetch(source, 0, 19) == [one.sha256 for one in publisher.world.offered(name, 19)]


def test_every_offered_document_is_in_the_ledger_once_and_was_accepted(service, publisher, tmp_path):
    reader = Reader(publisher, tmp_path)
    with service.connect("ingest") as connection:
        for day in range(3):
            for source in publisher.world.sources.values():
                for document in reader.documents(source, 0, day):
                    ingest(connection, service.objects, document)
            publisher.advance()
    offered = sorted((row["source"], row["sha256"]) for row in publisher.offered() if row["day"] < 3)
    kept = service.rows(
        "SELECT source, encode(sha256, 'hex') FROM ops.document JOIN ops.batch USING (document_id)"
        " WHERE outcome = 'accepted'"
    )
    assert sorted(kept) == offered


@pytest.mark.parametrize("kind", [Months, Years, Rates, Indicators, Tickers])
def test_an_unchanged_file_is_answered_304_without_a_body(publisher, tmp_path, kind):
    reader = Reader(publisher, tmp_path)
    source = reader.world.of_kind(kind)
    first = list(reader.fetch(source))
    assert first == reader.expected(source)
    versions = dict(reader.versions)
    assert reader.fetch(source, fetched=versions.get) == []
    again = reader.log(source)[len(first) :]
    assert [(entry["status"], entry["bytes"]) for entry in again] == [(304, 0)] * len(first)
    for entry in again:  # word for word
        assert entry["headers"]["If-None-Match"] == entry["answered"]["ETag"]
        assert entry["headers"]["If-Modified-Since"] == entry["answered"]["Last-Modified"]

    changed = next(day for day in range(12) if set(reader.expected(source, day)) != set(first))
    while publisher.advance()["day"] < changed:
        pass
    new = [sha256 for sha256 in reader.expected(source, changed) if sha256 not in first]
    assert reader.fetch(source, changed, fetched=versions.get) == new


def test_a_changed_file_arrives_from_a_publisher_whose_clock_is_slow(publisher, tmp_path):
    reader = Reader(publisher, tmp_path)
    source = reader.world.of_kind(Rates)
    publisher.misbehave(source.name, "clock", times=2, value=-2 * 3600)
    reader.fetch(source)
    publisher.advance()
    assert reader.fetch(source, fetched=reader.versions.get) == reader.expected(source, 1)


def test_ranges_and_validators_are_honoured_for_files(publisher):
    (document,) = publisher.world.current("made-rates-04", 0)
    size = len(document.content)

    def ask(**headers):
        fields = {name.replace("_", "-"): value for name, value in headers.items()}
        with closing(HTTPConnection(urlsplit(publisher.hosts["made-rates-04"]).netloc)) as connection:
            connection.request("GET", document.target, headers=fields)
            with connection.getresponse() as answer:
                return answer.status, answer.read(), answer.headers

    status, body, headers = ask()
    assert (status, body) == (200, document.content)
    tag, modified = headers["ETag"], headers["Last-Modified"]
    assert ask(If_None_Match=tag)[:2] == (304, b"")
    assert ask(If_Modified_Since=modified)[:2] == (304, b"")
    assert ask(If_None_Match='"other"', If_Modified_Since=modified)[0] == 200
    for version in (tag, modified):
        status, body, headers = ask(Range="bytes=10-", If_Range=version)
        assert (status, body) == (206, document.content[10:])
        assert headers["Content-Range"] == f"bytes 10-{size - 1}/{size}"
    assert ask(Range="bytes=3-6")[:2] == (206, document.content[3:7])
    assert ask(Range="bytes=10-", If_Range='"other"')[:2] == (200, document.content)
    status, body, headers = ask(Range=f"bytes={size}-", If_Range=tag)
    assert (status, body, headers["Content-Range"]) == (416, b"", f"bytes */{size}")


def test_a_world_of_full_size_has_no_document_twice():
    seed = random.randrange(1 << 32)
    print("seed", seed)
    world = World(seed, sources=14)
    every = [one.sha256 for name in world.sources for one in world.offered(name, 59)]
    assert len(set(every)) == len(every)
    assert World(seed, sources=14).offered("made-tickers-13", 59) == world.offered("made-tickers-13", 59)


def test_the_publisher_uses_nothing_of_the_package_that_it_tests():
    loaded = (
        "import sys, publisher.control, publisher.server, publisher.folder; print('\\n'.join(sys.modules))"
    )
    found = subprocess.run(
        [sys.executable, "-c", loaded], cwd=ROOT / "tests", capture_output=True, text=True, check=True
    )
    assert [name for name in found.stdout.split() if name.startswith("sankofa.")] == []
