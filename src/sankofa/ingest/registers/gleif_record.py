"""Turn an LEI record, from any of the three formats, into an organisation record.

Only some fields are used: no address except the country, no other names, no person who signed or validated. A
succession is never a duplicate: only a record that its issuer marks as DUPLICATE, with one survivor, is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import NamedTuple

from sankofa.entities.model import Identifier, OrganisationRecord, Status
from sankofa.ingest.bytes.bounds import Rejections
from sankofa.ingest.identifiers import clean_name, jurisdiction, lei

# The first identifiers were given out in 2012. An earlier update is an error, and would be
# look-ahead.
EARLIEST_UPDATE = datetime(2012, 1, 1, tzinfo=UTC)

_MOMENT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}(?:\.[0-9]{1,9})?(?:Z|[+-][0-9]{2}:[0-9]{2})")
_WORD = re.compile(r"[A-Z][A-Z_]{0,63}")
_LEGAL_FORM = re.compile(r"[0-9A-Z]{4}")
_AUTHORITY = re.compile(r"RA[0-9]{6}")
_NO_AUTHORITY = ("RA888888", "RA999999")  # "not yet listed" and "none"
_NO_NUMBER = ("", "-", "--", "0", "N/A", "NA", "N.A.", "NONE", "NULL", "NOT APPLICABLE")
_ENDED = ("RETIRED", "DUPLICATE", "MERGED", "ANNULLED", "CANCELLED")  # LAPSED is only unpaid and still valid


# The paths of the texts in LEI-CDF, in the order of the fields. Tables join the parts by points.
PATHS = {
    "LEI": "lei",
    "Entity/LegalName": "legal_name",
    "Entity/LegalJurisdiction": "jurisdiction",
    "Entity/LegalAddress/Country": "country",
    "Entity/EntityCategory": "category",
    "Entity/LegalForm/EntityLegalFormCode": "legal_form",
    "Entity/EntityStatus": "entity_status",
    "Registration/RegistrationStatus": "registration_status",
    "Registration/LastUpdateDate": "last_update",
    "Entity/RegistrationAuthority/RegistrationAuthorityID": "registered_at",
    "Entity/RegistrationAuthority/RegistrationAuthorityEntityID": "registered_as",
    "Registration/ValidationAuthority/ValidationAuthorityID": "validated_at",
    "Registration/ValidationAuthority/ValidationAuthorityEntityID": "validated_as",
}


class LeiRecord(NamedTuple):
    """The texts of one LEI record; empty if missing. Only these are read."""

    lei: str
    legal_name: str
    jurisdiction: str
    country: str  # of the legal address
    category: str
    legal_form: str
    entity_status: str
    registration_status: str
    last_update: str
    registered_at: str  # the authority
    registered_as: str  # the number it gave
    validated_at: str
    validated_as: str
    deleted_at: str
    successors: Sequence[str]


class Reading:
    """Converts the records of one document, and counts the rejected ones."""

    def __init__(self, rejections: Rejections, fetched_at: datetime) -> None:
        self._rejections = rejections
        self._newest = fetched_at + timedelta(days=1)

    def organisation(self, source: LeiRecord) -> OrganisationRecord | None:
        """Return the organisation of a record, or None if it is counted as rejected."""
        record = self._record(source)
        if isinstance(record, OrganisationRecord):
            return record
        self._rejections.add(record, f"{source.lei} {source.last_update} {source.registration_status}")
        return None

    def _record(self, source: LeiRecord) -> OrganisationRecord | str:
        """Return the organisation of a record, or the reason why it is rejected."""
        number = lei(source.lei)
        if number is None or source.deleted_at:
            return "deleted" if number else "bad_lei"
        name = clean_name(source.legal_name)
        if not name:
            return "missing_name" if name == "" else "bad_name"
        moments = _moments(source.last_update)
        if moments is None:
            return "bad_moment"
        stated_at, available_at = moments
        if stated_at > self._newest:
            return "stated_after_fetch"
        if not _is_word(source.registration_status) or not (_is_word(source.category) or not source.category):
            return "bad_status"
        successors = self._successors(source, number) if any(source.successors) else ()
        return OrganisationRecord(
            subject=f"lei:{number}",
            legal_name=name,
            jurisdiction=self._jurisdiction(source),
            status=_status(source.entity_status),
            identifiers=self._identifiers(source, number, available_at),
            marks=(
                *_marks(source.category, source.registration_status, source.legal_form),
                *[f"successor:{successor}" for successor in successors],
            ),
            duplicate_of=(
                f"lei:{successors[0]}"
                if source.registration_status == "DUPLICATE"
                and len(successors) == 1
                and sum(map(bool, source.successors)) == 1
                else None
            ),
            stated_at=stated_at,
            available_at=available_at,
            available_at_basis="publisher",
        )

    def _jurisdiction(self, source: LeiRecord) -> str | None:
        written = source.jurisdiction
        if not written:
            return jurisdiction(source.country)
        code = jurisdiction(written)
        if code != written:
            self._rejections.repair("jurisdiction", f"{source.lei} {written}")
        return code or jurisdiction(source.country)

    def _identifiers(self, source: LeiRecord, number: str, day: date) -> tuple[Identifier, ...]:
        ended = day if source.registration_status in _ENDED else None
        own = Identifier("lei", "", number, None, ended)
        registered = self._registry(source.lei, source.registered_at, source.registered_as)
        if (source.validated_at, source.validated_as) == (source.registered_at, source.registered_as):
            return (own, registered) if registered else (own,)
        validated = self._registry(source.lei, source.validated_at, source.validated_as)
        found = dict.fromkeys(identifier for identifier in (own, registered, validated) if identifier)
        return tuple(found)

    def _registry(self, number: str, authority: str, written: str) -> Identifier | None:
        if not written or not authority or authority in _NO_AUTHORITY:
            return None
        value = clean_name(written)
        if not value or value.upper() in _NO_NUMBER or not _is_authority(authority):
            self._rejections.repair("registry_number", f"{number} {authority} {written}")
            return None
        return Identifier("registry", authority, value)

    def _successors(self, source: LeiRecord, number: str) -> Sequence[str]:
        found: dict[str, None] = {}
        for written in filter(None, source.successors):
            successor = lei(written)
            if successor is None or successor == number:
                self._rejections.repair("successor", f"{source.lei} {written}")
            else:
                found[successor] = None
        return list(found)


def _moments(text: str) -> tuple[datetime, date] | None:
    """Return the time in UTC, and the later of its days in UTC and in its own time zone."""
    try:
        local = datetime.fromisoformat(text) if _MOMENT.fullmatch(text) else None
        moment = local.astimezone(UTC) if local else None
    except (ValueError, OverflowError):
        return None
    if local is None or moment is None or moment < EARLIEST_UPDATE:
        return None
    return moment, max(local.date(), moment.date())


@lru_cache(1 << 12)
def _is_word(text: str) -> bool:
    return _WORD.fullmatch(text) is not None


@lru_cache(1 << 12)
def _is_authority(text: str) -> bool:
    return _AUTHORITY.fullmatch(text) is not None


@lru_cache(1 << 14)
def _marks(category: str, registration_status: str, legal_form: str) -> tuple[str, ...]:
    marks = f"lei_record:{category}", f"lei_status:{registration_status}"
    return (*marks, f"legal_form:{legal_form}") if _LEGAL_FORM.fullmatch(legal_form) else marks


def _status(written: str) -> Status:
    if written == "ACTIVE":
        return "active"
    return "inactive" if written == "INACTIVE" else "unknown"
