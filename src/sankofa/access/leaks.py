"""Keys that were found in public: who may report them, and how a reported key ends.

An API process can write nothing in PostgreSQL. It keeps a report in the usage store, and
`sankofa keys leaked` revokes the key. A lost usage store loses the reports of the last seconds.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Self

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import load_pem_public_key

from sankofa.core.errors import NotFound, Refused
from sankofa.storage.redis import JobStore, Store

_LEAKED = "leaks"  # the ids of reported keys, each with the place where it was found
_ALGORITHM = ec.ECDSA(SHA256())
_LONGEST_PLACE = 300


class _Listed(msgspec.Struct):
    key_identifier: str
    key: str


class _File(msgspec.Struct):
    public_keys: list[_Listed]


class Finding(msgspec.Struct, frozen=True):
    """A text that looks like a key, and where it was found."""

    token: str
    type: str
    url: str | None = None


class Reporters:
    """Those who may report: their public keys (ECDSA on the curve P-256) by identifier."""

    def __init__(self, public_keys: Mapping[str, ec.EllipticCurvePublicKey]) -> None:
        self._public_keys = public_keys

    @classmethod
    def read(cls, path: str) -> Self:
        """Return those of a file in the form in which GitHub publishes its keys; without a path, none."""
        if not path:
            return cls({})
        try:
            listed = msgspec.json.decode(Path(path).read_bytes(), type=_File).public_keys
            public_keys = {one.key_identifier: load_pem_public_key(one.key.encode()) for one in listed}
        except (OSError, ValueError) as error:
            raise Refused(f"the leak reporters in {path} cannot be read: {error}") from None
        checked = {
            name: key for name, key in public_keys.items() if isinstance(key, ec.EllipticCurvePublicKey)
        }
        if len(checked) != len(listed):
            raise Refused(
                f"the leak reporters in {path} must have one elliptic-curve key for each identifier"
            )
        return cls(checked)

    def __bool__(self) -> bool:
        """Return whether anybody may report."""
        return bool(self._public_keys)

    def have_signed(self, identifier: str, signature: str, body: bytes) -> bool:
        """Return whether a body was signed with the key of that identifier."""
        public_key = self._public_keys.get(identifier)
        try:
            if public_key:
                public_key.verify(base64.b64decode(signature, validate=True), body, _ALGORITHM)
        except (InvalidSignature, binascii.Error, ValueError):
            return False
        return public_key is not None


async def keep_report(store: Store, key_id: str, finding: Finding) -> None:
    """Keep that a key was found in public, and where, until it is revoked."""
    place = (finding.url or "").replace(finding.token, "…")[:_LONGEST_PLACE]
    await store.ask("HSET", _LEAKED, key_id, place if place.isprintable() else "")


def revoke_reported(store: JobStore, revoke: Callable[[str], None]) -> Iterator[tuple[str, str]]:
    """Revoke each reported key; yield its id and where it was found. One that has ended is passed over."""
    for key_id, place in store.ask("HGETALL", _LEAKED).items():
        try:
            revoke(key_id)
        except NotFound:
            store.ask("HDEL", _LEAKED, key_id)
            continue
        store.ask("HDEL", _LEAKED, key_id)
        yield key_id, place


def reported(store: JobStore) -> int:
    """Return how many reported keys wait to be revoked."""
    return int(store.ask("HLEN", _LEAKED))
