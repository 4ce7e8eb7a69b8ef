"""Append releases of tenders to the ledger: their contents, and a record of each mentioned party."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime

from sankofa.drift.bounds import TENDER
from sankofa.entities import record as organisations
from sankofa.entities.folding import words
from sankofa.entities.model import Identifier, OrganisationRecord
from sankofa.ingest.archive import Document
from sankofa.ingest.bytes.bounds import Rejections
from sankofa.ingest.recording import Parse, Recorder, append_organisations
from sankofa.storage.postgres import Connection
from sankofa.tenders import record as tenders
from sankofa.tenders.model import Party, Release
from sankofa.tenders.record import Mention

_NO_MOMENT = datetime(1970, 1, 1, tzinfo=UTC)  # a mention has no time of its own
_LEI_SCHEME = "XI-LEI"


def _stage(connection: Connection, parse: Parse, document: Document, rejections: Rejections) -> int:
    parties: dict[OrganisationRecord, int] = {}
    with document.opened() as stream:
        releases = parse(stream, rejections, fetched_at=document.fetched_at)
        count = tenders.stage(connection, _mentioning(releases, document, parties))
    organisations.stage(connection, parties)
    return count


def _append(connection: Connection, document: Document, document_id: int) -> int:
    append_organisations(connection, document, document_id)
    organisations.mention(connection)
    source = document.source
    return tenders.append(connection, source=source.name, country=source.country, document_id=document_id)


def _touch(connection: Connection, batch_id: int) -> None:
    tenders.touch(connection, batch_id)
    organisations.touch(connection, batch_id)


RELEASES = Recorder(
    dataset=TENDER,
    record=Release,
    stage=_stage,
    register=organisations.register,
    append=_append,
    touch=_touch,
    compare=lambda connection, _, document_id, scale: tenders.compare(connection, document_id, scale),
    extent=tenders.EXTENT,
)


def _mentioning(
    releases: Iterable[Release], document: Document, parties: dict[OrganisationRecord, int]
) -> Iterator[tuple[Release, list[Mention]]]:
    """Yield releases with their parties as mentions, numbering each party's record once."""
    for release in releases:
        texts = [words(text) for text in release.texts]
        ids = [words(number) for number in release.ids()]
        mentions = []
        for party in release.parties:
            record = _record(party, document)
            number = parties.setdefault(record, len(parties) + 1)
            name = words(party.name) if party.name else ()
            named_in_text, named_in_id = _any_holds(texts, name), _any_holds(ids, name)
            mentions.append(Mention(number, record, named_in_text, named_in_id, party.roles))
        yield release, mentions


def _record(party: Party, document: Document) -> OrganisationRecord:
    """Return a party as an organisation record, identified by its first number, else by its name."""
    source = document.source
    country = party.country or source.country
    identifiers = tuple(
        Identifier("lei", "", number.value)
        if number.scheme == _LEI_SCHEME
        else Identifier("registry", number.scheme or source.name, number.value)
        for number in party.identifiers
    )
    if identifiers:
        subject = f"party:{identifiers[0].issuer or _LEI_SCHEME}:{_plain(identifiers[0].value)}"
    else:
        subject = f"party:{country}:{_plain(party.name or '')}"
    marks = [f"portal:{source.name}", *(f"role:{role}" for role in party.roles)]
    return OrganisationRecord(
        subject=subject,
        legal_name=party.name or "",
        jurisdiction=country,
        status="unknown",
        identifiers=identifiers,
        marks=(*marks, f"scale:{''.join(party.scale.split())}") if party.scale else tuple(marks),
        duplicate_of=None,
        stated_at=_NO_MOMENT,
        available_at=document.fetched_at.date(),
        available_at_basis="first_seen",
        is_mention=True,
    )


def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def _any_holds(texts: list[tuple[str, ...]], name: tuple[str, ...]) -> bool:
    """Return whether one of the texts contains the words of a name consecutively."""
    return bool(name) and any(
        text[at : at + len(name)] == name for text in texts for at, word in enumerate(text) if word == name[0]
    )
