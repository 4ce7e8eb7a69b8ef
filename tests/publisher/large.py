"""A file of any size, made as it is sent: it keeps to ranges, counts what it sends, and can wait."""

from __future__ import annotations

import hashlib
import re
import threading
from collections.abc import Iterator

from support.answering import Answer

PIECE = 1 << 18
_RANGE = re.compile(r"bytes=(\d+)-")


class Large:
    """Answers with a file of so many pieces, each of them different."""

    tag = '"one version"'

    def __init__(self, pieces: int) -> None:
        self.pieces = pieces
        self.size = pieces * PIECE
        self.sent: list[tuple[int, int]] = []  # of each answer: the first byte and the one after the last
        self.hold_at: int | None = None  # a piece before which it waits
        self.is_over = threading.Event()  # ends the waiting

    def __call__(self, asked):
        wanted = _RANGE.fullmatch(asked.headers.get("Range", ""))
        is_rest = wanted is not None and asked.headers.get("If-Range") == self.tag
        start = int(wanted[1]) if is_rest else 0
        headers = {"ETag": self.tag, "Content-Length": str(self.size - start)}
        if is_rest:
            headers["Content-Range"] = f"bytes {start}-{self.size - 1}/{self.size}"
        return Answer(self._from(start), 206 if is_rest else 200, headers)

    def sha256(self):
        """Return the hash of the whole file in hexadecimal."""
        digest = hashlib.sha256()
        for number in range(self.pieces):
            digest.update(_piece(number))
        return digest.hexdigest()

    def go_on(self):
        """End the waiting, and wait no more."""
        self.hold_at = None
        self.is_over.set()
        self.is_over = threading.Event()

    def _from(self, start: int) -> Iterator[bytes]:
        place = len(self.sent)
        self.sent.append((start, start))
        number, skipped = divmod(start, PIECE)
        while number < self.pieces:
            if self.hold_at is not None and number >= self.hold_at:
                self.is_over.wait()
                return
            piece = _piece(number)[skipped:]
            self.sent[place] = (start, self.sent[place][1] + len(piece))
            yield piece
            number, skipped = number + 1, 0


def _piece(number: int) -> bytes:
    return number.to_bytes(8, "big") * (PIECE // 8)
