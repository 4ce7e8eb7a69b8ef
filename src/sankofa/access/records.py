"""What the key store holds: one record per valid key, and the sentinel that says it holds them all."""

from __future__ import annotations

import msgspec

from sankofa.access.tiers import TierName

# The newest registry event that the store has taken in. Without it the store has lost its contents, and
# a key that is not there proves nothing.
SENTINEL = "registry"
# Where the sentinel is kept while the registry lacks decisions that the journal has: nobody reads it there.
ASIDE = "registry:aside"
RECORDS = "key:"


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A valid key. A key that was revoked, or never issued, has no record."""

    tier: TierName
    is_public: bool


def name(key_hash: str) -> str:
    """Return where a key's record stands."""
    return RECORDS + key_hash


encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder(Record).decode
