"""The contacts of a release: every name, e-mail and telephone number of a contact in it.

All keys that sound like a person are searched, because portals invent keys. Contacts are used only to
recognise them in text, and are never stored.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from enum import Enum
from typing import Any

from sankofa.entities.folding import words

_PERSONAL_KEY = re.compile(
    r"contact|person(?!al|nel)|signator|beneficial|owner(?!ship)|officer|representative|attendee"
    r"|author(?!it)|director(?!ate)|manager|people|proprietor|shareholder",
    re.IGNORECASE,
)
_NAME_KEY = re.compile(r"name|nombre|apellido", re.IGNORECASE)
_MAIL_KEY = re.compile(r"mail|correo", re.IGNORECASE)
_TELEPHONE_KEY = re.compile(r"phone|telef|fax|mobile|cellular|^tel", re.IGNORECASE)
_SEVERAL = re.compile(r"[/;|&\n]| (?:or|and|y|et) ")


def _listed(names: str) -> frozenset[str]:
    return frozenset(names.split())


_HONORIFICS = _listed(
    "mr mrs ms miss dr prof professor adv advocate sir madam mme mlle m sr sra srta ing lic eng engr chief "
    "alhaji hajia rev pastor hon capt"
)
# A contact that consists only of these is an office: its words would withhold many titles.
_OFFICE = _listed(
    "a administration admin and bid bids central chain centre contact contracts de department desk enquiries "
    "for information management manager n n/a na none null of office officer procurement purchasing "
    "representante scm services supply tba tbc team technical tender tenders the unit ventas"
)
_SHORTEST_TELEPHONE = 6
_SHORTEST_NAME = 3
_LONGEST_NAME = 8  # words of a name that are compared
_LONGEST_TELEPHONE = 20
_DIGITS = re.compile(r"\d+")
_DIGIT = re.compile(r"[^\x00-\x7f](?<=\d)")
_AROUND_EMAIL = ".,;:<>()[]{}\"'"

Name = tuple[str, ...]  # folded words


class Contacts:
    """The contacts of one release; each search is linear in the length of the text."""

    def __init__(self, names: Iterable[Name], emails: Iterable[str], telephones: Iterable[str]) -> None:
        self._names = frozenset(names)
        self._first = frozenset(name[0] for name in self._names)
        self._name_lengths = sorted({len(name) for name in self._names})
        self._emails = frozenset(emails)
        self._telephones = frozenset(telephones)
        self._telephone_lengths = sorted({len(number) for number in self._telephones})

    def named_in(self, text: str) -> bool:
        """Return whether a text contains the words of a name, in order."""
        if not self._names:
            return False
        spoken = words(text)
        return any(
            spoken[place : place + length] in self._names
            for place, word in enumerate(spoken)
            if word in self._first
            for length in self._name_lengths
        )

    def mailed_in(self, text: str) -> bool:
        """Return whether a text contains one of the e-mail addresses as a whole."""
        return bool(self._emails) and not self._emails.isdisjoint(_emails(text))

    def telephoned_in(self, text: str) -> bool:
        """Return whether the digits of a text contain one of the telephone numbers."""
        if not self._telephones:
            return False
        written = digits(text)
        return any(
            written[place : place + length] in self._telephones
            for length in self._telephone_lengths
            for place in range(len(written) - length + 1)
        )


NOBODY = Contacts((), (), ())


def contacts(release: dict[str, Any]) -> Contacts:
    """Return all contacts of a release."""
    names, emails, telephones = set[Name](), set[str](), set[str]()
    for key, value in _personal(release):
        if "@" in value:
            emails.update(_emails(value))
        elif _TELEPHONE_KEY.search(key):
            telephones.update(digits(part)[:_LONGEST_TELEPHONE] for part in (value, *_SEVERAL.split(value)))
        else:
            names.update(_names(value))
    numbers = (number for number in telephones if len(number) >= _SHORTEST_TELEPHONE)
    return Contacts(names, emails, numbers) if names or emails or telephones else NOBODY


def names(release: dict[str, Any]) -> Iterator[frozenset[str]]:
    """Yield the words of every name in a release, whatever it names."""
    waiting: list[tuple[str, Any, bool]] = [("", release, False)]
    while waiting:
        key, value, personal = waiting.pop()
        for inner, held in value.items() if isinstance(value, dict) else ((key, item) for item in value):
            leads = personal or _KEYS[inner] is _Key.LEADS
            if isinstance(held, dict | list):
                waiting.append((inner, held, leads))
            elif isinstance(held, str) and (leads or _KEYS[inner] is _Key.NAMES):
                yield frozenset(words(held))


def digits(text: str) -> str:
    """Return only the digits of a text."""
    return "".join(_DIGITS.findall(plain(text)))


def plain(text: str) -> str:
    """Return a text with letters and digits in their plain forms."""
    if text.isascii():
        return text
    return _DIGIT.sub(lambda digit: str(unicodedata.decimal(digit[0])), unicodedata.normalize("NFKC", text))


def _emails(text: str) -> Iterator[str]:
    return (part.strip(_AROUND_EMAIL) for part in text.casefold().split() if "@" in part)


def _personal(release: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield each string that names or reaches a person, with its key.

    Every value of every release is checked here, so the loop compares exact types for speed.
    """
    waiting: list[tuple[str, Any, bool]] = [("", release, False)]
    while waiting:
        key, value, personal = waiting.pop()
        pairs = value.items() if type(value) is dict else ((key, item) for item in value)
        for inner, held in pairs:
            kind = type(held)
            if kind is str:
                means = _KEYS[inner]
                if means is not _Key.OTHER and (personal or means is not _Key.NAMES):
                    yield inner, held
            elif kind is dict or kind is list:
                waiting.append((inner, held, personal or _KEYS[inner] is _Key.LEADS))


class _Key(Enum):
    LEADS = "a person stands under it"
    REACHES = "its text reaches somebody"
    NAMES = "its text is a name, of a person or not"
    OTHER = "none of these"


class _Keys(dict[str, _Key]):
    """A cache of the meaning of keys, since every release has the same few hundred."""

    _MOST = 1 << 14

    def __missing__(self, key: str) -> _Key:
        if _MAIL_KEY.search(key) or _TELEPHONE_KEY.search(key):
            means = _Key.REACHES
        elif _PERSONAL_KEY.search(key):
            means = _Key.LEADS
        else:
            means = _Key.NAMES if _NAME_KEY.search(key) else _Key.OTHER
        if len(self) < self._MOST:
            self[key] = means
        return means


_KEYS = _Keys()


def _names(text: str) -> Iterator[Name]:
    """Yield the words of a name, also with the surname moved to the other end."""
    for part in {text, *_SEVERAL.split(text)}:
        held = list(words(part))
        while held and held[0] in _HONORIFICS:
            del held[0]
        letters = sum(len(word) for word in held if not word.isdigit())
        if letters >= _SHORTEST_NAME and not _OFFICE.issuperset(held):
            for order in (held, held[-1:] + held[:-1], held[1:] + held[:1]):
                yield tuple(order[:_LONGEST_NAME])
