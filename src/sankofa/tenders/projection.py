"""From what is kept of a release to what is served: parties who are established, texts that may be shown.

Whoever is withheld has no name here, and no place: every reference to such a party falls away.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from typing import Any, TypeVar

import msgspec
from msgspec import UNSET, UnsetType

from sankofa.storage.reading import Row
from sankofa.tenders.model import Award, Body, Classification, Contract, Money, Period, Place, Tender
from sankofa.tenders.served import (
    Budget,
    Classified,
    Item,
    PartyReference,
    Planning,
    ReleaseAward,
    ReleaseContract,
    ReleaseParty,
    ReleaseTender,
    ServedRelease,
    Span,
    Value,
)

T = TypeVar("T")
_BODY = msgspec.json.Decoder(Body)
_CATEGORIES = frozenset({"goods", "works", "services"})  # the closed list of OCDS


def release(row: Row) -> ServedRelease:
    """Return the release that a row of `releases.sql` holds."""
    return _release(row, _Shown)


def statement(row: Row) -> ServedRelease:
    """Return a release to be merged with others: what it states and may not be shown is null."""
    return _release(row, _Stated)


def _release(row: Row, view: type[_Shown]) -> ServedRelease:
    ocid, number, released, body, parties, texts, has_text, *others = row
    told = _BODY.decode(body)
    known = {place: _party(*party) for place, *party in parties}
    shown = view(known, texts or ())
    country, mentioned, *provenance = others
    return ServedRelease(
        ocid=ocid,
        id=number,
        date=released,
        tag=list(told.tags),
        initiation_type=told.initiation_type,
        language=told.language,
        parties=_listed(known.values()),
        buyer=shown.reference(told.buyer),
        planning=Planning(Budget(_value(told.budget))) if told.budget else UNSET,
        tender=shown.tender(told.tender, ocid) if told.tender else UNSET,
        awards=_some(_distinct(shown.awards(told.awards))),
        contracts=_some(_distinct(shown.contracts(told))),
        country=country,
        withheld_parties=mentioned - len(known),
        text_withheld=has_text and texts is None,
        **dict(zip(ServedRelease.__struct_fields__[-8:], provenance, strict=True)),
    )


class _Shown:
    """What may be shown of one release, by place."""

    def __init__(self, parties: dict[int, ReleaseParty], texts: Sequence[str]) -> None:
        self._parties = parties
        self._texts = texts

    def text(self, place: Place | None) -> str | UnsetType:
        return UNSET if place is None or not self._texts else self._texts[place]

    def reference(self, place: Place | None) -> PartyReference | UnsetType:
        party = None if place is None else self._parties.get(place)
        return PartyReference(party.id, party.name, party.service_id) if party else UNSET

    def references(self, places: Iterable[Place]) -> list[PartyReference] | UnsetType:
        """Return those who are established, each once: two mentions may turn out to be one."""
        found = (self.reference(place) for place in places)
        return _some({one.id: one for one in found if isinstance(one, PartyReference)}.values())

    def tender(self, told: Tender, ocid: str) -> ReleaseTender:
        main = (told.main_category or "").casefold()
        return ReleaseTender(
            id=told.id or ocid,
            title=self.text(told.title),
            description=self.text(told.description),
            status=_known(told.status),
            procuring_entity=self.reference(told.procuring_entity),
            items=_some(self.item(place, one) for place, one in enumerate(told.classifications)),
            value=_money(told.value),
            min_value=_money(told.min_value),
            procurement_method=_known(told.procurement_method),
            procurement_method_details=self.text(told.procurement_method_details),
            main_procurement_category=main if main in _CATEGORIES else UNSET,
            additional_procurement_categories=_some(told.additional_categories),
            category=_known(told.portal_category or told.main_category),
            tender_period=_span(told.tender_period),
            enquiry_period=_span(told.enquiry_period),
            award_period=_span(told.award_period),
            contract_period=_span(told.contract_period),
            number_of_tenderers=_known(told.number_of_tenderers),
            tenderers=self.references(told.tenderers),
        )

    def item(self, place: int, told: Classification) -> Item:
        described = Classified(_known(told.scheme), _known(told.id), self.text(told.description))
        return Item(str(place + 1), described)

    def awards(self, told: Sequence[Award]) -> Iterable[ReleaseAward]:
        """Yield the awards; blocks of one id and value are one award, won by the suppliers of them all."""
        winners: dict[tuple[str, Money | None], set[Place]] = {}
        for place, award in enumerate(told):
            winners.setdefault((_number(place, award), award.value), set()).update(award.suppliers)
        for place, award in enumerate(told):
            number = _number(place, award)
            yield self.award(number, award, joint=len(winners[number, award.value]) > 1)

    def award(self, number: str, told: Award, *, joint: bool) -> ReleaseAward:
        return ReleaseAward(
            id=number,
            title=self.text(told.title),
            description=self.text(told.description),
            status=_known(told.status),
            date=_known(told.date),
            value=_money(told.value),
            suppliers=self.references(told.suppliers),
            contract_period=_span(told.contract_period),
            joint=joint,
        )

    def contracts(self, told: Body) -> Iterable[ReleaseContract]:
        """Yield the contracts that say, or can only be, of which award they are: OCDS has no others."""
        only = (told.awards[0].id or "1") if len(told.awards) == 1 else None
        for place, contract in enumerate(told.contracts):
            if award := contract.award_id or only:
                yield self.contract(place, contract, award)

    def contract(self, place: int, told: Contract, award: str) -> ReleaseContract:
        return ReleaseContract(
            id=told.id or str(place + 1),
            award_id=award,
            title=self.text(told.title),
            description=self.text(told.description),
            status=_known(told.status),
            period=_span(told.period),
            value=_money(told.value),
            date_signed=_known(told.date_signed),
        )


class _Stated(_Shown):
    """As above, with null for what is stated and withheld: it takes the place of what stood there before."""

    def text(self, place: Place | None) -> Any:  # noqa: ANN401  # null has no place in a release
        return None if place is not None and not self._texts else super().text(place)

    def reference(self, place: Place | None) -> Any:  # noqa: ANN401
        return None if place is not None and place not in self._parties else super().reference(place)

    def references(self, places: Iterable[Place]) -> Any:  # noqa: ANN401
        stated = list(places)
        return super().references(stated) or (None if stated else UNSET)


def _party(service_id: str, name: str | None, roles: list[str], name_as_of: str | None) -> ReleaseParty:
    day = date.fromisoformat(name_as_of) if name_as_of else None
    return ReleaseParty(service_id, name, service_id, roles, day)


def _number(place: int, told: Award) -> str:
    """Return an award's id; one that has none is numbered by its place."""
    return told.id or str(place + 1)


def _listed(parties: Iterable[ReleaseParty]) -> list[ReleaseParty]:
    """Return each organisation once, with all its roles: two mentions may turn out to be one."""
    roles: dict[str, dict[str, None]] = {}
    found = {}
    for party in parties:
        found[party.id] = party
        roles.setdefault(party.id, {}).update(dict.fromkeys(party.roles))
    return [msgspec.structs.replace(party, roles=list(roles[key])) for key, party in found.items()]


def _distinct(values: Iterable[T]) -> Iterable[T]:
    """Return each once: portals repeat some, and some differ only in who is withheld."""
    return {msgspec.json.encode(value): value for value in values}.values()


def _known(value: T | None) -> T | UnsetType:
    return UNSET if value is None else value


def _some(values: Iterable[T]) -> list[T] | UnsetType:
    return list(values) or UNSET


def _value(told: Money) -> Value:
    return Value(told.amount, told.currency)


def _money(told: Money | None) -> Value | UnsetType:
    return _value(told) if told else UNSET


def _span(told: Period | None) -> Span | UnsetType:
    return Span(_known(told.start), _known(told.end)) if told else UNSET
