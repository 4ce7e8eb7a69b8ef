"""Remove invisible characters from third-party text for agents.

Control characters, direction marks, zero-width characters and tags can hide instructions from a human reader.
REST serves texts as their sources wrote them.
"""

from __future__ import annotations

import re

# All of the categories Cc, Cf, Co, Cs, Zl and Zp above ASCII, and what is drawn as nothing although it
# counts as a letter or a mark: fillers, blank Braille, variation selectors, noncharacters.
HIDDEN = (
    r"\x7f-\x9f\xad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160\u17b4\u17b5"
    r"\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ud800-\uf8ff\ufdd0-\ufdef\ufe00-\ufe0f"
    r"\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff\U000110bd\U000110cd\U00013430-\U0001345f\U0001bca0-\U0001bca3"
    r"\U0001d173-\U0001d17a\U000e0000-\U000e0fff\U000f0000-\U0010ffff"
)
# In JSON, control characters are written as escapes; other escapes are skipped as a whole.
_INVISIBLE = re.compile(rf"\\(?:[bfnrt]|u00[01][0-9a-f])|(\\.)|[{HIDDEN}]")
_BREAKS = frozenset({"\\n", "\\r", "\\t", "\x85", "\u2028", "\u2029"})


def visible(encoded: bytes) -> bytes:
    """Return encoded JSON without invisible characters in its texts; a line break becomes a space."""
    if encoded.isascii() and b"\\" not in encoded and b"\x7f" not in encoded:
        return encoded
    return _INVISIBLE.sub(_escape, encoded.decode()).encode()


def _escape(found: re.Match[str]) -> str:
    return found[1] or (" " if found[0] in _BREAKS else "")
