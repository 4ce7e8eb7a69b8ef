"""GLEIF golden copy as JSON: {"records": [...]}, each text of a record as {"$": text}.

Records are cut out of the array one after the other, and each is held to the rules of strict JSON by
itself. One that breaks them is counted under its reason; a break between records refuses the document.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any, BinaryIO

from msgspec import UNSET, Struct, UnsetType, field

from sankofa.core.errors import UnreadableDocument
from sankofa.entities.model import OrganisationRecord
from sankofa.ingest.bounds import LIMITS, Limits, Rejections
from sankofa.ingest.gleif_record import LeiRecord, Reading
from sankofa.ingest.strict_json import strict_json
from sankofa.ingest.unpacked import pieces

_OPENING = ("{", '"records"', ":", "[")
_BLANKS = re.compile(r"[ \t\r\n]*")
_RECORD = json.JSONDecoder()


class _Text(Struct, gc=False):
    text: str | UnsetType = field(name="$", default=UNSET)


_Stated = _Text | None | UnsetType


class _Address(Struct, gc=False, rename="pascal"):
    country: _Stated = UNSET


class _RegistrationAuthority(Struct, gc=False):
    authority: _Stated = field(name="RegistrationAuthorityID", default=UNSET)
    number: _Stated = field(name="RegistrationAuthorityEntityID", default=UNSET)


class _ValidationAuthority(Struct, gc=False):
    authority: _Stated = field(name="ValidationAuthorityID", default=UNSET)
    number: _Stated = field(name="ValidationAuthorityEntityID", default=UNSET)


class _Successor(Struct, gc=False):
    lei: _Stated = field(name="SuccessorLEI", default=UNSET)


class _LegalForm(Struct, gc=False, rename="pascal"):
    entity_legal_form_code: _Stated = UNSET


class _Entity(Struct, gc=False, rename="pascal"):
    legal_name: _Stated = UNSET
    legal_address: _Address | UnsetType | None = UNSET
    registration_authority: _RegistrationAuthority | UnsetType | None = UNSET
    legal_jurisdiction: _Stated = UNSET
    entity_category: _Stated = UNSET
    legal_form: _LegalForm | UnsetType | None = UNSET
    entity_status: _Stated = UNSET
    successor_entity: list[_Successor] | _Successor | UnsetType | None = UNSET


class _Registration(Struct, gc=False, rename="pascal"):
    last_update_date: _Stated = UNSET
    registration_status: _Stated = UNSET
    validation_authority: _ValidationAuthority | UnsetType | None = UNSET


class _Extension(Struct, gc=False):
    deletion: Any = field(name="gleif:Deletion", default=UNSET)


class _LeiRecord(Struct, gc=False):
    lei: _Stated = field(name="LEI", default=UNSET)
    entity: _Entity | UnsetType | None = field(name="Entity", default=UNSET)
    registration: _Registration | UnsetType | None = field(name="Registration", default=UNSET)
    extension: _Extension | UnsetType | None = field(name="Extension", default=UNSET)


def parse(
    document: BinaryIO | bytes, rejections: Rejections, limits: Limits = LIMITS, *, fetched_at: datetime
) -> Iterator[OrganisationRecord]:
    """Yield the organisations of a golden copy in JSON: plain, gzip, or the one file of a zip archive."""
    reading = Reading(rejections, fetched_at)
    for place, written in enumerate(_records(_texts(pieces(document, limits)), limits), 1):
        try:
            record = strict_json(written.encode(), _LeiRecord, limits)
        except UnreadableDocument as unreadable:
            rejections.add(unreadable.reason, f"record {place}: {unreadable.detail}")
            continue
        if organisation := reading.organisation(_told(record)):
            yield organisation


def _told(record: _LeiRecord) -> LeiRecord:
    entity, registration = record.entity or _Entity(), record.registration or _Registration()
    address = entity.legal_address or _Address()
    registered = entity.registration_authority or _RegistrationAuthority()
    validated = registration.validation_authority or _ValidationAuthority()
    form = entity.legal_form or _LegalForm()
    successors = entity.successor_entity or []
    return LeiRecord(
        lei=_text(record.lei),
        legal_name=_text(entity.legal_name),
        jurisdiction=_text(entity.legal_jurisdiction),
        country=_text(address.country),
        category=_text(entity.entity_category),
        legal_form=_text(form.entity_legal_form_code),
        entity_status=_text(entity.entity_status),
        registration_status=_text(registration.registration_status),
        last_update=_text(registration.last_update_date),
        registered_at=_text(registered.authority),
        registered_as=_text(registered.number),
        validated_at=_text(validated.authority),
        validated_as=_text(validated.number),
        # A full copy writes the key with null; what a delta writes under it says when.
        deleted_at=str(record.extension.deletion or "") if record.extension else "",
        successors=[
            _text(successor.lei)
            for successor in (successors if isinstance(successors, list) else [successors])
        ],
    )


def _text(stated: _Stated) -> str:
    return stated.text or "" if stated else ""


def _texts(document: Iterable[bytes]) -> Iterator[str]:
    decode = codecs.getincrementaldecoder("utf-8-sig")().decode
    try:
        for piece in document:
            yield decode(piece)
        yield decode(b"", final=True)
    except UnicodeDecodeError as wrong:
        raise UnreadableDocument("not_utf8", wrong.reason) from wrong


def _records(texts: Iterator[str], limits: Limits) -> Iterator[str]:
    """Yield the text of each record of the array, holding one record and one piece of the document."""
    window = _Window(texts, limits)
    if not all(map(window.take, _OPENING)):
        raise UnreadableDocument("unexpected_shape", "no array of records")
    ended = window.take("]")
    while not ended:
        yield window.take_record()
        ended = not window.take(",")
        if ended and not window.take("]"):
            raise UnreadableDocument("malformed_json", "neither a comma nor the end after a record")
    if not window.take("}") or not window.is_over():
        raise UnreadableDocument("malformed_json", "more after the array of records, or less")


class _Window:
    """The part of a document that is looked at: from where it was read to, as far as it was unpacked."""

    def __init__(self, texts: Iterator[str], limits: Limits) -> None:
        self._texts = texts
        self._limits = limits
        self._text = ""
        self._at = 0

    def take(self, token: str) -> bool:
        """Pass what is wanted, if it comes next after blanks."""
        self._pass_blanks()
        while len(self._text) - self._at < len(token):
            if not self._grow():
                return False
        if not self._text.startswith(token, self._at):
            return False
        self._at += len(token)
        return True

    def take_record(self) -> str:
        """Pass one object and return its text. What cannot be read may go on in the next piece."""
        self._pass_blanks()
        if not self._text.startswith("{", self._at):
            raise UnreadableDocument("malformed_json", "a record that is no object")
        while True:
            try:
                _, end = _RECORD.raw_decode(self._text, self._at)
            except RecursionError as wrong:
                raise UnreadableDocument("nested_too_deep", "in a record") from wrong
            except ValueError as wrong:
                ahead = len(self._text) - self._at
                if ahead > self._limits.line_bytes:
                    raise UnreadableDocument("record_too_long", str(wrong)) from wrong
                if not self._grow():
                    raise UnreadableDocument("malformed_json", str(wrong)) from wrong
            else:
                start, self._at = self._at, end
                return self._text[start:end]

    def is_over(self) -> bool:
        """Tell whether nothing comes any more."""
        self._pass_blanks()
        return self._at == len(self._text)

    def _pass_blanks(self) -> None:
        """Go to what is no blank, or to the end."""
        while True:
            blanks = _BLANKS.match(self._text, self._at)
            self._at = blanks.end() if blanks else self._at
            if self._at < len(self._text) or not self._grow():
                return

    def _grow(self) -> bool:
        for text in self._texts:
            if text:
                self._text = self._text[self._at :] + text
                self._at = 0
                return True
        return False
