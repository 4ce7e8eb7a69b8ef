"""OPS-30: a document that somebody else wrote is refused at worst, and the next one is read as ever."""

from __future__ import annotations

import gzip
import io
import itertools
import os
import re
import signal
import zipfile
from pathlib import Path

import pytest

from sankofa.ingest.archive import Document
from sankofa.ingest.parsing import PARSING, Bounds, Parsing
from sankofa.ingest.run import ingest
from sankofa.ingest.sources import source
from support import hostile_parsers
from support.archives import archive
from support.command import sankofa
from support.filings import Filer
from support.service import FETCHED
from support.stated_tenders import SOURCE as TENDERS
from support.waiting import until

pytestmark = pytest.mark.proves("OPS-30")

FACTS, BANK = "demo-companyfacts", "demo-world-bank"
LARGE = 30_000_000
MOST_GROWTH = 256 << 20  # of the process that ingests
NARROW = Bounds(memory=256 << 20, seconds=120)
SHORT = Bounds(memory=256 << 20, seconds=3)
TIMELESS = (hostile_parsers.SLEEPS, hostile_parsers.LOOPS)
_numbers = itertools.count(1)


def zipped(data, name="CIK0000000001.json"):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, data)
    return packed.getvalue()


def small_objects():
    """Return a document in good order that needs many times its size once it is decoded."""
    rows = b'{"end":"2023-12-31","val":1,"accn":"0000000001-24-000001","filed":"2024-02-01","form":"10-K"},'
    units = b'{"units":{"USD":[' + rows * 400_000 + rows[:-1] + b'],"label":""}'
    return b'{"cik":1,"entityName":"X","facts":{"us-gaap":{"Revenues":' + units + b"}}}"


CORPUS = {
    "gzip bomb": (
        TENDERS,
        lambda: gzip.compress(b'{"releases":[' + b" " * LARGE),
        "archive_packed_too_densely",
    ),
    "gzip bomb of facts": (FACTS, lambda: gzip.compress(b" " * LARGE), "archive_packed_too_densely"),
    "zip bomb": (TENDERS, lambda: zipped(b'{"releases":[' + b" " * LARGE), "archive_packed_too_densely"),
    "zip bomb of a table": (BANK, lambda: zipped(b"," * LARGE, "a.csv"), "archive_packed_too_densely"),
    "zip in zip": (TENDERS, lambda: zipped(zipped(b"{}")), "archive_nested"),
    "deep": (FACTS, lambda: b'{"cik":1,"facts":' + b"[" * 1_000_000, "nested_too_deep"),
    "giant string": (FACTS, lambda: b'{"cik":1,"entityName":"' + b"x" * LARGE + b'"}', "string_too_long"),
    "giant number": (
        TENDERS,
        lambda: b'{"uri":' + b"9" * 1_000_000 + b"}",
        "number_too_long",
    ),
    "quadratic header": (
        BANK,
        lambda: b"Country Name,Country Code,Indicator Name,Indicator Code" + b",x" * 500_000 + b"\n",
        "duplicate_column",
    ),
    "line without an end": (BANK, lambda: b"Country Name,Country Code" + b",x" * 2_000_000, "line_too_long"),
    "memory": (hostile_parsers.GROWS, lambda: b"memory", "out_of_memory"),
    "sleep": (hostile_parsers.SLEEPS, lambda: b"sleep", "out_of_time"),
    "loop": (hostile_parsers.LOOPS, lambda: b"loop", "out_of_time"),
    "crash": (hostile_parsers.CRASHES, lambda: b"crash", "parser_failed"),
    "fault": (hostile_parsers.FAILS, lambda: b"Jane Doe", "parser_failed"),
}


OF_A_FILE = ("zip bomb", "zip in zip")  # an archive without its hostile file is accepted


@pytest.fixture
def read(module_service, tmp_path):
    """Return a function that ingests bytes as a file, in this process, under narrow bounds."""
    parsings = {bounds: Parsing(bounds) for bounds in (NARROW, SHORT)}

    def ingested(origin, data, parsing=None):
        parsing = parsing or parsings[SHORT if origin in TIMELESS else NARROW]
        file = tmp_path / str(next(_numbers))
        file.write_bytes(data)
        document = Document(
            source=source(origin) if isinstance(origin, str) else origin, content=file, fetched_at=FETCHED
        )
        with module_service.connect("ingest") as connection:
            return ingest(connection, module_service.objects, document, parsing=parsing)

    return ingested


def good():
    number = next(_numbers)
    return Filer(number).says(number, filed="2024-02-01").document()


def statements(service):
    facts, records = "SELECT count(*) FROM ledger.fact", "SELECT count(*) FROM ledger.organisation_record"
    return service.rows(facts) + service.rows(records)


def sample(service, reason):
    found = service.rows("SELECT sample FROM ops.rejection WHERE reason = %s ORDER BY batch_id DESC", reason)
    return found[0][0]


def memory(kind):
    """Return a number of bytes that the system states of this process."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(re.search(rf"{kind}:\s+(\d+)", status)[1]) << 10


@pytest.mark.parametrize("name", CORPUS)
def test_a_hostile_document_is_refused_with_its_reason_and_the_next_is_read(module_service, read, name):
    origin, make, reason = CORPUS[name]
    data, before = make(), statements(module_service)
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")  # forget the most memory so far
    held = memory("VmRSS")
    batch = read(origin, data)
    grown = memory("VmHWM") - held
    assert (batch.outcome, batch.rejected) == ("accepted" if name in OF_A_FILE else "refused", {reason: 1})
    assert statements(module_service) == before, "nothing of it is in the ledger"
    assert grown < MOST_GROWTH
    assert read(FACTS, good()).outcome == "accepted"


@pytest.mark.parametrize(
    ("name", "reason", "detail"),
    [
        ("memory", "out_of_memory", "needed more than 0.25 GiB of memory"),
        ("sleep", "out_of_time", "needed more than 3 s"),
        ("crash", "parser_failed", "its process ended with SIGABRT"),
        ("fault", "parser_failed", r"KeyError in hostile_parsers\.py, line \d+"),
    ],
)
def test_the_reason_names_the_limit_and_nothing_of_the_document(module_service, read, name, reason, detail):
    origin, make, _ = CORPUS[name]
    read(origin, make() + b" again")
    assert re.fullmatch(detail, sample(module_service, reason))


def test_a_document_whose_process_is_killed_is_refused_and_accepted_when_it_comes_again(
    module_service, read, tmp_path
):
    flag = tmp_path / "flag"
    flag.touch()
    before = statements(module_service)
    batch = read(hostile_parsers.IS_KILLED, str(flag).encode())
    assert (batch.outcome, batch.rejected) == ("refused", {"parser_killed": 1})
    assert sample(module_service, "parser_killed").startswith("its process was killed")
    assert statements(module_service) == before
    flag.unlink()
    assert read(hostile_parsers.IS_KILLED, str(flag).encode()).outcome == "accepted"


def parsers():
    """Return the child processes of this one that parse."""
    children = Path(f"/proc/self/task/{os.getpid()}/children").read_text(encoding="ascii").split()
    return [int(pid) for pid in children if b"parsing_process" in Path(f"/proc/{pid}/cmdline").read_bytes()]


def test_an_idle_process_that_was_killed_costs_no_document(read):
    parsing = Parsing(NARROW)
    before = set(parsers())
    assert read(FACTS, good(), parsing).outcome == "accepted"
    (idle,) = set(parsers()) - before
    os.kill(idle, signal.SIGKILL)
    until(lambda: "Z" in Path(f"/proc/{idle}/stat").read_text(encoding="ascii"))
    assert read(FACTS, good(), parsing).outcome == "accepted"


def test_many_documents_share_a_process(read):
    parsing = Parsing(NARROW)
    before = set(parsers())
    assert {read(FACTS, good(), parsing).outcome for _ in range(5)} == {"accepted"}
    assert len(set(parsers()) - before) == 1


def test_a_parser_has_no_secret_and_writes_no_file(module_service, read, monkeypatch):
    secret = module_service.settings.ingest_dsn
    monkeypatch.setenv("SANKOFA_INGEST_DSN", secret)
    batch = read(hostile_parsers.LOOKS, secret.encode())
    assert batch.outcome == "accepted"
    assert batch.rejected.pop("secrets") == 1, "one is what a process without secrets counts"
    assert batch.rejected.pop("files") <= 8
    assert batch.rejected == {"nothing_written": 1}


def test_a_hostile_file_of_an_archive_costs_that_file_alone(service, tmp_path, monkeypatch):
    monkeypatch.setattr("sankofa.ingest.parts.PART_MEMBERS", 2)
    files = {number: Filer(number).says(1, filed="2024-02-01").document() for number in range(1, 6)}
    bomb = {"CIK0000000009.json": b" " * LARGE, "CIK0000000008.json": small_objects()}
    document = Document(
        source=source(FACTS), content=archive(tmp_path / "a.zip", files | bomb), fetched_at=FETCHED
    )
    with service.connect("ingest") as connection:
        batch = ingest(connection, service.objects, document, workers=1, parsing=Parsing(NARROW))
    assert (batch.outcome, batch.facts_appended) == ("accepted", 5)
    assert batch.rejected == {"archive_packed_too_densely": 2}


def test_a_document_that_needs_more_memory_is_refused_also_if_a_library_crashes_for_it(module_service, read):
    """Which allocation fails is chance, and some libraries crash for it: both reasons name the memory."""
    batch, before = read(FACTS, small_objects()), statements(module_service)
    assert batch.outcome == "refused"
    (reason,) = batch.rejected
    assert reason in {"out_of_memory", "parser_failed"}
    assert sample(module_service, reason).endswith("needed more than 0.25 GiB of memory")
    assert read(FACTS, good()).outcome == "accepted"
    assert statements(module_service) != before


def test_limits_are_settings(module_service, tmp_path, monkeypatch):
    file = tmp_path / "many.json"
    file.write_bytes(small_objects())
    monkeypatch.setenv("SANKOFA_PARSER_MEMORY", str(NARROW.memory))
    said = sankofa(module_service, "ingest", FACTS, file)
    assert re.search("1 refused; .*(out_of_memory|parser_failed)", said)  # with more memory: unexpected_shape
    assert PARSING.bounds == Bounds(memory=2 << 30, seconds=1_800)
