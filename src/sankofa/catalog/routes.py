"""The endpoint declaration of the domain."""

from __future__ import annotations

from sankofa.ask.endpoint import Endpoint
from sankofa.ask.reads import DAY, Reads
from sankofa.catalog.reads import entries, place_of_entry
from sankofa.catalog.served import CatalogEntry, CatalogParams

CATALOG = Endpoint(
    path="/v1/catalog/{kind}",
    name="catalog",
    summary="What can be asked for: metrics, line items, indicators, series, exchanges, sources",
    description=(
        "Each entry with its definition and what the edition holds of it; without data it is not listed. "
        "Coverage counts by country: issuers of metrics, line items and exchanges, series of indicators, "
        "documents of sources. Ask for a series by its key, or for annual values of countries by "
        "`indicator`. Sources that may not be redistributed are not listed."
    ),
    params=CatalogParams,
    row=CatalogEntry,
    order="key",
    read=entries,
    reads=(
        Reads(("coverage",), when=lambda params: params.kind in {"metrics", "line-items", "exchanges"}),
        Reads(("series", "macro_value"), when=lambda params: params.kind in {"indicators", "series"}),
        Reads(("signal", DAY), when=lambda params: params.kind in {"signals", "categories"}),
        Reads(("source", "quality_total"), when=lambda params: params.kind == "sources"),
    ),
    position=place_of_entry,
    statuses=(200, 304, 400, 401, 402, 429, 503),
)

ENDPOINTS = (CATALOG,)
