"""A child process that parses documents, one after the other, within limits that the kernel enforces.

It has no login, no secret and no environment, opens few files and can write none. Its requests arrive on
standard input, a socket, and it ends when that is closed.
"""

from __future__ import annotations

import io
import resource
import socket
import sys
import traceback
from contextlib import ExitStack
from pathlib import Path
from typing import BinaryIO, cast

import msgspec

from sankofa.core.errors import UnreadableDocument
from sankofa.ingest.bytes.bounds import Rejections
from sankofa.ingest.frames import (
    BUFFER_BYTES,
    RECORD_BYTES,
    Call,
    Ending,
    Unpacker,
    receive,
    send,
    send_records,
)

_FILES = 32
OUT_OF_MEMORY = ("out_of_memory", "")
_GROWN = 2  # a child that keeps more than this part of its memory is replaced
_encoder = msgspec.msgpack.Encoder()


def main(memory: int, seconds: int) -> None:
    """Answer requests until there are no more."""
    for limit, most in (
        (resource.RLIMIT_AS, memory),
        (resource.RLIMIT_NOFILE, _FILES),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(limit, (most, most))
    link = socket.socket(fileno=sys.stdin.fileno())
    requests, answers = link.makefile("rb"), io.BufferedWriter(link.makefile("wb", 0), BUFFER_BYTES)
    send(answers.write, b"")  # ready
    answers.flush()
    while request := receive(requests):
        _allow(seconds)
        rejections = Rejections()
        refusal = _refusal(request[1], rejections, answers)
        counted = {reason: (rows, rejections.samples[reason]) for reason, rows in rejections.counts.items()}
        is_last = refusal == OUT_OF_MEMORY or _size() > memory // _GROWN
        send(answers.write, _encoder.encode(Ending(rejected=counted, refusal=refusal, is_last=is_last)))
        answers.flush()


def _allow(seconds: int) -> None:
    """Limit the processor time of the next document: beyond it the kernel ends this process."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    most = int(used.ru_utime + used.ru_stime) + 1 + seconds
    resource.setrlimit(resource.RLIMIT_CPU, (most, resource.RLIM_INFINITY))


def _refusal(request: bytes, rejections: Rejections, answers: BinaryIO) -> tuple[str, str] | None:
    """Send the records of a document; return the reason and the detail if it cannot be parsed."""
    try:
        with ExitStack() as files:
            call = Call(*cast("Call", Unpacker(request, rejections, files).load()))
            send_records(answers.write, map(_encoded, call.function(*call.given, **call.named) or ()))
    except UnreadableDocument as unreadable:
        return unreadable.reason, _printable(unreadable.detail)
    except MemoryError:
        return OUT_OF_MEMORY
    except ConnectionError:
        raise  # the parent is gone
    except Exception as failed:  # a fault of a parser must not stop the other documents
        last = traceback.extract_tb(failed.__traceback__)[-1]
        return "parser_failed", f"{type(failed).__name__} in {Path(last.filename).name}, line {last.lineno}"
    return None


def _encoded(record: object) -> bytes:
    message = _encoder.encode(record)
    if len(message) > RECORD_BYTES:
        raise UnreadableDocument("record_too_large", f"more than {RECORD_BYTES >> 20} MiB")
    return message


def _printable(detail: str) -> str:
    """Return a detail as the rejections of a batch keep it."""
    one = Rejections()
    one.add("", detail)
    return one.samples[""]


def _size() -> int:
    """Return the bytes of address space of this process."""
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * resource.getpagesize()


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
