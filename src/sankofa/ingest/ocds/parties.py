"""The parties of a release, each once, and the references to them.

OCDS 1.1 lists parties and refers to them by id; OCDS 1.0 writes them out where they act; real documents mix
both. Two mentions are one party if their names agree and no register gives them different numbers. An id
alone proves nothing, because portals use one id for several parties, and an award assigned to the wrong party
is worse than a duplicated party.
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import Any

from sankofa.entities.folding import words
from sankofa.ingest.identifiers import clean_name, country
from sankofa.ingest.ocds.contacts import NOBODY
from sankofa.ingest.ocds.fields import Fields, codes
from sankofa.ingest.ocds.text import flags
from sankofa.tenders.model import Identifier, Party

_LONGEST_IDENTIFIER = 100
_COMPARED = 16  # compared parties that share an id, a number or a name, to avoid quadratic cost
_NUMBERS = 16  # of one party
_SCHEME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:-]{0,63}")
_SCALES = codes("micro sme small medium large selfEmployed")
_ROLES = codes(
    "buyer procuringEntity supplier tenderer funder enquirer payer payee reviewBody interestedParty"
) | {
    "bidder": "tenderer",
    "participante": "tenderer",
    "comprador": "buyer",
    "proveedor": "supplier",
    "proveedorocontratista": "supplier",
    "contractor": "supplier",
    "entidadquerealizalacontratación": "procuringEntity",
    "procurer": "procuringEntity",
}
_KEPT_APART = {"name": "party_name_reused", "number": "identifier_shared", "id": "party_id_reused"}


_Key = tuple[str, ...]  # keys that two mentions of a party may share: a name, a register number, an id


class _Draft:
    """A party while the release is read."""

    __slots__ = ("country", "identifiers", "local_id", "name", "roles", "scale", "words")

    def __init__(self, local_id: str | None, name: str | None, identifiers: list[Identifier]) -> None:
        self.local_id = local_id
        self.name = name
        self.words = frozenset(words(name)) if name else frozenset()
        self.identifiers = identifiers
        self.roles: set[str] = set()
        self.scale: str | None = None
        self.country: str | None = None

    def may_be(self, other: _Draft) -> bool:
        """Return whether two mentions can be one party."""
        schemes = {number.scheme for number in self.identifiers}
        return self.agrees(other) and all(
            number in self.identifiers or number.scheme not in schemes for number in other.identifiers
        )

    def agrees(self, other: _Draft) -> bool:
        """Return whether all words of one name are in the other; a missing name agrees with any."""
        return self.words <= other.words or other.words <= self.words

    def join(self, other: _Draft) -> None:
        """Add the fields of another mention of the party."""
        self.local_id = self.local_id or other.local_id
        self.name, self.words = (self.name, self.words) if self.name else (other.name, other.words)
        self.identifiers += [number for number in other.identifiers if number not in self.identifiers]
        del self.identifiers[_NUMBERS:]
        self.roles |= other.roles
        self.scale = self.scale or other.scale
        self.country = self.country or other.country


class Parties:
    """The parties of one release, in the order in which they were first named."""

    def __init__(self, fields: Fields) -> None:
        self._fields = fields
        self._drafts: list[_Draft] = []
        self._by_key: dict[_Key, list[int]] = defaultdict(list)

    def listed(self, value: dict[str, Any]) -> None:
        """Add an entry of the release's list of parties."""
        draft = self._draft(value)
        roles = value.get("roles")
        for role in roles if isinstance(roles, list) else [roles]:
            if code := self._fields.code(role, _ROLES):
                draft.roles.add(code)
        if self._place(draft) is None:
            self._fields.repaired("party_nameless")

    def refer(self, value: object, role: str) -> int | None:
        """Return the index of a referenced party, or None if the reference is empty."""
        if value is None:
            return None
        if not isinstance(value, dict):
            self._fields.repaired("reference_expected")
            return None
        draft = self._draft(value)
        draft.roles.add(role)
        place = self._place(draft)
        if place is None and draft.local_id:
            holders = self._by_key.get(("id", draft.local_id), [])
            place = holders[0] if len(holders) == 1 else None
            if place is not None:
                self._drafts[place].roles.add(role)
        if place is None:
            self._fields.repaired("reference_to_nobody")
        return place

    def refer_all(self, value: object, role: str) -> tuple[int, ...]:
        """Return the indexes of several parties, without duplicates."""
        places = [self.refer(reference, role) for reference in self._fields.several(value)]
        return tuple(dict.fromkeys(place for place in places if place is not None))

    def drawn(self) -> tuple[Party, ...]:
        """Return the parties read so far."""
        return tuple(
            Party(
                local_id=draft.local_id,
                name=draft.name,
                identifiers=tuple(draft.identifiers),
                roles=tuple(sorted(draft.roles)),
                scale=draft.scale,
                country=draft.country,
            )
            for draft in self._drafts
        )

    def _draft(self, value: dict[str, Any]) -> _Draft:
        fields = self._fields
        main = fields.single(value.get("identifier"))
        others = fields.several(value.get("additionalIdentifiers"))[: _NUMBERS - 1]
        identifiers = [number for identifier in (main, *others) if (number := self._identifier(identifier))]
        name = self._name(value.get("name")) or self._name(main.get("legalName"))
        draft = _Draft(fields.identity(value.get("id")), name, list(dict.fromkeys(identifiers)))
        address, details = value.get("address"), value.get("details")
        if isinstance(address, dict):
            draft.country = country(address.get("countryName")) or country(address.get("country"))
        if isinstance(details, dict):
            draft.scale = fields.code(details.get("scale"), _SCALES)
        return draft

    def _name(self, value: object) -> str | None:
        name = clean_name(value) if isinstance(value, str) else ""
        if name is None or {"email", "telephone"}.intersection(flags(name, NOBODY)):
            self._fields.repaired("name_unfit")
            return None
        return name if words(name) else None

    def _identifier(self, identifier: dict[str, Any]) -> Identifier | None:
        """Return a register number, or None: some portals put an address into these fields."""
        value = self._fields.identity(identifier.get("id"))
        scheme = identifier.get("scheme") or None
        if value is None:
            return None
        fits = scheme is None or (isinstance(scheme, str) and _SCHEME.fullmatch(scheme.strip()))
        if not fits or len(value) > _LONGEST_IDENTIFIER:
            self._fields.repaired("identifier_unfit")
            return None
        return Identifier(scheme.strip() if scheme else None, value)

    def _place(self, draft: _Draft) -> int | None:
        """Add a mention to its party or as a new one; None if it has neither a name nor a number."""
        if not draft.name and not draft.identifiers:
            return None
        keys: list[_Key] = [("name", " ".join(sorted(draft.words)))] if draft.words else []
        keys += [("number", number.scheme, number.value) for number in draft.identifiers if number.scheme]
        keys += [("id", draft.local_id)] if draft.local_id else []
        place = self._same(draft, keys)
        if place is None:
            place = len(self._drafts)
            self._drafts.append(draft)
        else:
            self._drafts[place].join(draft)
        for key in keys:
            if place not in self._by_key[key][-_COMPARED:]:
                self._by_key[key].append(place)
        return place

    def _same(self, draft: _Draft, keys: list[_Key]) -> int | None:
        """Return the index of the party of a mention; count parties that only share an id."""
        for key in keys:
            places = self._by_key.get(key, [])[:_COMPARED]
            for place in places:
                if self._drafts[place].may_be(draft):
                    return place
            if places:
                self._fields.repaired(_KEPT_APART[key[0]])
        return None
