"""The journal: decisions that must outlive the database, in S3. One small object for each, append-only.

The name of an object is the number of its record and the SHA-256 of its bytes, so that an altered one is
recognised. The database decides first and the journal follows. If the journal goes beyond the newest decision
of the database, the database was restored from an older copy, or lost its last commits.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Generic, Protocol, TypeVar

import msgspec

from sankofa.core.errors import Refused
from sankofa.storage.objects import Objects
from sankofa.storage.postgres import Connection

_NAME = re.compile(r"\d{10}-[0-9a-f]{64}")


class Numbered(Protocol):
    """A record: a msgspec struct with a number."""

    @property
    def number(self) -> int:
        """Its position in the order of decisions."""


R = TypeVar("R", bound=Numbered)


class Journal(Generic[R]):
    """The records of one kind of decision of one installation, in addition to those in the database."""

    def __init__(
        self,
        objects: Objects,
        connection: Connection,
        kind: str,
        form: type[R],
        *,
        newest: Callable[[], int],
        after: Callable[[int], Sequence[R]],
    ) -> None:
        """Open a journal; `newest` and `after` read the newest number and later decisions of the database."""
        row = connection.execute("SELECT instance_id FROM ops.instance").fetchone()
        self._objects = objects
        self._folder = f"{kind}/{row[0] if row else ''}/"
        self._decode = msgspec.json.Decoder(form).decode
        self._newest = newest
        self._after = after

    def keep_after(self, number: int, names: Collection[str] = ()) -> int:
        """Add the decisions after a number, except those with the given names; return the last number."""
        for record in self._decisions(number):
            if _name(record) not in names:
                self._objects.keep(self._folder + _name(record), msgspec.json.encode(record))
            number = record.number
        return number

    def complete(self) -> int:
        """Add all missing decisions, and return the number of the last."""
        return self.keep_after(0, set(self._names()))

    def lacking(self) -> Iterator[R]:
        """Return the records that the database lacks or has under another number, in order."""
        known = {_name(record) for record in self._decisions(0)}
        return (self._read(name) for name in self._names() if name not in known)

    def require_not_ahead(self) -> None:
        """Raise if the database was restored and the journal has other decisions under its numbers."""
        if self._is_ahead():
            raise Refused(
                "the journal has decisions that the database lacks: it was restored from an older copy. Run "
                "`sankofa catch-up` first"
            )

    def _decisions(self, number: int) -> Iterator[R]:
        """Yield the decisions of the database after one."""
        while records := self._after(number):
            yield from records
            number = records[-1].number

    def _is_ahead(self) -> bool:
        """Return whether a record is newer than the newest decision.

        If one was made meanwhile, compare again.
        """
        while self._objects.keys(self._folder, after=f"{self._folder}{(newest := self._newest()) + 1:010}"):
            if self._newest() == newest:
                return True
        return False

    def _names(self) -> list[str]:
        """Return the names of all records, in the order of their numbers."""
        names = sorted(key.removeprefix(self._folder) for key in self._objects.keys(self._folder))
        if strange := [name for name in names if not _NAME.fullmatch(name)]:
            raise Refused(f"the journal has {self._folder}{strange[0]}, which is no record")
        return names

    def _read(self, name: str) -> R:
        content = self._objects.fetch(self._folder + name) or b""
        if hashlib.sha256(content).hexdigest() != name.partition("-")[2]:
            raise Refused(
                f"{self._folder}{name} was altered: put back the version whose SHA-256 is in its name"
            )
        try:
            return self._decode(content)
        except msgspec.DecodeError as error:
            raise Refused(
                f"{self._folder}{name} has a form that this version cannot read: {error}"
            ) from error


def _name(record: Numbered) -> str:
    return f"{record.number:010}-{hashlib.sha256(msgspec.json.encode(record)).hexdigest()}"
