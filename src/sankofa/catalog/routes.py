"""The endpoint declaration of the domain."""

from __future__ import annotations

from sankofa.ask.endpoint import Endpoint
from sankofa.catalog.model import CatalogEntry, CatalogParams
from sankofa.catalog.reads import entries, place_of_entry

CATALOG = Endpoint(
    path="/v1/catalog/{kind}",
    name="catalog",
    summary="What can be asked for: metrics, line items, indicators, series, exchanges, sources",
    description=(
        "Each entry with its definition and what the edition holds of it; without data it is not listed. "
        "Coverage counts by country: issuers of metrics, line items and exchanges, series of indicators, "
        "documents of sources. Ask for annual values by `indicator`, for all others by `series`. Sources "
        "that may not be redistributed are not listed."
    ),
    params=CatalogParams,
    row=CatalogEntry,
    order="key",
    read=entries,
    position=place_of_entry,
    statuses=(200, 304, 400, 401, 402, 429, 503),
)

ENDPOINTS = (CATALOG,)
