"""Merkle trees, hashed as RFC 6962 does: a leaf after a byte 0, an inner node after a byte 1.

The difference keeps a node from passing for a leaf. Each pair of neighbours has a node above it, and a last
one without a neighbour moves up as it is.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence


def leaf_hash(content: bytes) -> bytes:
    """Return the hash of a leaf."""
    return hashlib.sha256(b"\0" + content).digest()


def root(hashes: Sequence[bytes]) -> bytes:
    """Return the hash at the top of a tree over at least one leaf or subtree."""
    level = hashes
    while len(level) > 1:
        level = _above(level)
    return level[0]


def path(hashes: Sequence[bytes], place: int) -> list[str]:
    """Return the steps from one of the hashes to the root: the side of each sibling (L, R) and its base64."""
    steps, level = [], hashes
    while len(level) > 1:
        sibling = place ^ 1
        if sibling < len(level):
            side = "L" if sibling < place else "R"
            steps.append(side + base64.b64encode(level[sibling]).decode())
        level, place = _above(level), place // 2
    return steps


def _above(level: Sequence[bytes]) -> list[bytes]:
    pairs = zip(level[::2], level[1::2], strict=False)
    above = [hashlib.sha256(b"\1" + left + right).digest() for left, right in pairs]
    return above + list(level[2 * len(above) :])
