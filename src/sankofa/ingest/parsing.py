"""Parse documents in child processes with limits of memory and time.

A document that exhausts its limits, or crashes its parser, is refused like any other that cannot be read, and
the process that ingests goes on with the next one. A child parses many documents and is replaced after a
fault.
"""

from __future__ import annotations

import io
import os
import signal
import socket
import subprocess
import sys
import time
import weakref
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from sankofa.core.errors import UnreadableDocument
from sankofa.ingest.frames import BUFFER_BYTES, LARGEST_BATCH, Call, Ending, Packer, receive, send

T = TypeVar("T")
KILLED = "parser_killed"  # the only reason that may not be the document's fault
_START_SECONDS = 60
_LAST_SECONDS = 5  # in which a process that closed its socket has ended
_ENDING = msgspec.msgpack.Decoder(Ending)


class Bounds(msgspec.Struct, frozen=True, kw_only=True):
    """What the parsing of one document may use."""

    memory: int = 2 << 30  # bytes of address space
    seconds: int = 1_800  # of processor time, and of waiting for it


class Parsing:
    """Child processes that parse, started when they are needed and kept for the next document."""

    def __init__(self, bounds: Bounds) -> None:
        self.bounds = bounds
        self._idle: list[_Child] = []  # threads share it: append and pop are atomic
        weakref.finalize(self, _end_all, self._idle)

    def isolated(
        self, function: Callable[..., Iterable[T] | None], record: type[T]
    ) -> Callable[..., Iterator[T]]:
        """Return the function as one that runs in a child and yields records of this type.

        Its arguments may include an opened file and `Rejections`, whose counts are complete at the end.
        """
        return partial(self._parsed, function, msgspec.msgpack.Decoder(list[record]))  # type: ignore[valid-type]

    def _parsed(
        self,
        function: Callable[..., Iterable[T] | None],
        decoder: msgspec.msgpack.Decoder[list[T]],
        *given: Any,  # noqa: ANN401 - as the function takes them
        **named: Any,  # noqa: ANN401
    ) -> Iterator[T]:
        packer = Packer()
        request = packer.packed(Call(function, given, named))
        child = self._child()
        is_good = False
        try:
            for message in child.answer(request):
                yield from decoder.decode(message)
            ending = child.ending
            is_good = not ending.is_last
        except msgspec.DecodeError as wrong:
            raise UnreadableDocument("parser_failed", f"a record of another shape: {wrong}") from wrong
        finally:
            if is_good:
                self._idle.append(child)
            else:
                child.end()
        for reason, (rows, sample) in ending.rejected.items():
            packer.rejections.add(reason, sample, rows)
        if ending.refusal:
            reason, detail = ending.refusal
            raise UnreadableDocument(reason, child.memory_limit if reason == "out_of_memory" else detail)

    def _child(self) -> _Child:
        while self._idle:
            if (child := self._idle.pop()).is_alive():
                return child
            child.end()
        return _Child(self.bounds)


class _Child:
    """One child process, and the time that it has left for a document."""

    def __init__(self, bounds: Bounds) -> None:
        self._bounds = bounds
        self.memory_limit = f"needed more than {bounds.memory / (1 << 30):.3g} GiB of memory"
        self._link, other = socket.socketpair()
        with other:
            self._process = subprocess.Popen(
                [
                    *(sys.executable, "-B", "-P", "-m", "sankofa.ingest.parsing_process"),
                    *(str(bounds.memory), str(bounds.seconds)),
                ],
                stdin=other.fileno(),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env={"PYTHONPATH": os.pathsep.join(str(Path(folder).absolute()) for folder in sys.path)},
            )
        self._answers = io.BufferedReader(self._link.makefile("rb", 0), BUFFER_BYTES)
        self._link.settimeout(_START_SECONDS)  # not counted as the document's time
        receive(self._answers)
        self.ending = Ending()

    def is_alive(self) -> bool:
        return self._process.poll() is None

    def answer(self, request: bytes) -> Iterator[bytes]:
        """Yield messages with the records of a document. Only the time of waiting for them is counted."""
        left = float(self._bounds.seconds)
        try:
            self._link.settimeout(left)
            send(self._link.sendall, request)
            while True:
                begun = time.monotonic()
                self._link.settimeout(max(left, 0.001))
                found = receive(self._answers, LARGEST_BATCH)
                left -= time.monotonic() - begun
                if found is None:
                    raise self._death()
                if not found[0]:
                    self.ending = _ENDING.decode(found[1])
                    return
                yield found[1]
        except TimeoutError:
            raise self._too_slow() from None
        except ConnectionError:
            raise self._death() from None

    def end(self) -> None:
        """End the process, whatever it does."""
        self._process.kill()
        self._process.wait()
        self._answers.close()
        self._link.close()

    def _too_slow(self) -> UnreadableDocument:
        return UnreadableDocument("out_of_time", f"needed more than {self._bounds.seconds:,} s")

    def _death(self) -> UnreadableDocument:
        try:
            status = self._process.wait(_LAST_SECONDS)
        except subprocess.TimeoutExpired:
            return UnreadableDocument("parser_failed", "its process sent no records")
        if status == -signal.SIGXCPU:
            return self._too_slow()
        if status in (-signal.SIGKILL, -signal.SIGTERM):
            return UnreadableDocument(KILLED, "its process was killed, by the system or by an operator")
        how = signal.Signals(-status).name if status < 0 else f"status {status}"
        if status == -signal.SIGSEGV:  # some libraries crash where no memory is left
            how += f"; perhaps it {self.memory_limit}"
        return UnreadableDocument("parser_failed", f"its process ended with {how}")


def _end_all(children: list[_Child]) -> None:
    for child in children:
        child.end()


PARSING = Parsing(Bounds())  # for callers without limits of their own
