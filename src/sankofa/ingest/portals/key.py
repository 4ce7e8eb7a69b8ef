"""The operator's key at a publisher: named by the source's file, and sent to the publisher's server alone.

The key itself is a secret of the installation. It is added to a request when the request is sent, so it is in
no address that is stored, logged or shown. An answer that contains it is refused: it would be archived.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import IO
from urllib.parse import quote

import msgspec

from sankofa.core.errors import Refused

_VALUE = re.compile(r"[!-~]{8,512}")  # shorter ones would be found in any document
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
_SAFE = re.compile(r"https://|http://127\.")  # the second only reaches this machine
_PIECE_BYTES = 1 << 20


class Key(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a key is sent: as a header field, or as a parameter of the address."""

    name: str  # of the key in SANKOFA_PORTAL_KEYS
    header: str = ""
    parameter: str = ""
    is_optional: bool = msgspec.field(default=False, name="optional")  # whether requests work without it

    def __post_init__(self) -> None:
        """Raise unless there is one way to send the key."""
        if bool(self.header) == bool(self.parameter) or not _WORD.fullmatch(self.header or self.parameter):
            raise ValueError(
                "a key is sent as a `header` or as a `parameter`, named by letters, digits, _ and -"
            )

    def require_safe(self, address: str) -> None:
        """Raise if the key would be readable on its way."""
        if not _SAFE.match(address):
            raise ValueError("a key is sent only to an address with https")

    def held(self, secrets: Mapping[str, str]) -> Held | None:
        """Return the key with its value; None if it is missing and optional. Errors never show the value."""
        value = secrets.get(self.name, "")
        if not value and self.is_optional:
            return None
        if not value:
            raise Refused(f"the operator's key `{self.name}` is missing: add it to SANKOFA_PORTAL_KEYS")
        if not _VALUE.fullmatch(value):
            raise Refused(
                f"the key `{self.name}` must have 8 to 512 printable ASCII characters without spaces"
            )
        return Held(self, value)


class Held:
    """A key with its value, which no representation shows."""

    def __init__(self, key: Key, value: str) -> None:
        self._key = key
        self._value = value

    def header(self) -> dict[str, str]:
        """Return the header field of a request."""
        return {self._key.header: self._value} if self._key.header else {}

    def target(self, target: str) -> str:
        """Return the target of a request."""
        if not self._key.parameter:
            return target
        return f"{target}{'&' if '?' in target else '?'}{self._key.parameter}={quote(self._value, safe='')}"

    def hidden(self, text: str) -> str:
        """Return a text without the key, which a server may have repeated."""
        return text.replace(self._value, "…").replace(quote(self._value, safe=""), "…")

    def is_in(self, file: IO[bytes]) -> bool:
        """Return whether a file contains the key in either form. It is read up to its end."""
        forms = {self._value.encode(), quote(self._value, safe="").encode()}
        longest = max(map(len, forms))
        file.seek(0)
        tail = b""
        while piece := file.read(_PIECE_BYTES):
            if any(form in tail + piece for form in forms):
                return True
            tail = (tail + piece)[1 - longest :]
        return False
