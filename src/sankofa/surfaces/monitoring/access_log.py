"""The access log: one JSON object per request and line.

Lines are collected and written in pieces that a pipe takes as a whole, so that the lines of several
processes never mix. If the reader of the pipe is too slow, lines are dropped and counted: requests do not
wait for a log.
"""

from __future__ import annotations

import os
import select

import msgspec

from sankofa.web.telemetry import Handled

STANDARD_OUTPUT = "-"
_PIECE = select.PIPE_BUF
_encode = msgspec.json.Encoder().encode_into


class AccessLog:
    """Writes to standard output (`-`) or appends to a file."""

    def __init__(self, target: str) -> None:
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT
        self._fd = os.dup(1) if target == STANDARD_OUTPUT else os.open(target, flags, 0o640)
        self._poll = select.poll()
        self._poll.register(self._fd, select.POLLOUT)
        self._lines = bytearray()
        self._line = bytearray()
        self._waiting = 0
        self.dropped = 0

    def observe(self, handled: Handled) -> None:
        """Add the line of one request."""
        line = self._line
        _encode(handled, line)
        line += b"\n"
        if len(self._lines) + len(line) > _PIECE:
            self.flush()
        self._lines += line
        self._waiting += 1

    def flush(self) -> None:
        """Write the collected lines, or drop them if they cannot be written without waiting."""
        if not self._lines:
            return
        try:
            written = os.write(self._fd, self._lines) if self._poll.poll(0) else 0
        except OSError:  # a full disk, or a pipe without a reader
            written = 0
        if not written:
            self.dropped += self._waiting
        self._lines.clear()
        self._waiting = 0

    def close(self) -> None:
        """Write the last lines and close the file."""
        self.flush()
        os.close(self._fd)
