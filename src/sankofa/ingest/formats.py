"""The outside formats: which parser reads each, and how what it yields is recorded."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from sankofa.drift.screen import Scale
from sankofa.ingest import (
    cbk_inflation,
    cbk_rates,
    cik_lei,
    ecb_rates,
    esef,
    filings,
    fred,
    gleif,
    gleif_isins,
    listings,
    ocds,
    openfigi,
    organisation_records,
    releases,
    sec_companyfacts,
    sec_fsds,
    sec_submissions,
    sec_tickers,
    seen_filings,
    series_documents,
    world_bank_csv,
    world_bank_documents,
)
from sankofa.ingest.archive import Document
from sankofa.ingest.bounds import Rejections
from sankofa.ingest.sources import Parser
from sankofa.storage.postgres import Connection


class Recorder(Protocol):
    """How one kind of document enters the ledger; the modules that record are such."""

    DATASET: str  # whose bounds of drift apply

    def stage(self, connection: Connection, parse: Parser, document: Document, rejections: Rejections) -> int:
        """Read the document into this session's staging tables and return the number of rows read."""

    def know(self, connection: Connection) -> None:
        """Give handles to names not met before, at once and for everybody, outside the batch."""

    def append(self, connection: Connection, document: Document, document_id: int) -> int:
        """Append what is staged and new, and return how many rows that was."""

    def touch(self, connection: Connection, batch_id: int) -> None:
        """Record what a publish must look at because of this batch."""

    def compare(self, connection: Connection, document: Document, document_id: int, scale: Scale) -> int:
        """Note in `moved` how known rows changed, and return how many the document speaks of."""


class Format(NamedTuple):
    """One outside format."""

    parse: Parser
    recorder: Recorder


FORMATS = {
    "sec_companyfacts": Format(sec_companyfacts.parse, filings),
    "sec_fsds": Format(sec_fsds.parse, filings),
    "esef": Format(esef.parse, seen_filings),
    "sec_submissions": Format(sec_submissions.parse, organisation_records),
    "sec_tickers": Format(sec_tickers.parse, organisation_records),
    "gleif": Format(gleif.parse, organisation_records),
    "cik_lei": Format(cik_lei.parse, organisation_records),
    "gleif_isins": Format(gleif_isins.parse, organisation_records),
    "ocds": Format(ocds.parse, releases),
    "listings": Format(listings.parse, organisation_records),
    "openfigi": Format(openfigi.parse, organisation_records),
    "world_bank": Format(world_bank_documents.parse, series_documents),
    "world_bank_long": Format(world_bank_csv.parse, series_documents),
    "ecb_rates": Format(ecb_rates.parse, series_documents),
    "cbk_rates": Format(cbk_rates.parse, series_documents),
    "cbk_inflation": Format(cbk_inflation.parse, series_documents),
    "fred": Format(fred.parse, series_documents),
}
