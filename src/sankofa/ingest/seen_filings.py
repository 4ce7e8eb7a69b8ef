"""How filings enter the ledger whose documents may carry no day: their parser is told when they were seen."""

from __future__ import annotations

from functools import partial

from sankofa.ingest import filings
from sankofa.ingest.archive import Document
from sankofa.ingest.bounds import Rejections
from sankofa.ingest.filings import DATASET, append, compare, know, touch
from sankofa.ingest.sources import Parser
from sankofa.storage.postgres import Connection

__all__ = ["DATASET", "append", "compare", "know", "stage", "touch"]


def stage(connection: Connection, parse: Parser, document: Document, rejections: Rejections) -> int:
    """Read a document into this session's staging tables and return the number of facts."""
    return filings.stage(connection, partial(parse, fetched_at=document.fetched_at), document, rejections)
