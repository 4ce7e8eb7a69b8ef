"""Proofs that a fact is part of an edition: its rows as they were sealed, and the path to the signed root."""

from __future__ import annotations

import base64
from typing import NamedTuple

import msgspec

from sankofa.ask.cursor import Scalar
from sankofa.ask.endpoint import Found, Page
from sankofa.ask.params import EditionNumber
from sankofa.core.errors import NotFound
from sankofa.editions import merkle
from sankofa.editions.manifest import leaves
from sankofa.facts.fact import FactId
from sankofa.storage.queries import named
from sankofa.storage.reading import Reader

# A fact has a row for each line item and for each label that its period ever had, and each row a source.
MOST_PROOFS = 100
_SQL = named(__package__, "proof.sql")


class Proof(msgspec.Struct, frozen=True):
    """One stored row of a fact, with the hashes that lead to the root of the edition that sealed it."""

    table: str
    columns: list[str]
    row: str
    path: list[str]
    line: str
    line_path: list[str]
    edition: int
    root: str
    signature: str | None
    public_key: str | None


class ProofParams(msgspec.Struct, frozen=True, kw_only=True):
    """The parameters of a query for the proofs of one fact."""

    fact_id: FactId
    edition: EditionNumber = None


def place_of_proof(proof: Proof) -> tuple[Scalar, ...]:
    """Return a proof's place in the order."""
    return proof.table, proof.row


async def proofs_of_fact(reader: Reader, params: ProofParams, page: Page) -> Found:
    """Return the proof of each row that an edition holds of a fact; raise NotFound without any."""
    if not params.fact_id:
        raise NotFound
    bound = {"fact_id": params.fact_id, "edition": page.edition.number, "rows": page.rows + 1}
    rows = await reader.fetch(_SQL["proofs_of_fact"], bound, edition=page.edition)
    if not rows:
        raise NotFound
    return Found(rows=[_Sealed(*row).proof() for row in rows])


class _Sealed(NamedTuple):
    """A row as it was sealed, and the hashes beside it at each level of the tree."""

    table: str
    edition: int
    columns: list[str]
    content: str
    row_hashes: list[bytes]
    row_place: int
    blocks: list[bytes]
    block_place: int
    groups: list[bytes]
    group_place: int
    manifest: str
    digest: bytes
    signature: bytes | None
    public_key: bytes | None

    def proof(self) -> Proof:
        """Return the proof of the row."""
        lines = self.manifest.splitlines()
        line = next(line for line in lines if line.startswith(f"{self.table} "))
        return Proof(
            table=self.table,
            columns=self.columns,
            row=self.content,
            path=[
                *merkle.path(self.row_hashes, self.row_place),
                *merkle.path(self.blocks, self.block_place),
                *merkle.path(self.groups, self.group_place),
            ],
            line=line,
            line_path=merkle.path(leaves(self.manifest), lines.index(line)),
            edition=self.edition,
            root=self.digest.hex(),
            signature=_base64(self.signature),
            public_key=_base64(self.public_key),
        )


def _base64(content: bytes | None) -> str | None:
    return None if content is None else base64.b64encode(content).decode()
