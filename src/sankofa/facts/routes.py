"""The endpoint declarations of the domain."""

from __future__ import annotations

from sankofa.ask.endpoint import Endpoint
from sankofa.ask.reads import DAY, Reads
from sankofa.facts.fact import MOST_VERSIONS, FactParams, FactVersion, place_of_version, versions_of_fact
from sankofa.facts.filings import Filing, FilingsParams, filings, place_of_filing
from sankofa.facts.panel import PanelFact, PanelParams, panel, place_of_cell
from sankofa.facts.proof import MOST_PROOFS, Proof, ProofParams, place_of_proof, proofs_of_fact
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
            when=lambda params: params.dataset == FUND,
        ),
        Reads(("macro_value", "series"), when=lambda params: params.dataset == MACRO),
        Reads(
            ("tender_fact", "tender_country", "issued_id", "organisation", "organisation_name", DAY),
            when=lambda params: params.dataset == TENDER,
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

PANEL = Endpoint(
    path="/v1/panel",
    name="panel",
    summary="Line items of many issuers and fiscal years, as they were known on a date",
    description=(
        "One row for each value, the same as on fundamentals, with the issuer's name and country as known on "
        "the day. Issuers are those of a country, of an exchange, of a list of ids, or all. Where filings "
        "state a line item of a year in two units, both have a row."
    ),
    params=PanelParams,
    row=PanelFact,
    order="service_id, line_item, period_end descending, period_start, unit, scope, vintage",
    examples={"service_id": ""},  # beside a country it is one too many
    read=panel,
    reads=(
        Reads(("issuer_place", "issued_id", "fundamentals_fact", "organisation", "organisation_name")),
        Reads(("issuer_coverage", "coverage"), when=lambda params: params.is_of_all),
    ),
    position=place_of_cell,
    statuses=(200, 304, 400, 401, 402, 429, 503),
)

FILINGS = Endpoint(
    path="/v1/filings",
    name="filings",
    summary="What was filed, the newest first",
    description=(
        "Every filing that is held, also one that only repeats what was known: how many values it states, "
        "and how many values known before it changed."
    ),
    params=FilingsParams,
    row=Filing,
    order="available_at descending, filing_id, service_id",
    read=filings,
    reads=(Reads(("filing", "issued_id", "organisation", "organisation_name")),),
    position=place_of_filing,
    statuses=(200, 304, 400, 401, 402, 429, 503),
)

FACT = Endpoint(
    path="/v1/facts/{fact_id}",
    name="fact",
    summary="One reported fact by its id, with every vintage of its value",
    description=(
        "All vintages of the value up to `as_of`, each with its document, its page at the publisher where "
        "that is known, and the metrics of that day that rest on it (`basis=as_known`)."
    ),
    params=FactParams,
    row=FactVersion,
    order="line_item, vintage",
    read=versions_of_fact,
    reads=(Reads(("fundamentals_fact", "filing", "metric_value", DAY)),),
    position=place_of_version,
    statuses=(200, 304, 400, 401, 404, 429, 503),
    most=MOST_VERSIONS,
    examples={"fact_id": "64fc938d-155f-5feb-4c00-976596350358"},
)

PROOF = Endpoint(
    path="/v1/facts/{fact_id}/proof",
    name="proof",
    summary="Proof that a fact is part of a signed edition",
    description=(
        "The rows that the edition holds of the fact and its source, as they were sealed, each with the "
        "hashes that lead to the root of the edition that sealed it. SHA-256 and Ed25519 are enough to check "
        "them."
    ),
    params=ProofParams,
    row=Proof,
    order="table, row",
    read=proofs_of_fact,
    reads=(Reads(("fundamentals_fact",)),),
    position=place_of_proof,
    statuses=(200, 304, 400, 401, 404, 429, 503),
    most=MOST_PROOFS,
    weight=20,
    examples={"fact_id": "64fc938d-155f-5feb-4c00-976596350358"},
)

ENDPOINTS = (SHARED_FACTS, PANEL, FILINGS, FACT, PROOF)
