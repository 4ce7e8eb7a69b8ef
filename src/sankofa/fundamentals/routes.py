"""The endpoint declarations of the domain."""

from __future__ import annotations

from sankofa.ask.endpoint import Endpoint
from sankofa.ask.reads import Reads
from sankofa.fundamentals.reads import facts_of_issuer, place_of_fact
from sankofa.fundamentals.served import FundamentalsFact, FundamentalsParams

FUNDAMENTALS = Endpoint(
    path="/v1/fundamentals/{service_id}",
    name="fundamentals",
    summary="Point-in-time reported facts of one issuer",
    description=(
        "What an issuer reported, as it was knowable on a date, every restatement kept as a vintage. "
        "`line_item`, `concept`, `fiscal_year`, `from` and `to` (of period_end) choose rows. After a merge "
        "of duplicates the old id answers with the surviving id's rows and `resolved_from`."
    ),
    params=FundamentalsParams,
    row=FundamentalsFact,
    order="period_end descending, line_item, period_type, period_start, unit, scope, vintage",
    read=facts_of_issuer,
    reads=(Reads(("issued_id", "fundamentals_fact"), key="service_id"),),
    position=place_of_fact,
    statuses=(200, 304, 400, 401, 404, 429, 503),
    envelope={
        "resolved_from": {
            "type": "string",
            "description": "The id that was asked for, where it was merged into the id of the rows.",
        }
    },
)

ENDPOINTS = (FUNDAMENTALS,)
