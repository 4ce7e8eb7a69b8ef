"""A manifest: what an edition is made of, in lines of text. The digest is the root of the tree over them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from sankofa.editions import merkle

_LINE = re.compile(r"([a-z_.]+) ([0-9]+) ([0-9a-f]{64})")


@dataclass(frozen=True, slots=True)
class Sealed:
    """The rows of one table that an edition took in or put, or the edition before it, and their digest."""

    name: str  # a table with its schema
    count: int  # its rows
    digest: bytes

    def __str__(self) -> str:
        return f"{self.name} {self.count} {self.digest.hex()}"


_NONE_BEFORE = Sealed("previous", 0, bytes(32))


@dataclass(frozen=True, slots=True)
class Manifest:
    """All that an edition seals: its number, the edition before it, and its tables in order."""

    edition: int
    parts: tuple[Sealed, ...]
    previous: Sealed = _NONE_BEFORE  # its count is the number of the edition before; 0 before the first

    @property
    def text(self) -> str:
        """The lines: the edition's number, the edition before with its digest, each table with its own."""
        return "\n".join([f"edition {self.edition}", str(self.previous), *map(str, self.parts), ""])

    @property
    def digest(self) -> bytes:
        """The digest of the edition, and through the one before it of all before."""
        return digest_of(self.text)


def leaves(text: str) -> list[bytes]:
    """Return the hash of each line of a manifest."""
    return [merkle.leaf_hash(line.encode()) for line in text.splitlines()]


def digest_of(text: str) -> bytes:
    """Return the digest of the edition that a manifest is of."""
    return merkle.root(leaves(text) or [bytes(32)])


def previous(edition: int, digest: bytes) -> Sealed:
    """Return how a manifest names the edition before its own."""
    return Sealed("previous", edition, digest)


def parse(text: str) -> Manifest | None:
    """Read a manifest; None if the text is not exactly one."""
    first, *lines = text.split("\n")
    found = [_LINE.fullmatch(line) for line in lines[:-1]]
    sealed = [Sealed(line[1], int(line[2]), bytes.fromhex(line[3])) for line in found if line]
    number = first.removeprefix("edition ")
    if not sealed or not number.isdecimal():
        return None
    manifest = Manifest(int(number), tuple(sealed[1:]), sealed[0])
    return manifest if manifest.text == text else None
