"""Service ids: unguessable, checkable, and reproducible from the ledger."""

from __future__ import annotations

import hashlib
import hmac
from typing import cast

from sankofa.core.errors import NotFound, Refused
from sankofa.editions.locks import publishing
from sankofa.storage.postgres import Connection
from sankofa.storage.queries import named

_SQL = named(__package__, "identity.sql")
_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # no I, L, O, U: an id survives being read aloud
_BITS = 60


def service_id(secret: bytes, identifier: str) -> str:
    """Return a subject's id: `DC`, 60 bits of a keyed hash of its first identifier, a check character."""
    digest = hmac.digest(secret, identifier.encode(), hashlib.sha256)
    number = int.from_bytes(digest[:8], "big") >> (64 - _BITS)
    body = "".join(_ALPHABET[number >> shift & 31] for shift in range(_BITS - 5, -1, -5))
    return f"DC{body}{check_character(body)}"


def check_character(body: str) -> str:
    """Return the Luhn check character over the id's alphabet; it detects one wrong or swapped character."""
    size = len(_ALPHABET)
    total = 0
    for place, character in enumerate(reversed(body)):
        doubled = _ALPHABET.index(character) * (2 - place % 2)
        total += doubled // size + doubled % size
    return _ALPHABET[-total % size]


def id_of(connection: Connection, identifier: str) -> str:
    """Return the service id that was issued to a subject, by its source's identifier."""
    row = connection.execute(_SQL["id_of_subject"], {"identifier": identifier}).fetchone()
    if row is None:
        raise NotFound(f"no edition has issued an id for {identifier}")
    return str(row[0])


def decide(connection: Connection, service_id: str, resolves_to: str, reason: str) -> int:
    """Record that an id resolves to another (a merge of duplicates), or to itself (a merge undone).

    It takes effect with the next edition; earlier editions answer as they did.
    """
    with publishing(connection), connection.transaction():
        for issued_id in (service_id, resolves_to):
            if connection.execute(_SQL["is_issued"], {"service_id": issued_id}).fetchone() is None:
                raise Refused(f"{issued_id} was never issued")
        survivor = connection.execute(_SQL["survivor"], {"service_id": resolves_to}).fetchone()
        if service_id != resolves_to and survivor == (service_id,):
            raise Refused(f"{resolves_to} already resolves to {service_id}; undo that merge first")
        row = connection.execute(
            _SQL["decide"], {"service_id": service_id, "resolves_to": resolves_to, "reason": reason}
        ).fetchone()
    return cast("tuple[int]", row)[0]
