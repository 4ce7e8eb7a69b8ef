"""The chain of editions: each digest over the one before, the same in the database and outside of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple, cast

from sankofa.editions.manifest import Manifest, digest_of, parse
from sankofa.editions.outside import Outside
from sankofa.editions.signing import is_signed
from sankofa.storage.postgres import Connection
from sankofa.storage.queries import named

_SQL = named(__package__, "verify.sql")


class Finding(NamedTuple):
    """A difference from what an edition sealed."""

    edition: int
    part: str  # a table with its schema, or what else it concerns
    key: str
    what: str


@dataclass(slots=True)
class Chain:
    """The trusted manifests of the editions, and the places where the chain is broken."""

    manifests: dict[int, Manifest] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)  # worth knowing, and no sign of a change

    def rows(self, part: str | None) -> int:
        """Return the number of rows that the editions sealed, of all tables or of one."""
        lines = (line for manifest in self.manifests.values() for line in manifest.parts)
        return sum(line.count for line in lines if part in (None, line.name))


def read_chain(connection: Connection, outside: Outside, only: int | None = None) -> Chain:
    """Read and check the chain, all of it or the link of one edition."""
    chain = Chain()
    rows = connection.execute(_SQL["editions"]).fetchall()
    before, digest_before = 0, bytes(32)
    for kept in cast("list[_Row]", rows):
        edition, _, digest = kept[:3]
        if only in (None, edition):
            link = _Link(*kept, outside.manifest(edition))
            chain.findings += [Finding(edition, "digest", "", what) for what in link.problems()]
            manifest = link.trusted()
            if manifest:
                chain.manifests[edition] = manifest
                if (manifest.previous.count, manifest.previous.digest) != (before, digest_before):
                    what = f"does not follow edition {before}, but says it follows {manifest.previous.count}"
                    chain.findings.append(Finding(edition, "digest", "", what))
        if only is None:
            chain.notes += _lost(outside, before, edition)
        before, digest_before = edition, digest or bytes(32)
    _look_beyond(connection, outside, before, chain)
    return chain


# Its number, whether it is published, digest, manifest, signature and public key.
_Row = tuple[int, bool, bytes | None, str | None, bytes | None, bytes | None]


class _Link(NamedTuple):
    """One edition in the chain."""

    edition: int
    is_published: bool
    digest: bytes | None
    text: str | None
    signature: bytes | None
    public_key: bytes | None
    outside: str | None

    def problems(self) -> list[str]:
        """Return a message for each way in which the digest and the manifests disagree."""
        wrong = []
        if not self.is_published:
            wrong.append("the edition is missing, and its digest is there")
        if self.text is None:
            wrong.append("the digest is missing")
        elif digest_of(self.text) != self.digest:
            wrong.append("the digest is not that of the manifest")
        elif self.signature and not is_signed(self.edition, self.digest, self.signature, self.public_key):
            wrong.append("its signature does not verify")
        if self.outside is None:
            wrong.append("S3 has no manifest of it")
        elif self.text not in (None, self.outside):
            wrong.append("S3 has another manifest of it")
        return wrong

    def trusted(self) -> Manifest | None:
        """Return the edition's manifest: the one in S3, else the one in the database."""
        return parse(self.outside or "") or parse(self.text or "")


def _lost(outside: Outside, before: int, edition: int) -> list[str]:
    """Return a note for each number issued between two editions: after a restore or an unfinished publish."""
    return [
        f"edition {number} was issued and is not here: a database was restored, or a publish did not end"
        for number in range(before + 1, edition)
        if outside.manifest(number) is not None
    ]


def _look_beyond(connection: Connection, outside: Outside, newest: int, chain: Chain) -> None:
    """Add a finding if a number above all editions was issued and is not that of an unfinished build."""
    highest = outside.highest_issued()
    build = cast("tuple[int]", connection.execute(_SQL["newest_build"]).fetchone())[0]
    if highest > max(newest, build):
        what = f"editions up to {highest} were issued, and all after {newest} are missing"
        chain.findings.append(Finding(newest + 1, "digest", "", what))
