"""Objects in S3 that are known by their SHA-256: read again, and compared."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from sankofa.editions.chain import Finding
from sankofa.storage.objects import Objects


class Kept(NamedTuple):
    """An object that must not change: what it is called, where its bytes are, and what they hash to."""

    edition: int  # the first that rests on it; 0 while none does
    part: str
    name: str
    key: str
    sha256: bytes


def check_kept(objects: Objects, kept: Iterable[Kept]) -> Iterator[Finding | None]:
    """Read each object again; None for one that is as it was."""
    for one in kept:
        found = objects.sha256(one.key)
        if found == one.sha256:
            yield None
        else:
            yield Finding(one.edition, one.part, one.name, "missing" if found is None else "altered")
