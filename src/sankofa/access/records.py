"""The contents of the key store: one record per valid key, and a sentinel that marks it complete."""

from __future__ import annotations

import msgspec

from sankofa.access.tiers import TierName

# The newest registry event in the store. Without it the store has lost its contents, and a missing key
# proves nothing.
SENTINEL = "registry"
# Where the sentinel is kept while the registry lacks decisions of the journal. API processes do not read it.
ASIDE = "registry:aside"
RECORDS = "key:"


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A valid key. A key that was revoked, or never issued, has no record."""

    tier: TierName
    is_public: bool


def name(key_hash: str) -> str:
    """Return the Redis key of a record."""
    return RECORDS + key_hash


encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder(Record).decode
