"""Turn a stored release into the served one: only established parties, only texts that may be served.

A withheld party has neither a name nor an index here: every reference to it is dropped.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
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
# Index, service id, name, roles, and the day since which the name is known.
_PARTIES = msgspec.json.Decoder(list[tuple[Place, str, str | None, list[str], date | None]])
_PROVENANCE = ServedRelease.__struct_fields__[-8:]
_CATEGORIES = frozenset({"goods", "works", "services"})  # the closed list of OCDS


def release(row: Row, process_title: str | None = None) -> ServedRelease:
    """Return the release of a row of `releases.sql`, with the title of its process."""
    return _release(row, _Public, process_title)


def statement(row: Row) -> ServedRelease:
    """Return a release to be merged with others: withheld statements are null."""
    return _release(row, _Merged)


def _release(row: Row, view: type[_Public], process_title: str | None = None) -> ServedRelease:
    ocid, number, released, body, parties, texts, has_text, *others = row
    source = _BODY.decode(body)
    known = {
        place: ReleaseParty(service_id, name, service_id, roles, name_as_of)
        for place, service_id, name, roles, name_as_of in _PARTIES.decode(parties)
    }
    public = view(known, texts or ())
    country, mentioned, *provenance, _process_key = others
    return ServedRelease(
        ocid=ocid,
        id=number,
        date=released,
        tag=list(source.tags),
        initiation_type=source.initiation_type,
        language=source.language,
        parties=_listed(known.values()),
        buyer=public.reference(source.buyer),
        planning=Planning(Budget(_value(source.budget))) if source.budget else UNSET,
        tender=public.tender(source.tender, ocid) if source.tender else UNSET,
        awards=_some(_distinct(public.awards(source.awards))),
        contracts=_some(_distinct(public.contracts(source))),
        country=country,
        process_title=process_title,
        withheld_parties=mentioned - len(known),
        text_withheld=has_text and texts is None,
        **dict(zip(_PROVENANCE, provenance, strict=True)),
    )


class _Public:
    """The parts of one release that may be served, by index."""

    def __init__(self, parties: dict[int, ReleaseParty], texts: Sequence[str]) -> None:
        self._parties = parties
        self._texts = texts

    def text(self, place: Place | None) -> str | UnsetType:
        return UNSET if place is None or not self._texts else self._texts[place]

    def reference(self, place: Place | None) -> PartyReference | UnsetType:
        party = None if place is None else self._parties.get(place)
        return PartyReference(party.id, party.name, party.service_id) if party else UNSET

    def references(self, places: Iterable[Place]) -> list[PartyReference] | UnsetType:
        """Return the established parties without duplicates: two mentions may be one organisation."""
        found = (self.reference(place) for place in places)
        return _some({one.id: one for one in found if isinstance(one, PartyReference)}.values())

    def tender(self, source: Tender, ocid: str) -> ReleaseTender:
        main = (source.main_category or "").casefold()
        return ReleaseTender(
            id=source.id or ocid,
            title=self.text(source.title),
            description=self.text(source.description),
            status=_known(source.status),
            procuring_entity=self.reference(source.procuring_entity),
            items=_some(self.item(place, one) for place, one in enumerate(source.classifications)),
            value=_money(source.value),
            min_value=_money(source.min_value),
            procurement_method=_known(source.procurement_method),
            procurement_method_details=self.text(source.procurement_method_details),
            main_procurement_category=main if main in _CATEGORIES else UNSET,
            additional_procurement_categories=_some(source.additional_categories),
            category=_known(source.portal_category or source.main_category),
            tender_period=_span(source.tender_period),
            enquiry_period=_span(source.enquiry_period),
            award_period=_span(source.award_period),
            contract_period=_span(source.contract_period),
            number_of_tenderers=_known(source.number_of_tenderers),
            tenderers=self.references(source.tenderers),
        )

    def item(self, place: int, source: Classification) -> Item:
        described = Classified(_known(source.scheme), _known(source.id), self.text(source.description))
        return Item(str(place + 1), described)

    def awards(self, source: Sequence[Award]) -> Iterable[ReleaseAward]:
        """Yield the awards; blocks with one id and value are one award with the suppliers of all of them."""
        winners: dict[tuple[str, Money | None], set[Place]] = {}
        for place, award in enumerate(source):
            winners.setdefault((_number(place, award), award.value), set()).update(award.suppliers)
        for place, award in enumerate(source):
            number = _number(place, award)
            yield self.award(number, award, joint=len(winners[number, award.value]) > 1)

    def award(self, number: str, source: Award, *, joint: bool) -> ReleaseAward:
        return ReleaseAward(
            id=number,
            title=self.text(source.title),
            description=self.text(source.description),
            status=_known(source.status),
            date=_known(source.date),
            value=_money(source.value),
            suppliers=self.references(source.suppliers),
            contract_period=_span(source.contract_period),
            joint=joint,
        )

    def contracts(self, source: Body) -> Iterable[ReleaseContract]:
        """Yield the contracts whose award is stated or unambiguous, as OCDS requires one."""
        only = (source.awards[0].id or "1") if len(source.awards) == 1 else None
        for place, contract in enumerate(source.contracts):
            if award := contract.award_id or only:
                yield self.contract(place, contract, award)

    def contract(self, place: int, source: Contract, award: str) -> ReleaseContract:
        return ReleaseContract(
            id=source.id or str(place + 1),
            award_id=award,
            title=self.text(source.title),
            description=self.text(source.description),
            status=_known(source.status),
            period=_span(source.period),
            value=_money(source.value),
            date_signed=_known(source.date_signed),
        )


class _Merged(_Public):
    """As `_Public`, with null for withheld statements, so that they replace earlier values."""

    def text(self, place: Place | None) -> Any:  # noqa: ANN401  # null has no place in a release
        return None if place is not None and not self._texts else super().text(place)

    def reference(self, place: Place | None) -> Any:  # noqa: ANN401
        return None if place is not None and place not in self._parties else super().reference(place)

    def references(self, places: Iterable[Place]) -> Any:  # noqa: ANN401
        listed = list(places)
        return super().references(listed) or (None if listed else UNSET)


def _number(place: int, source: Award) -> str:
    """Return an award's id, or its position if it has none."""
    return source.id or str(place + 1)


def _listed(parties: Collection[ReleaseParty]) -> list[ReleaseParty]:
    """Return each organisation once, with all its roles: two mentions may be one organisation."""
    if len({party.id for party in parties}) == len(parties):
        return list(parties)
    roles: dict[str, dict[str, None]] = {}
    found = {}
    for party in parties:
        found[party.id] = party
        roles.setdefault(party.id, {}).update(dict.fromkeys(party.roles))
    return [msgspec.structs.replace(party, roles=list(roles[key])) for key, party in found.items()]


def _distinct(values: Iterable[T]) -> Iterable[T]:
    """Return the blocks without duplicates: portals repeat some, and some differ only in withheld parties."""
    listed = list(values)
    return {msgspec.json.encode(value): value for value in listed}.values() if len(listed) > 1 else listed


def _known(value: T | None) -> T | UnsetType:
    return UNSET if value is None else value


def _some(values: Iterable[T]) -> list[T] | UnsetType:
    return list(values) or UNSET


def _value(source: Money) -> Value:
    return Value(source.amount, source.currency)


def _money(source: Money | None) -> Value | UnsetType:
    return _value(source) if source else UNSET


def _span(source: Period | None) -> Span | UnsetType:
    return Span(_known(source.start), _known(source.end)) if source else UNSET
