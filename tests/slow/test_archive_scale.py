"""A large archive of company facts: memory of each process, kills at random, a second night; equal content.

ARCHIVE_MB says how large (default 50; the SEC's has about 2,000 MB and 18,000 files). Where real data is at
hand, the files are real ones under new numbers; otherwise they are generated.
"""

from __future__ import annotations

import os
import random
import time
import zipfile
from datetime import UTC, datetime
from pathlib import Path
from threading import Event, Thread

import pytest

from dev.ports import Ports
from dev.stack import Stack, temporary_home
from sankofa.ingest.archive import Document
from sankofa.ingest.run import ingest
from sankofa.ingest.sources import source
from support.archives import MOMENT, SOURCE, Family
from support.filings import Filer
from support.real_sec import DATA
from support.service import Service

MEGABYTES = int(os.environ.get("ARCHIVE_MB", "50"))
MEMORY_MB = 500
KILLS = 8
SAMPLE = DATA.parent / "collection-2/sec-companyfacts-bulk/companyfacts-2021-07-sample.zip"
CONCEPTS = [f"us-gaap:Concept{number}" for number in range(150)]
_FACTS = """
SELECT count(*), sum(('x' || left(md5(ROW(
    subject.identifier, filing.filing_number, concept.concept, fact.period_start, fact.period_end, fact.unit,
    fact.value, document.sha256)::text), 15))::bit(60)::bigint)
FROM ledger.fact AS fact
JOIN ledger.filing AS filing USING (filing_id)
JOIN ledger.subject AS subject USING (subject_id)
JOIN ledger.concept AS concept USING (concept_id)
JOIN ops.document AS document ON fact.document_id = document.document_id
"""
_BATCH = """
SELECT facts_read, facts_appended, extent.keys, extent.newest,
    (SELECT count(*) FROM ops.batch_subject AS one WHERE one.batch_id = batch.batch_id)
FROM ops.batch AS batch JOIN ops.batch_extent AS extent USING (batch_id) ORDER BY batch_id
"""


@pytest.mark.heavy
@pytest.mark.timeout(4 * 3600)
def test_a_large_archive_in_parts(monkeypatch):
    seed = random.randrange(2**32)
    with temporary_home() as home:
        stack = Stack(home, Ports.free(), durable=False, shared_buffers="1GB")
        stack.start()
        try:
            measure(stack, Path(home), random.Random(seed), seed, monkeypatch)
        finally:
            stack.destroy()


def measure(stack, home, rng, seed, monkeypatch):
    first, second, changed = archives(home, rng)
    size = f"{first.stat().st_size / 1e6:,.0f} MB, {count(first):,} files"
    whole, killed = Service(stack, "whole"), Service(stack, "killed")
    began = time.monotonic()
    with monkeypatch.context() as one_part:
        one_part.setattr("sankofa.ingest.parts.PART_MEMBERS", 10**9)
        one_part.setattr("sankofa.ingest.parts.PART_BYTES", 10**15)
        moment = datetime.fromisoformat(MOMENT).replace(tzinfo=UTC)
        with whole.connect("ingest") as connection:
            ingest(
                connection, whole.objects, Document(source=source(SOURCE), content=first, fetched_at=moment)
            )
    alone = time.monotonic() - began
    print(f"seed {seed}: {size}: in one go {alone:.0f} s")
    began = time.monotonic()
    peaks = killed_at_random(killed, first, rng, alone)
    print(f"three processes with {KILLS} kills: {time.monotonic() - began:.0f} s")
    assert content(killed) == content(whole), f"seed {seed}"
    began = time.monotonic()
    peaks |= watched(Family(killed, second, workers=2, moment="2026-01-06T06:00:00"))
    print(f"the second night, {changed:,} files changed: {time.monotonic() - began:.0f} s")
    highest = sorted(peaks.values(), reverse=True)
    print(f"peaks of memory: {', '.join(f'{peak:.0f}' for peak in highest)} MB")
    (read,) = killed.rows("SELECT count(*) FROM ops.archive_member")[0]
    assert read == count(first) + changed
    assert highest[0] < MEMORY_MB


def content(service):
    return service.rows(_FACTS), service.rows(_BATCH)


def count(file):
    with zipfile.ZipFile(file) as archive:
        return len(archive.infolist())


def killed_at_random(service, file, rng, seconds):
    """Read an archive while processes are killed; return the peak of memory of each."""
    kills, peaks, families = 0, {}, []
    while not service.rows("SELECT FROM ops.batch"):
        family = Family(service, file, workers=3)
        families.append(family)
        is_over = Event()
        sampler = Thread(target=sample, args=(family, peaks, is_over))
        sampler.start()
        while kills < KILLS and not family.is_over():
            is_over.wait(rng.uniform(0.5, seconds / KILLS))
            family.kill(rng.choice(family.pids))
            kills += 1
        family.wait()
        is_over.set()
        sampler.join()
    return peaks


def watched(family):
    peaks, is_over = {}, Event()
    sampler = Thread(target=sample, args=(family, peaks, is_over))
    sampler.start()
    assert family.wait() == 0
    is_over.set()
    sampler.join()
    return peaks


def sample(family, peaks, is_over):
    while not is_over.wait(0.2):
        for pid in family.pids:
            try:
                told = Path(f"/proc/{pid}/status").read_text()
            except (FileNotFoundError, ProcessLookupError):
                continue
            if "VmHWM:" in told:
                peaks[pid] = int(told.split("VmHWM:")[1].split()[0]) / 1024


def archives(home, rng):
    """Write the archives of two nights; in the second, every fiftieth file has changed. Return how many."""
    first, second = home / "first.zip", home / "second.zip"
    with zipfile.ZipFile(first, "w", zipfile.ZIP_DEFLATED) as one, zipfile.ZipFile(second, "w") as two:
        changed = 0
        for number, document in filers(rng):
            name = f"CIK{number:010d}.json"
            put(one, name, document)
            is_changed = number % 50 == 0
            changed += is_changed
            put(two, name, document.replace(b'"facts":', b'"facts" :', 1) if is_changed else document)
            if first.stat().st_size > MEGABYTES * 1_000_000:
                return finished(one, two, first, second, changed)
    raise AssertionError("filers do not end")


def finished(one, two, first, second, changed):
    one.close()
    two.close()
    return first, second, changed


def put(archive, name, document):
    archive.writestr(zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0)), document, zipfile.ZIP_DEFLATED)


def filers(rng):
    """Yield documents without end: real ones under new numbers, or generated ones."""
    known = real()
    number = 0
    while True:
        number += 1
        yield number, (renumbered(known[number % len(known)], number) if known else generated(number, rng))


def real():
    if not SAMPLE.exists():
        return []
    with zipfile.ZipFile(SAMPLE) as archive:
        return [archive.read(name) for name in archive.namelist() if name.endswith(".json")]


def renumbered(document, number):
    head, _, rest = document.partition(b'"cik"')
    _, comma, rest = rest.partition(b",")
    return head + b'"cik": ' + str(number).encode() + comma + rest


def generated(number, rng):
    one = Filer(number, name=f"Company {number} Inc")
    for year in range(2010, 2026):
        filing = f"{number:010d}-{year % 100:02d}-000001"
        for concept in rng.sample(CONCEPTS, 100):
            one.says(
                rng.randrange(10**9),
                filed=f"{year}-03-01",
                concept=concept,
                period=(f"{year - 1}-01-01", f"{year - 1}-12-31"),
                unit="USD",
                filing=filing,
                form="10-K",
            )
    return one.document()
