"""Normalise names: fold case, accents and punctuation, and split into words.

Scripts are never changed: a Cyrillic letter that looks like a Latin one stays Cyrillic.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache

# Letters and digits, and the marks that are part of words in some scripts.
_LETTER = (
    r"[\w\u0591-\u05c7\u064b-\u065f\u0670\u0900-\u0963\u0966-\u0dff\u0e00-\u0eff\u1000-\u109f\u1780-\u17d3]"
)
_STROKES = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ħ": "h", "\u0131": "i", "æ": "ae", "œ": "oe", "ð": "d", "þ": "th"}
)
_ACCENTED = re.compile("([a-z])[\u0300-\u036f]+")
_APOSTROPHE = re.compile(r"(?<=\w)['\u2019\u2018\u02bc`](?=\w)")
_SLASH = re.compile(r"\s*[/\\]\s*")
_INITIALS = re.compile(rf"(?<!{_LETTER})(?:[^\W\d_]\.)+[^\W\d_](?!{_LETTER})\.?")
_WORD = re.compile(rf"&|(?<!{_LETTER})v/|{_LETTER}{{1,3}}(?:/{_LETTER}{{1,3}})+(?!{_LETTER})|{_LETTER}+")
# Alphabets with letters that look alike.
_ALIKE = frozenset({"LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "COPTIC", "LISU"})
_ORDINALS = "ªº"


def fold(text: str) -> str:
    """Return the text in one case and one width, without accents on Latin letters."""
    if text.isascii():
        return text.lower()
    text = unicodedata.normalize("NFD", unicodedata.normalize("NFKC", text).casefold())
    return unicodedata.normalize("NFC", _ACCENTED.sub(r"\1", text)).translate(_STROKES)


def words(text: str) -> tuple[str, ...]:
    """Return the folded words of a text, in order.

    "S.A.R.L." is one word, "t/a" is one, and "&" is one; other punctuation only separates.
    """
    return split(fold(text))


def split(folded: str) -> tuple[str, ...]:
    """Return the words of a folded text."""
    folded = folded.replace("_", " ")
    if "." in folded:
        folded = _INITIALS.sub(lambda found: found[0].replace(".", "") + " ", folded)
    if not folded.isascii() or "'" in folded or "`" in folded:
        folded = _APOSTROPHE.sub("", folded)
    if "/" in folded or "\\" in folded:
        folded = _SLASH.sub("/", folded)
    return tuple(_WORD.findall(folded))


@cache
def _alphabet(letter: str) -> str:
    return unicodedata.name(letter, "").partition(" ")[0]


@cache
def _look(letter: str) -> str:
    """Return the oddity of a single letter, or an empty string."""
    category = unicodedata.category(letter)
    if category in {"Cf", "Cc", "Co", "Cs", "Cn"}:
        return "hidden characters"
    plain = unicodedata.normalize("NFKC", letter)
    if (
        plain != letter
        and letter not in _ORDINALS
        and category[0] in "LN"
        and plain.isascii()
        and plain.isalpha()
    ):
        return "letters of another width or style"
    return ""


def oddity(text: str) -> str:
    """Return the reason why a text may be disguised, or an empty string."""
    if text.isascii() and text.isprintable():
        return ""
    if odd := min(filter(None, map(_look, set(text))), default=""):
        return odd
    for word in split(text):
        if len(_ALIKE.intersection(map(_alphabet, word))) > 1:
            return "a word of two alphabets"
    return ""
