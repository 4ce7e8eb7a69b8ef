"""Check that a fact is part of an edition that the operator signed: SHA-256 and Ed25519, computed here.

Needs the package `cryptography`: `pip install "sankofa-client[verify]"`.
"""

from __future__ import annotations

import base64
import csv
import hashlib
import re
from decimal import Decimal

import msgspec

from sankofa_client import _endpoints as ask
from sankofa_client._conversation import Conversation, Core
from sankofa_client._question import Scope
from sankofa_client._whole import rows_of
from sankofa_client.rows import FundamentalsFact, Proof

__all__ = ["NotProven", "Proven", "check"]

_FACTS, _SOURCES = "serving.fundamentals_fact", "serving.provenance"
# Columns of the sealed row with the same text as the field of the same name.
_SAME = ("service_id", "line_item", "concept", "period_end", "available_at", "unit", "scope")


class NotProven(ValueError):
    """A proof does not lead to a signed root, or it is of another row."""


class Proven(msgspec.Struct, frozen=True, kw_only=True):
    """What was proven: the row and its source were sealed by these editions, signed with the key."""

    fact_id: str
    editions: list[int]
    proofs: list[Proof]


def verify(core: Core, scope: Scope, fact: FundamentalsFact, public_key: str) -> Conversation[Proven]:
    """Fetch the proofs of a fact and check them, their signatures, and that they are of this fact."""
    proofs = yield from rows_of(core, scope, ask.PROOF, fact_id=fact.fact_id)
    return proven(fact, proofs, public_key)


def proven(fact: FundamentalsFact, proofs: list[Proof], public_key: str) -> Proven:
    """Check the proofs of a fact; NotProven unless each verifies and one row has the fact's values."""
    for proof in proofs:
        check(proof, public_key)
    rows = [values(proof) for proof in proofs if proof.table == _FACTS]
    sources = {row["provenance_id"]: row for row in map(values, proofs) if "document_ref" in row}
    for row in rows:
        source = sources.get(row["provenance_id"])
        if source and _is_of(fact, row) and fact.source_ref.startswith(source["document_ref"]):
            editions = sorted({proof.edition for proof in proofs})
            return Proven(fact_id=fact.fact_id, editions=editions, proofs=proofs)
    raise NotProven(f"no sealed row has the values of fact {fact.fact_id}")


def check(proof: Proof, public_key: str) -> None:
    """Raise NotProven unless a proof leads from its row to a root that the owner of a public key signed."""
    try:
        from cryptography.exceptions import InvalidSignature  # noqa: PLC0415 - only this needs the package
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey  # noqa: PLC0415
    except ImportError:
        raise ImportError('run: pip install "sankofa-client[verify]"') from None
    top = _climb(proof.row, proof.path)
    if not re.fullmatch(rf"{re.escape(proof.table)} [0-9]+ {top.hex()}", proof.line):
        raise NotProven(f"the row is not one of {proof.table} in edition {proof.edition}")
    if _climb(proof.line, proof.line_path).hex() != proof.root:
        raise NotProven(f"{proof.table} does not lead to the root of edition {proof.edition}")
    if proof.signature is None:
        raise NotProven(f"edition {proof.edition} is not signed")
    message = f"sankofa edition {proof.edition}\n{proof.root}\n".encode()
    try:
        key = Ed25519PublicKey.from_public_bytes(base64.b64decode(public_key))
        key.verify(base64.b64decode(proof.signature), message)
    except (InvalidSignature, ValueError):
        raise NotProven(f"edition {proof.edition} is not signed with the key {public_key}") from None


def values(proof: Proof) -> dict[str, str]:
    """Return the texts of a sealed row by column; null is an empty text."""
    (row,) = csv.reader([proof.row[1:-1].replace("\\\\", "\\")])
    return dict(zip(proof.columns, row, strict=True))


def _climb(content: str, path: list[str]) -> bytes:
    found = hashlib.sha256(b"\0" + content.encode()).digest()
    for step in path:
        other = base64.b64decode(step[1:])
        found = hashlib.sha256(b"\1" + (other + found if step[0] == "L" else found + other)).digest()
    return found


def _is_of(fact: FundamentalsFact, row: dict[str, str]) -> bool:
    same = all(row[name] == str(getattr(fact, name)) for name in _SAME)
    return same and row["fact_id"] == fact.fact_id and Decimal(row["value"]) == fact.value_reported
