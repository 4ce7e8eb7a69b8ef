"""API keys: generation, a check that needs no store, and the stored hash.

A key is `snk_`, 30 random base62 characters (178 bits) and 6 for the CRC-32 of all before them. The
checksum is for secret scanners and cheap rejections, not for security. The tier is not in the key, so an
upgrade keeps it.
"""

from __future__ import annotations

import hmac
import re
import secrets
import string
import zlib
from collections.abc import Sequence

from sankofa.core.errors import Refused

KEY_ID_LENGTH = 12
_PREFIX = "snk_"
_BODY_LENGTH = 30
_CHECK_LENGTH = 6
_ALPHABET = string.digits + string.ascii_uppercase + string.ascii_lowercase
_KEY_ID = re.compile(rf"[0-9a-f]{{{KEY_ID_LENGTH}}}")
_FORM = re.compile(r"snk_[0-9A-Za-z]{36}")
_PEPPER_BYTES = 16
_PEPPER_ID_LENGTH = 8


def generate() -> str:
    """Return a new key. The service never stores this form."""
    body = _PREFIX + "".join(secrets.choice(_ALPHABET) for _ in range(_BODY_LENGTH))
    return body + _checksum(body)


def is_well_formed(key: str) -> bool:
    """Return whether a text has the form and the checksum of a key. Needs no store."""
    return _FORM.fullmatch(key) is not None and key[-_CHECK_LENGTH:] == _checksum(key[:-_CHECK_LENGTH])


def key_id(key_hash: str) -> str:
    """Return the name of a key in logs, counters and commands: the first 48 bits of its hash.

    Ten million keys would collide once with a chance of one in six, so the registry holds the id unique
    and draws another key when it must; 32 bits would collide thousands of times.
    """
    return key_hash[:KEY_ID_LENGTH]


def is_key_id(text: str) -> bool:
    """Return whether a text has the form of a key's id."""
    return _KEY_ID.fullmatch(text) is not None


class KeyHash:
    """The stored form of keys: HMAC-SHA-256 under a secret that no store holds, the pepper.

    One fast hash is right for a key of 178 random bits; the pepper makes rows that someone planted in a
    store useless, because nobody without it can compute the hash of a key. Keys are issued under the current
    pepper. Retired peppers recognise the keys that were issued under them.
    """

    def __init__(self, pepper: bytes, retired: Sequence[bytes] = ()) -> None:
        self._peppers = (pepper, *retired)
        if min(map(len, self._peppers)) < _PEPPER_BYTES:
            raise Refused(f"a key pepper must have at least {_PEPPER_BYTES} bytes")

    def of(self, key: str) -> str:
        """Return the hash of a key under the current pepper, in hexadecimal."""
        return _hash(self._peppers[0], key)

    def each(self, key: str) -> tuple[str, ...]:
        """Return the hash of a key under every pepper, the current one first."""
        return tuple(_hash(pepper, key) for pepper in self._peppers)

    @property
    def pepper_ids(self) -> tuple[str, ...]:
        """The names of the peppers, the current one first. A name reveals nothing of its pepper."""
        return tuple(_hash(pepper, "pepper id")[:_PEPPER_ID_LENGTH] for pepper in self._peppers)


def _hash(pepper: bytes, text: str) -> str:
    return hmac.digest(pepper, text.encode(), "sha256").hex()


def _checksum(body: str) -> str:
    number = zlib.crc32(body.encode())
    digits: list[str] = []
    for _ in range(_CHECK_LENGTH):
        number, digit = divmod(number, len(_ALPHABET))
        digits.append(_ALPHABET[digit])
    return "".join(reversed(digits))
