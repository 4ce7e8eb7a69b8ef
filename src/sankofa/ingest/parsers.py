"""The parsers by name, each with its recorder."""

from __future__ import annotations

from typing import NamedTuple

from sankofa.ingest.filings import cvm_statements, esef, sec_companyfacts, sec_fsds, sec_notes
from sankofa.ingest.filings.record import FILINGS, SEEN_FILINGS
from sankofa.ingest.ocds import release
from sankofa.ingest.ocds.record import RELEASES
from sankofa.ingest.parsing import Parsing
from sankofa.ingest.recording import REGISTER, Parse, ParseMember, Recorder
from sankofa.ingest.registers import (
    cik_lei,
    cvm_companies,
    gleif,
    gleif_isins,
    listings,
    openfigi,
    sec_submissions,
    sec_tickers,
    ticker_database,
    wikidata,
)
from sankofa.ingest.series import (
    cbk_inflation,
    cbk_rates,
    ecb_rates,
    fred,
    imf_weo,
    wdi_archive,
    world_bank_csv,
    world_bank_documents,
)
from sankofa.ingest.series.record import SERIES


class Parser(NamedTuple):
    """One outside format."""

    parse: Parse
    recorder: Recorder
    member: ParseMember | None = None  # of an archive that can be read in parts, each file by itself

    def isolated(self, parsing: Parsing) -> Parse:
        """Return the parser as one that runs in a child process."""
        return parsing.isolated(self.parse, self.recorder.record)


PARSERS = {
    "sec_companyfacts": Parser(sec_companyfacts.parse, FILINGS, sec_companyfacts.parse_member),
    "sec_fsds": Parser(sec_fsds.parse, FILINGS),
    "sec_notes": Parser(sec_notes.parse, REGISTER),
    "esef": Parser(esef.parse, SEEN_FILINGS),
    "cvm_statements": Parser(cvm_statements.parse, SEEN_FILINGS),
    "sec_submissions": Parser(sec_submissions.parse, REGISTER, sec_submissions.parse_member),
    "cvm_companies": Parser(cvm_companies.parse, REGISTER),
    "sec_tickers": Parser(sec_tickers.parse, REGISTER),
    "gleif": Parser(gleif.parse, REGISTER),
    "cik_lei": Parser(cik_lei.parse, REGISTER),
    "gleif_isins": Parser(gleif_isins.parse, REGISTER),
    "listings": Parser(listings.parse, REGISTER),
    "openfigi": Parser(openfigi.parse, REGISTER),
    "ticker_database": Parser(ticker_database.parse, REGISTER),
    "wikidata": Parser(wikidata.parse, REGISTER),
    "ocds": Parser(release.parse, RELEASES),
    "world_bank": Parser(world_bank_documents.parse, SERIES),
    "wdi_archive": Parser(wdi_archive.parse, SERIES),
    "world_bank_long": Parser(world_bank_csv.parse, SERIES),
    "ecb_rates": Parser(ecb_rates.parse, SERIES),
    "cbk_rates": Parser(cbk_rates.parse, SERIES),
    "cbk_inflation": Parser(cbk_inflation.parse, SERIES),
    "fred": Parser(fred.parse, SERIES),
    "imf_weo": Parser(imf_weo.parse, SERIES),
}
