"""Signatures of editions: Ed25519 over the edition's number and digest."""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass
from functools import cached_property

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from sankofa.core.errors import Refused

_KEY_BYTES = 32


@dataclass(frozen=True)
class SigningKey:
    """An operator's private key: 32 random bytes."""

    secret: bytes

    @cached_property
    def public(self) -> bytes:
        """The public key, which verifies what this key has signed."""
        return self._private.public_key().public_bytes_raw()

    @cached_property
    def _private(self) -> Ed25519PrivateKey:
        return Ed25519PrivateKey.from_private_bytes(self.secret)

    def sign(self, edition: int, digest: bytes) -> bytes:
        """Return the signature of an edition."""
        return self._private.sign(message(edition, digest))


def message(edition: int, digest: bytes) -> bytes:
    """Return the text that is signed. It begins with its purpose, so that it cannot pass for another."""
    return f"sankofa edition {edition}\n{digest.hex()}\n".encode()


def is_signed(edition: int, digest: bytes, signature: bytes, public_key: bytes | None) -> bool:
    """Return whether a signature of an edition is by the owner of a public key."""
    try:
        Ed25519PublicKey.from_public_bytes(public_key or b"").verify(signature, message(edition, digest))
    except (InvalidSignature, ValueError):
        return False
    return True


def key_id(public_key: bytes) -> str:
    """Return the short name of a public key: the beginning of its hash."""
    return hashlib.sha256(public_key).hexdigest()[:16]


def read_key(text: str) -> SigningKey | None:
    """Return the key that a setting holds in base64, or None if it is empty."""
    if not text:
        return None
    try:
        secret = base64.b64decode(text.strip(), validate=True)
    except ValueError:
        secret = b""
    if len(secret) != _KEY_BYTES:
        made_by = f"openssl rand -base64 {_KEY_BYTES}"
        raise Refused(f"SANKOFA_SIGNING_KEY must be {_KEY_BYTES} random bytes in base64, as of {made_by}")
    return SigningKey(secret)
