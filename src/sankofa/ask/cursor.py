"""Cursors: where a page ended, signed, and pinned to one endpoint, one query and one edition.

A cursor is `v1.<key id>.<payload>.<tag>`. It does not expire, and a retired key still verifies what it
signed. Every invalid cursor gets the same error, so that a forger learns nothing from it.
"""

from __future__ import annotations

import base64
import hmac
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

import msgspec

from sankofa.core.errors import BadParameter
from sankofa.storage.edition import Edition

Scalar = str | int | bool | None

LONGEST = 3072  # a cursor must fit into an address with room to spare
DETAIL = "expected a next_cursor of this endpoint, passed back verbatim and with the same filters"

_VERSION = "v1"
_TAG_BYTES = 16
_LEAST_SECRET_BYTES = 32
_KEY_ID = re.compile(r"[A-Za-z0-9_-]{1,16}")
_SHAPE = re.compile(rf"{_VERSION}\.({_KEY_ID.pattern})\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]{{22}})")


class Cursor(msgspec.Struct, frozen=True, kw_only=True, array_like=True, forbid_unknown_fields=True):
    """What a cursor pins; `position` is the order key of the last row served, decimals and dates as text."""

    edition: int
    mark: str  # after a restore, two editions may have the same number
    query: dict[str, str]  # canonical, defaults included, without limit and cursor
    position: tuple[Scalar, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CursorKeys:
    """The secrets by key id: the one that signs, and the retired ones that still verify."""

    current: tuple[str, bytes] = field(repr=False)
    retired: Mapping[str, bytes] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        if self.current[0] in self.retired:
            raise ValueError("a cursor key is either current or retired")
        for key_id, secret in (self.current, *self.retired.items()):
            if not _KEY_ID.fullmatch(key_id):
                raise ValueError("a cursor key id is 1 to 16 letters, digits, '-' or '_'")
            if len(secret) < _LEAST_SECRET_BYTES:
                raise ValueError(f"a cursor secret has at least {_LEAST_SECRET_BYTES} bytes")

    def secret(self, key_id: str) -> bytes | None:
        """Return the secret that verifies what the key signed."""
        return self.current[1] if key_id == self.current[0] else self.retired.get(key_id)


_ENCODER = msgspec.json.Encoder(order="deterministic")
_DECODER = msgspec.json.Decoder(Cursor)


def encode(keys: CursorKeys, endpoint: str, cursor: Cursor) -> str:
    """Return the signed text of a cursor; the same cursor always gives the same text."""
    key_id, secret = keys.current
    signed = f"{_VERSION}.{key_id}.{_base64(_ENCODER.encode(cursor))}"
    text = f"{signed}.{_base64(_tag(secret, endpoint, signed))}"
    if len(text) > LONGEST:
        raise ValueError("the query is too long for a cursor; its parameters must be bounded")
    return text


def decode(keys: CursorKeys, endpoint: str, text: str) -> Cursor:
    """Return the cursor that was issued as exactly this text for this endpoint. Raise if there is none."""
    shape = _SHAPE.fullmatch(text) if len(text) <= LONGEST else None
    secret = keys.secret(shape[1]) if shape else None
    if shape is None or secret is None:
        raise _refused()
    try:
        payload, tag = _exactly(shape[2]), _exactly(shape[3])
        if not hmac.compare_digest(tag, _tag(secret, endpoint, text.rpartition(".")[0])):
            raise _refused()
        return _DECODER.decode(payload)
    except (ValueError, msgspec.DecodeError):
        raise _refused() from None


def resolve(sent: Mapping[str, str], cursor: Cursor) -> dict[str, str]:
    """Return the parameters of the next page: the cursor's, with the `limit` that was sent, if any.

    `sent` holds canonical values, path parameters included. Any other parameter may be left out or
    repeated, but not changed or added.
    """
    pinned = {**cursor.query, "edition": str(cursor.edition)}
    filters = {name: value for name, value in sent.items() if name not in {"limit", "cursor"}}
    if not filters.items() <= pinned.items():
        raise _refused()
    return pinned | {name: value for name, value in sent.items() if name == "limit"}


def confirm(cursor: Cursor, edition: Edition) -> None:
    """Raise if the service now holds another edition under the cursor's edition number."""
    if (cursor.edition, cursor.mark) != (edition.number, edition.mark):
        raise _refused()


def _refused() -> BadParameter:
    return BadParameter("cursor", DETAIL)


def _tag(secret: bytes, endpoint: str, signed: str) -> bytes:
    # `signed` holds no line break, so the two cannot run into each other.
    return hmac.digest(secret, f"{signed}\n{endpoint}".encode(), "sha256")[:_TAG_BYTES]


def _base64(octets: bytes) -> str:
    return base64.urlsafe_b64encode(octets).rstrip(b"=").decode("ascii")


def _exactly(text: str) -> bytes:
    """Decode base64url strictly: a lenient decoder accepts several texts for the same bytes."""
    octets = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    if _base64(octets) != text:
        raise ValueError("not canonical")
    return octets
