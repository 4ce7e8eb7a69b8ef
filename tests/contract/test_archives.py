"""OPS-14: an archive of many files is read in parts, and its content is that of an archive read in one go."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta

import msgspec
import pytest

from sankofa.core.errors import Refused
from sankofa.feeds.running import Means, run
from sankofa.ingest.archive import Document
from sankofa.ingest.correcting import decide
from sankofa.ingest.run import ingest
from sankofa.ingest.source import Source
from sankofa.ingest.sources import source
from support.archives import MOMENT, SOURCE, Family, archive, filer, ledger
from support.command import sankofa
from support.digest import digest
from support.portal_server import Portal
from support.sec_submissions import submissions
from support.waiting import until

pytestmark = pytest.mark.proves("OPS-14")

FETCHED = datetime.fromisoformat(MOMENT).replace(tzinfo=UTC)
FILERS = 45
IN_A_PART = 10


@pytest.fixture(autouse=True)
def small_parts(monkeypatch):
    monkeypatch.setattr("sankofa.ingest.parts.PART_MEMBERS", IN_A_PART)


def documents(filers=FILERS):
    """Return filers, and a file of another name and one that cannot be read, which are counted."""
    found = {number: filer(number) for number in range(1, filers + 1)}
    return found | {"readme.txt": b"nothing", "CIK0000009999.json": b"{"}


def read(service, file, workers=1, fetched_at=FETCHED, origin=SOURCE):
    with service.connect("ingest") as connection:
        document = Document(source=source(origin), content=file, fetched_at=fetched_at)
        return ingest(connection, service.objects, document, workers=workers)


@pytest.fixture
def in_one_go(make_service, monkeypatch):
    """Read archives one after the other, each in one transaction, and return the service."""

    def loaded(*files, origin=SOURCE):
        service = make_service()
        with monkeypatch.context() as whole:
            whole.setattr("sankofa.ingest.parts.PART_MEMBERS", 10**9)
            whole.setattr("sankofa.ingest.parts.PART_BYTES", 10**12)
            for days, file in enumerate(files):
                read(service, file, fetched_at=FETCHED + timedelta(days), origin=origin)
        service.publish()
        return service

    return loaded


def test_parts_read_by_several_processes_are_the_archive(service, in_one_go, tmp_path):
    file = archive(tmp_path / "companyfacts.zip", documents())
    whole = in_one_go(file)
    batch = read(service, file, workers=3)
    assert batch.rejected == {"unexpected_member": 1, "malformed_json": 1}
    assert (batch.facts_read, batch.facts_appended, batch.unchanged) == (3 * FILERS, 3 * FILERS, 0)
    service.publish()
    assert ledger(service) == ledger(whole)
    assert digest(service) == digest(whole)
    assert service.rows("SELECT FROM ops.archive_part") == []
    assert read(service, file).outcome == "seen"


@pytest.mark.heavy
def test_kills_at_random_lose_no_finished_part_and_change_nothing(
    make_service, in_one_go, tmp_path, monkeypatch
):
    seed = random.randrange(2**32)
    rng = random.Random(seed)
    monkeypatch.setattr("sankofa.ingest.parts.PART_MEMBERS", 100)  # as in the processes that are killed
    file = archive(tmp_path / "companyfacts.zip", documents(1_150))
    expected = in_one_go(file)
    service = make_service()
    finished, kills, families = {}, 0, []
    while not service.rows("SELECT FROM ops.batch"):
        family = Family(service, file, workers=3)
        families.append(family)
        target = len(finished) + rng.randrange(1, 4)
        until(lambda target=target, family=family: len(done(service)) >= target or family.is_over())
        now = done(service)
        if now or not service.rows("SELECT FROM ops.batch"):
            assert finished.items() <= now.items(), f"seed {seed}: a finished part was read again"
        finished = now
        for pid in rng.sample(family.pids, len(family.pids))[: rng.randrange(1, 4)]:
            family.kill(pid)
            kills += 1
        if kills > 8 or family.is_over():
            family.wait()
    for family in families:
        family.wait()
    service.publish()
    print(f"seed {seed}: {kills} kills")
    assert ledger(service) == ledger(expected), f"seed {seed}"
    assert digest(service) == digest(expected), f"seed {seed}"


def done(service):
    """Return the transaction that finished each part."""
    return dict(service.rows("SELECT part, xmin::text FROM ops.archive_part WHERE done IS NOT NULL"))


def test_an_archive_counts_when_its_last_part_is_read(service, tmp_path, monkeypatch):
    file = archive(tmp_path / "companyfacts.zip", documents())
    with monkeypatch.context() as broken:
        broken.setattr("sankofa.ingest.run.parts.finish", _dies)
        with pytest.raises(_Dies):
            read(service, file)
    assert service.rows("SELECT count(*) > 0 FROM ledger.fact") == [(True,)]
    service.publish()
    assert service.rows("SELECT FROM serving.fundamentals_fact") == [], "nothing of it is published"
    (alone,) = service.ingest((filer(7), FETCHED + timedelta(days=1)))
    assert alone.facts_appended == 3, "what is repeated of an archive in parts is new"
    batch = read(service, file, fetched_at=FETCHED + timedelta(days=2))
    assert (batch.outcome, batch.facts_appended) == ("accepted", 3 * FILERS)
    assert service.rows("SELECT fetched_at FROM ops.document WHERE url IS NULL ORDER BY 1 LIMIT 1") == [
        (FETCHED,)
    ], "it counts as fetched when it was fetched first"


class _Dies(Exception):
    pass


def _dies(*_):
    raise _Dies


def test_files_that_have_not_changed_are_not_read_again(service, in_one_go, tmp_path):
    first = documents()
    second = first | {3: filer(3, value=999), 44: filer(44, value=998), 60: filer(60)}
    files = [archive(tmp_path / "1.zip", first), archive(tmp_path / "2.zip", second)]
    whole = in_one_go(*files)
    read(service, files[0])
    service.publish()
    batch = read(service, files[1], workers=2, fetched_at=FETCHED + timedelta(days=1))
    assert batch.unchanged == FILERS - 2
    assert batch.facts_read == 3 * (FILERS + 1), "what was offered counts, not only what was read"
    assert batch.rejected == {"unexpected_member": 1, "malformed_json": 1}
    service.publish()
    whole.publish()
    assert ledger(service)["facts"] == ledger(whole)["facts"]
    assert ledger(service)["batches"] == ledger(whole)["batches"]
    assert service.rows("SELECT count(*) FROM ops.archive_member") == [(FILERS + 3,)]


def test_a_file_that_was_changed_in_between_is_read_again(service, tmp_path):
    first = documents()
    second = first | {3: filer(3, value=999)}
    third = first | {70: filer(70)}
    for days, one in enumerate((first, second, third)):
        batch = read(service, archive(tmp_path / f"{days}.zip", one), fetched_at=FETCHED + timedelta(days))
    assert batch.unchanged == FILERS - 1


def test_an_archive_that_is_held_back_is_not_relied_on(service, tmp_path):
    now = tmp_path / "now.zip"
    with Portal(lambda _: now.read_bytes()) as portal:
        feed = msgspec.convert(
            {
                "name": SOURCE,
                "publisher": "A regulator",
                "license_class": "operator",
                "parser": "sec_companyfacts",
                "portal": {"address": f"{portal.url}/facts.zip", "answers": "zip", "pause_seconds": 0},
                "expects": {"keys": [FILERS + 1, 1_000]},
            },
            Source,
        )
        means = Means(objects=service.objects, user_agent="sankofa/test (data@example.org)")

        def ran(documents):
            archive(now, documents)
            with service.connect("ingest") as connection:
                return run(connection, means, feed)

        short = ran(documents())
        assert (short.outcome, short.brought.keys) == ("held", FILERS)
        service.has_lenient_reviewer = False
        service.publish()
        assert service.rows("SELECT FROM serving.fundamentals_fact") == []
        good = ran(documents(FILERS + 1))
        assert (good.outcome, good.brought.keys) == ("good", FILERS + 1)
        assert good.brought.rows == 3 * (FILERS + 1)
    service.publish()
    published = service.rows("SELECT count(DISTINCT service_id) FROM serving.fundamentals_fact")
    assert published == [(FILERS + 1,)]


def test_an_archive_whose_directory_is_damaged_is_refused(service, tmp_path):
    file = archive(tmp_path / "companyfacts.zip", documents())
    file.write_bytes(file.read_bytes()[:-30])
    batch = read(service, file)
    assert (batch.outcome, batch.rejected) == ("refused", {"archive_damaged": 1})


def test_the_command_tells_how_many_files_were_left(service, tmp_path, monkeypatch):
    monkeypatch.setattr("sankofa.ingest.parts.PART_MEMBERS", 100)
    first = {number: filer(number) for number in range(1, 151)}
    for number, one in enumerate((first, first | {9: filer(9, value=1_000)})):
        file = archive(tmp_path / f"{number}.zip", one)
        moment = f"2026-01-0{number + 1}T06:00:00"
        said = sankofa(service, "ingest", SOURCE, file, "--workers", 2, "--fetched-at", moment)
    assert "files as in the archive before: 149" in said


def test_no_day_is_corrected_while_an_archive_is_read(service, tmp_path, monkeypatch):
    service.ingest(filer(500))
    with monkeypatch.context() as broken:
        broken.setattr("sankofa.ingest.run.parts.finish", _dies)
        with pytest.raises(_Dies):
            read(service, archive(tmp_path / "companyfacts.zip", documents()))
    (sha256,) = service.rows("SELECT sha256 FROM ops.document ORDER BY document_id LIMIT 1")[0]
    with service.connect("review") as connection, pytest.raises(Refused, match="was not read to its end"):
        decide(connection, SOURCE, bytes(sha256), FETCHED - timedelta(days=9), "it was fetched before")


def test_submissions_are_read_in_parts_as_well(service, in_one_go, tmp_path):
    stated = {
        number: submissions(number, f"Company {number} PLC", filed=["2024-02-01"]) for number in range(1, 31)
    }
    file = archive(tmp_path / "submissions.zip", stated | {"CIK0000000001-submissions-001.json": b"{}"})
    whole = in_one_go(file, origin="sec-submissions")
    batch = read(service, file, workers=2, origin="sec-submissions")
    assert (batch.outcome, batch.rejected) == ("accepted", {})
    service.publish()
    assert ledger(service) == ledger(whole)
    assert len(ledger(service)["organisations"]) >= 30
    assert digest(service) == digest(whole)
