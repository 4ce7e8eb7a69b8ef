"""Recorders: the steps by which each kind of parsed document is appended to the ledger."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date
from typing import Any, NamedTuple, Protocol

from sankofa.drift.bounds import ORGANISATIONS
from sankofa.drift.screen import Scale
from sankofa.entities import record as organisations
from sankofa.entities.model import OrganisationRecord
from sankofa.ingest.archive import Document
from sankofa.ingest.bytes.bounds import Rejections
from sankofa.storage.postgres import Connection

Parse = Callable[..., Iterator[Any]]  # a stream, the rejections, then the arguments of the format


class Named(Protocol):
    """One file of an archive."""

    name: str

    def read(self) -> bytes:
        """Return its bytes, or raise `UnreadableDocument`."""


ParseMember = Callable[..., Iterator[Any]]  # a `Named` instead of a stream


class Recorder(NamedTuple):
    """The steps of one kind of document."""

    dataset: str  # whose bounds of drift apply
    record: type[Any]  # what its parsers yield
    stage: Callable[[Connection, Parse, Document, Rejections], int]  # to staging tables; returns rows read
    register: Callable[[Connection], None]  # insert new names and commit at once, outside the batch
    append: Callable[[Connection, Document, int], int]  # staged and new rows; returns their number
    touch: Callable[[Connection, int], None]  # record the keys that the next publish must process
    compare: Callable[[Connection, Document, int, Scale], int]  # fill `moved`; returns known rows stated
    extent: str  # queries the number of staged keys and the last day of the newest period
    mapped: Callable[[Connection], int] | None = None  # staged facts whose concept has a line item
    touched: Callable[[Connection], set[int]] | None = None  # subjects that `touch` would record
    size: Callable[[Any], tuple[int, date | None]] = lambda _: (
        1,
        None,
    )  # rows of what a parser yields; newest


def append_organisations(connection: Connection, document: Document, document_id: int) -> int:
    """Append the staged organisations that are new, and return the number of records."""
    return organisations.append(
        connection, document.source.name, document_id, document.fetched_at, document.sha256
    )


def _stage(connection: Connection, parse: Parse, document: Document, rejections: Rejections) -> int:
    with document.opened() as stream:
        return organisations.stage(connection, parse(stream, rejections, fetched_at=document.fetched_at))


REGISTER = Recorder(
    dataset=ORGANISATIONS,
    record=OrganisationRecord,
    stage=_stage,
    register=organisations.register,
    append=append_organisations,
    touch=organisations.touch,
    compare=lambda connection, document, document_id, _: organisations.compare(
        connection, document.source.name, document_id
    ),
    extent=organisations.EXTENT,
    touched=organisations.touched,
)
