"""The endpoint declarations of the domain."""

from __future__ import annotations

from sankofa.ask.endpoint import Endpoint
from sankofa.ask.reads import DAY, Reads
from sankofa.facts.reads import place_of_fact, shared_facts
from sankofa.facts.served import FUND, MACRO, TENDER, SharedFact, SharedFactsParams

SHARED_FACTS = Endpoint(
    path="/v1/shared/facts",
    name="shared_facts",
    summary="Facts of any dataset in one shape, of one organisation or country",
    description=(
        "Each value in its latest vintage; with `as_of`, in the latest that was available by then. "
        "Either `entity_id` or `country` must be sent. After a merge of duplicates the old id answers with "
        "the surviving id's rows and `resolved_from`."
    ),
    params=SharedFactsParams,
    row=SharedFact,
    order=(
        f"{FUND} period_end descending, measure, period_type, period_start, unit, scope; {TENDER} release "
        f"date descending, fact_id; {MACRO} period_end descending, measure, series"
    ),
    read=shared_facts,
    reads=(
        Reads(
            ("issued_id", "fundamentals_fact", "organisation", "organisation_name"),
            key="entity_id",
            when=lambda asked: asked.dataset == FUND,
        ),
        Reads(("macro_value", "series"), when=lambda asked: asked.dataset == MACRO),
        Reads(
            ("tender_fact", "tender_country", "issued_id", "organisation", "organisation_name", DAY),
            when=lambda asked: asked.dataset == TENDER,
        ),
    ),
    position=place_of_fact,
    statuses=(200, 304, 400, 401, 402, 429, 503),
    envelope={
        "resolved_from": {
            "type": "string",
            "description": "The id that was asked for, where it was merged into the id of the rows.",
        }
    },
)

ENDPOINTS = (SHARED_FACTS,)
