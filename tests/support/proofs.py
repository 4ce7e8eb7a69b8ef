"""A reader's own check of a proof: SHA-256 and Ed25519, and nothing of the service's code."""

from __future__ import annotations

import base64
import csv
import hashlib
import re

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey


def climb(content, steps):
    """Return the hash at the end of a path."""
    found = hashlib.sha256(b"\0" + content).digest()
    for step in steps:
        other = base64.b64decode(step[1:])
        found = hashlib.sha256(b"\1" + (other + found if step[0] == "L" else found + other)).digest()
    return found


def is_proven(proof, public_key):
    """Return whether a proof leads to a root that the owner of a public key has signed."""
    top = climb(proof["row"].encode(), proof["path"])
    if not re.fullmatch(rf"{re.escape(proof['table'])} [0-9]+ {top.hex()}", proof["line"]):
        return False
    if climb(proof["line"].encode(), proof["line_path"]).hex() != proof["root"]:
        return False
    message = f"sankofa edition {proof['edition']}\n{proof['root']}\n".encode()
    try:
        key = Ed25519PublicKey.from_public_bytes(base64.b64decode(public_key))
        key.verify(base64.b64decode(proof["signature"]), message)
    except (InvalidSignature, ValueError):
        return False
    return True


def values(proof):
    """Return the values of a sealed row by column; an empty text is null or empty."""
    (row,) = csv.reader([proof["row"].removeprefix("(").removesuffix(")").replace("\\\\", "\\")])
    return dict(zip(proof["columns"], row, strict=True))
