"""Who must never leave: persons and contacts as the portals' own files name them, looked for in anything.

Imports nothing of the service: what counts as a contact or a party is read from the files anew, and names are
compared by a folding of its own.
"""

from __future__ import annotations

import gzip
import io
import json
import re
import unicodedata
import zipfile
from collections import defaultdict

_CONTACT = re.compile("contact", re.IGNORECASE)
_WORD = re.compile(r"\w+")
_DIGITS = re.compile(r"\d+")
_FEWEST_WORDS = 2  # a single word may be anybody's, or a common noun
_FEWEST_DIGITS = 7
PARTY_LISTS = ("parties", "suppliers", "tenderers")
PARTY_PLACES = ("buyer", "procuringEntity")


def folded(text):
    """Return the words of a text without case and accents."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    return tuple(_WORD.findall("".join(letter for letter in plain if not unicodedata.combining(letter))))


def documents(data):
    """Yield the JSON values of a file, however it is packed."""
    if data[:2] == b"PK":
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for name in archive.namelist():
                yield from documents(archive.read(name))
        return
    if data[:2] == b"\x1f\x8b":
        yield from documents(gzip.decompress(data))
        return
    try:
        yield json.loads(data)
    except ValueError:
        for line in data.splitlines():
            try:
                yield json.loads(line)
            except ValueError:
                return  # what is no JSON was refused, and nothing of it can leave


class Named:
    """What the files say of contacts and parties."""

    def __init__(self):
        self.names = set()
        self.emails = set()
        self.telephones = set()
        self.parties = defaultdict(set)  # by name: the numbers that registers know it by

    def read(self, data):
        for value in documents(data):
            self._visit(value, "", in_contact=False)

    def _visit(self, value, key, *, in_contact):
        if isinstance(value, list):
            for one in value:
                self._visit(one, key, in_contact=in_contact)
        elif isinstance(value, dict):
            if key in PARTY_LISTS or key in PARTY_PLACES:
                self._party(value)
            for inner, one in value.items():
                self._visit(one, inner, in_contact=in_contact or bool(_CONTACT.search(inner)))
        elif in_contact and isinstance(value, str):
            self._contact(key, value)

    def _contact(self, key, text):
        word = key.casefold()
        if "mail" in word:
            self.emails.update(part for part in re.split(r"[\s;,/]+", text.casefold()) if "@" in part)
        elif any(part in word for part in ("phone", "fax", "mobile", "tel")):
            self.telephones.add("".join(_DIGITS.findall(text)))
        elif "name" in word or _CONTACT.search(key):
            self.names.add(folded(text))

    def _party(self, party):
        name = party.get("name")
        if isinstance(name, str):
            numbers = [party.get("identifier"), *(party.get("additionalIdentifiers") or [])]
            self.parties[name].update(
                str(number["id"]) for number in numbers if isinstance(number, dict) and number.get("id")
            )

    def shown(self, established):
        """Return the parties whose names, or whose numbers under another name, are established."""
        names = {folded(name) for name in established}
        numbers = {number for name, held in self.parties.items() if folded(name) in names for number in held}
        return {
            name for name, held in self.parties.items() if folded(name) in names or held & numbers
        }, numbers

    def forbidden(self, established):
        """Return the names that must not leave: contacts, and parties that are not established."""
        shown, _ = self.shown(established)
        names = {folded(name) for name in established} | {folded(name) for name in shown}
        withheld = {folded(name) for name in self.parties}
        return {name for name in (self.names | withheld) - names if len(name) >= _FEWEST_WORDS}

    def numbers(self, established):
        """Return the digits that must not leave: telephones, and numbers of parties that are withheld."""
        shown, held = self.shown(established)
        withheld = {
            number for name, numbers in self.parties.items() if name not in shown for number in numbers - held
        }
        found = self.telephones | {"".join(_DIGITS.findall(number)) for number in withheld}
        return {number for number in found if len(number) >= _FEWEST_DIGITS}


class Search:
    """Looks for many names and numbers in a text at once."""

    def __init__(self, names, numbers, emails):
        self.names = defaultdict(list)
        for name in sorted(names):
            self.names[name[0]].append(name)
        self._numbers = numbers
        self._emails = emails

    def hits(self, text):
        """Return what of them stands in a text."""
        words = folded(text)
        found = {
            " ".join(name)
            for place, word in enumerate(words)
            for name in self.names.get(word, ())
            if words[place : place + len(name)] == name
        }
        found |= self._numbers.intersection(re.sub(r"[ ()+-]", "", run) for run in _runs(text))
        return found | {email for email in self._emails if email in text.casefold()}


def _runs(text):
    """Yield the runs of digits of a text, also those that are spaced like a telephone."""
    yield from _DIGITS.findall(text)
    yield from re.findall(r"\+?\d[\d ()-]{5,}\d", text)
