"""Parsers that behave as hostile documents would make a real one behave. Child processes import them."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from tempfile import TemporaryFile

from sankofa.ingest.parsers import PARSERS, Parser
from sankofa.ingest.recording import REGISTER
from sankofa.ingest.sources import Source
from support.stated_organisations import record


def _sleeps(_stream, _rejections, *, fetched_at):  # noqa: ARG001 - as every parser is called
    time.sleep(3_600)
    yield record("lei:never")


def _loops(_stream, _rejections, *, fetched_at):  # noqa: ARG001
    while True:
        pass
    yield record("lei:never")


def _grows(_stream, _rejections, *, fetched_at):  # noqa: ARG001
    """Yield a few records before the memory runs out: they must not be in the ledger."""
    yield from (record(f"lei:{number}") for number in range(100))
    held = []
    while True:
        held.append(bytearray(8 << 20))


def _crashes(_stream, _rejections, *, fetched_at):  # noqa: ARG001
    yield from (record(f"lei:{number}") for number in range(10_000))
    os.abort()


def _fails(stream, _rejections, *, fetched_at):  # noqa: ARG001
    yield from (record(f"lei:{number}") for number in range(100))
    raise KeyError(stream.read())


def _is_killed(stream, _rejections, *, fetched_at):  # noqa: ARG001
    """Be killed after some records, while the file that the document names exists."""
    yield from (record(f"lei:killed{number}") for number in range(10_000))
    if Path(stream.read().decode()).exists():
        os.kill(os.getpid(), signal.SIGKILL)


def _looks(stream, rejections, *, fetched_at):  # noqa: ARG001
    """Count the secrets and files that this process has; the document is the text of a secret."""
    secret = stream.read()
    secrets = sum(secret in Path(f"/proc/self/{name}").read_bytes() for name in ("environ", "cmdline"))
    rejections.add("secrets", "", secrets + 1)
    rejections.add("files", "", len(os.listdir("/proc/self/fd")))  # noqa: PTH208
    try:
        with TemporaryFile(buffering=0) as file:
            file.write(b"x")
    except OSError:
        rejections.add("nothing_written", "")
    yield record("lei:looked")


def source(parse):
    """Return a source whose documents are parsed so."""
    name = parse.__name__.strip("_")
    PARSERS.setdefault(f"hostile_{name}", Parser(parse, REGISTER))
    return Source(
        name=f"hostile-{name}", publisher="a test", license_class="synthetic", parser=f"hostile_{name}"
    )


SLEEPS, LOOPS, GROWS, CRASHES, FAILS, IS_KILLED, LOOKS = map(
    source, (_sleeps, _loops, _grows, _crashes, _fails, _is_killed, _looks)
)
