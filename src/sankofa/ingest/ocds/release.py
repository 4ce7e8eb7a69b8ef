"""Parse OCDS releases: a portal's publication about one contracting process at one time.

Each used field of a release is named here; all other fields stay in the archived document.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from typing import Any, BinaryIO

import msgspec

from sankofa.entities.folding import words
from sankofa.ingest.bytes.bounds import LIMITS, Limits, Rejections
from sankofa.ingest.ocds.contacts import Contacts, contacts
from sankofa.ingest.ocds.fields import Fields, codes
from sankofa.ingest.ocds.package import releases
from sankofa.ingest.ocds.parties import Parties
from sankofa.ingest.ocds.publishers import publisher
from sankofa.tenders.model import Award, Classification, Contract, Release, Tender

_TAGS = codes(
    "planning planningUpdate tender tenderAmendment tenderUpdate tenderCancellation award awardUpdate "
    "awardCancellation contract contractUpdate contractAmendment implementation implementationUpdate "
    "contractTermination compiled"
)
_TENDER_STATUS = codes("planning planned active cancelled unsuccessful complete withdrawn")
_AWARD_STATUS = codes("pending active cancelled unsuccessful")
_CONTRACT_STATUS = codes("pending active cancelled terminated")
_METHODS = codes("open selective limited direct")
_INITIATION = codes("tender")
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8}){0,3}")

Json = dict[str, Any]


def parse(
    document: BinaryIO | bytes, rejections: Rejections, limits: Limits = LIMITS, *, fetched_at: datetime
) -> Iterator[Release]:
    """Yield the releases of a document in its own order.

    A reason in `rejections` that begins with `repaired_` changed a field of a release that was yielded; any
    other one left out a release, a line or a member. A document that cannot be read raises
    UnreadableDocument, possibly after some of its releases were yielded.
    """
    for release in releases(document, rejections, limits):
        fields = Fields(contacts(release), rejections, fetched_at, limits)
        taken = _release(release, fields)
        if isinstance(taken, str):
            rejections.add(taken, fields.sample)
        else:
            yield taken


def _release(release: Json, fields: Fields) -> Release | str:
    """Return the release, or the reason why it is rejected."""
    ocid = fields.identity(release.get("ocid"))
    if ocid is None:
        return "missing_ocid"
    fields.sample = ocid
    if any(_is_versioned(value) for value in release.values()):
        return "versioned_release"
    number = fields.identity(release.get("id"), release)
    if number is None:
        return "missing_id"
    return _Reading(fields, ocid).release(release, ocid, number)


def _is_versioned(value: object) -> bool:
    """Return whether a field holds its history in place of its value."""
    return (
        isinstance(value, list) and bool(value) and isinstance(value[0], dict) and "releaseDate" in value[0]
    )


class _Reading:
    """Reads one release; parties come first, because the other parts refer to them."""

    def __init__(self, fields: Fields, ocid: str) -> None:
        known = publisher(ocid)
        self._fields = fields
        self._item_codes = known.item_codes if known else None
        self._parties = Parties(fields)

    def release(self, block: Json, ocid: str, number: str) -> Release:
        fields, parties = self._fields, self._parties
        for party in fields.several(block.get("parties")):
            parties.listed(party)
        buyer = parties.refer(block.get("buyer"), "buyer")
        budget = fields.single(fields.single(block.get("planning")).get("budget"))
        tender = self._tender(fields.single(block["tender"]), block) if block.get("tender") else None
        awards = tuple(map(self._award, fields.several(block.get("awards"))))
        contracts = tuple(map(self._contract, fields.several(block.get("contracts"))))
        sections = {"tender": tender, "award": awards, "contract": contracts}
        taken = fields.instant(block.get("date"))
        return Release(
            ocid=ocid,
            id=number,
            date=taken.at if taken else None,
            day=taken.day if taken else None,
            tags=self._tags(block.get("tag"), [tag for tag, section in sections.items() if section]),
            initiation_type=self._initiation(block.get("initiationType")),
            language=self._language(block.get("language")),
            buyer=buyer,
            tender=self._without_names(tender) if tender else None,
            budget=fields.money(budget.get("amount")),
            awards=awards,
            contracts=contracts,
            parties=parties.drawn(),
            texts=fields.texts(),
            text_flags=fields.flags(),
        )

    def _tags(self, value: object, sections: list[str]) -> tuple[str, ...]:
        """Return the tags of the release, or tags derived from its contents."""
        block = value if isinstance(value, list) else [value]
        tags = (self._fields.code(tag, _TAGS) for tag in block)
        known = tuple(dict.fromkeys(tag for tag in tags if tag))
        if not known:
            self._fields.repaired("tag_missing")
        return known or tuple(sections) or ("planning",)

    def _initiation(self, value: object) -> str:
        if value is None:
            self._fields.repaired("initiation_missing")
        return self._fields.code(value, _INITIATION) or "tender"

    def _language(self, value: object) -> str | None:
        if not value:
            return None
        if isinstance(value, str) and _LANGUAGE.fullmatch(value):
            return value
        self._fields.repaired("language_unfit")
        return None

    def _tender(self, block: Json, release: Json) -> Tender:
        fields, parties = self._fields, self._parties
        status = fields.code(block.get("status"), _TENDER_STATUS)
        tenderers = fields.count(block.get("numberOfTenderers"))
        if tenderers == 0 and status != "unsuccessful":
            fields.repaired("tenderers_zero")  # as with money, zero means an empty field
            tenderers = None
        additional = block.get("additionalProcurementCategories")
        others = map(fields.word, additional if isinstance(additional, list) else [additional])
        return Tender(
            id=fields.identity(block.get("id"), release),
            title=fields.text(block.get("title")),
            description=fields.text(block.get("description")),
            status=status,
            value=fields.money(block.get("value")),
            min_value=fields.money(block.get("minValue")),
            procurement_method=fields.code(block.get("procurementMethod"), _METHODS),
            procurement_method_details=fields.text(block.get("procurementMethodDetails")),
            main_category=fields.word(block.get("mainProcurementCategory")),
            additional_categories=tuple(dict.fromkeys(word for word in others if word)),
            portal_category=fields.word(block.get("category") or block.get("mainProcurementCategoryDetails")),
            tender_period=fields.period(block.get("tenderPeriod")),
            enquiry_period=fields.period(block.get("enquiryPeriod")),
            award_period=fields.period(block.get("awardPeriod")),
            contract_period=fields.period(block.get("contractPeriod")),
            number_of_tenderers=tenderers,
            classifications=self._classifications(block.get("items")),
            tenderers=parties.refer_all(block.get("tenderers"), "tenderer"),
            procuring_entity=parties.refer(block.get("procuringEntity"), "procuringEntity"),
        )

    def _without_names(self, tender: Tender) -> Tender:
        """Return a tender without vocabulary words that contain a party's name."""
        names = Contacts((words(party.name) for party in self._parties.drawn() if party.name), (), ())

        def fit(word: str | None) -> str | None:
            if word is None or not names.named_in(word):
                return word
            self._fields.repaired("word_names_party")
            return None

        return msgspec.structs.replace(
            tender,
            main_category=fit(tender.main_category),
            additional_categories=tuple(filter(fit, tender.additional_categories)),
            portal_category=fit(tender.portal_category),
            classifications=tuple(
                msgspec.structs.replace(one, scheme=fit(one.scheme), id=fit(one.id))
                for one in tender.classifications
            ),
        )

    def _classifications(self, items: object, *, described: bool = True) -> tuple[Classification, ...]:
        """Return the distinct classifications of all items; South Africa spells the key as a plural."""
        fields = self._fields
        found: dict[tuple[object, object, object], Classification] = {}
        for item in fields.several(items):
            block = fields.single(item.get("classification") or item.get("classifications"))
            scheme, code = block.get("scheme"), block.get("id")
            if code is None and scheme and scheme == self._item_codes:
                code = item.get("id")
            key = (scheme, code, block.get("description") if described else None)
            if (
                any(key)
                and all(part is None or isinstance(part, str | int) for part in key)
                and key not in found
            ):
                found[key] = Classification(
                    scheme=fields.word(key[0]), id=fields.identity(key[1]), description=fields.text(key[2])
                )
        return tuple(found.values())

    def _award(self, block: Json) -> Award:
        fields = self._fields
        made = fields.instant(block.get("date"))
        return Award(
            id=fields.identity(block.get("id")),
            title=fields.text(block.get("title")),
            description=fields.text(block.get("description")),
            status=fields.code(block.get("status"), _AWARD_STATUS),
            date=made.at if made else None,
            value=fields.money(block.get("value")),
            suppliers=self._parties.refer_all(block.get("suppliers"), "supplier"),
            contract_period=fields.period(block.get("contractPeriod")),
            classifications=self._classifications(block.get("items"), described=False),
        )

    def _contract(self, block: Json) -> Contract:
        fields = self._fields
        signed = fields.instant(block.get("dateSigned"))
        return Contract(
            id=fields.identity(block.get("id")),
            award_id=fields.identity(block.get("awardID")),
            title=fields.text(block.get("title")),
            description=fields.text(block.get("description")),
            status=fields.code(block.get("status"), _CONTRACT_STATUS),
            value=fields.money(block.get("value")),
            date_signed=signed.at if signed else None,
            period=fields.period(block.get("period")),
        )
