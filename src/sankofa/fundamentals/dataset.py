"""The dataset AF-FUND: what issuers reported, every vintage of it."""

from __future__ import annotations

from sankofa.core.dataset import (
    EXACT,
    Bulk,
    BulkColumn,
    Dataset,
    LedgerTable,
    QualityKeys,
    ServingTable,
    origin,
    place,
)

_FILINGS = """stood.filing_id IN (
    SELECT fact.filing_id FROM ledger.fact AS fact WHERE fact.document_id = ANY(%(accepted)s)
)"""

FACTS = ServingTable(
    name="fundamentals_fact",
    columns={
        "fact_id": "Hash of source, filing, location and value; it never changes.",
        "provenance_id": "Where the value comes from.",
        "period_end": "Last day of the period, or the instant.",
        "period_start": "First day of the period; -infinity for an instant.",
        "available_at": "The day the public could know the value.",
        "withdrawn_at": "The day a filing reported it as nil.",
        "scope": "Group or company accounts.",
        "vintage": "1, 2, 3 … in order of availability.",
        "fiscal_year": "Year in which the issuer's fiscal year ends; null without a type.",
        "is_own_period": "True for the filing's own period, false for a comparative.",
        "service_id": "The issuer.",
        "line_item": "Line item of the map; the concept where the fact stands for none.",
        "period_type": "FY, H1, H2, Q1 to Q4, 9M; empty where the dates fit none.",
        "unit": "ISO 4217 code, shares, pure, or a ratio of these.",
        "concept": "The source's own concept: the location within the document.",
        "value": "As reported, exact; null once the fact is taken down.",
        "labelled_from": (
            "First day on which the period has these labels; null if it had them from the start."
        ),
        "labelled_until": "First day on which it has others; null while it has these.",
        "unlabelled": "Why the period has no type; null where it has one.",
        "revision": "How the value differs from the vintage before; null for the first.",
        "passed_over": "True if the vintage only rounds the one before it, so that latest passes over it.",
        "decimals": "Precision that the filing states (-3: to the thousand); null where it states none.",
        "first_filing_held": "Whether vintage 1 comes from the filing whose own period it is.",
        "days_rounded": "Which days of the period the source rounds: start, all; null where none.",
    },
    identity=("fact_id", "line_item"),
    cluster=("service_id", "period_end", "line_item"),
    known=("available_at", "withdrawn_at"),
    days=("labelled_from", "labelled_until"),
    changed=(
        "CASE WHEN was.withdrawn_at IS DISTINCT FROM now.withdrawn_at THEN 'withdrawn'"
        " WHEN was.vintage <> now.vintage THEN 'renumbered' ELSE 'corrected' END"
    ),
    fresh="CASE WHEN now.vintage > 1 THEN 'restated' ELSE 'added' END",
    taken_down=("organisation",),
)

FILINGS = ServingTable(
    name="filing",
    columns={
        "provenance_id": "The document fetched earliest that shows it.",
        "available_at": "The day the public could know it.",
        "facts": "Values that it states.",
        "changed_values": "Values known before that it changed.",
        "service_id": "The issuer.",
        "country": (
            "ISO 3166-1 alpha-2 of the jurisdiction known on the day of the filing; empty where none was."
        ),
        "form": "Form type, such as 10-K; empty where the source has none.",
        "filing_id": "The regulator's number of it.",
        "source_url": "Its page at the publisher; null where none is known.",
    },
    identity=("service_id", "filing_id", "available_at"),
    cluster=("available_at", "service_id"),
    known=("available_at",),
    taken_down=("organisation",),
)
PLACES = ServingTable(
    name="issuer_place",
    columns={
        "known_from": "First day on which it was known there, and something that it filed.",
        "known_until": "First day on which it was not; infinity while it is.",
        "service_id": "The issuer.",
        "place": "ISO 3166-1 alpha-2 of a country, MIC of an exchange, or empty.",
    },
    identity=("service_id", "place", "known_from"),
    cluster=("service_id", "place"),
    known=("known_from", "known_until"),
    taken_down=("organisation",),
)

DATASET = Dataset(
    name="AF-FUND",
    package=__package__,
    about="What issuers reported, every vintage of it.",
    tables=(FACTS, FILINGS, PLACES),
    held=(
        LedgerTable("filing", condition=_FILINGS),
        LedgerTable("fact", "document_id"),
        LedgerTable("filing_declaration", "document_id"),
    ),
    facts=FACTS,
    bulk=(
        Bulk(
            name="fundamentals",
            about="Every vintage of every reported value.",
            facts=FACTS,
            view="bulk_fund",
            columns=(
                *place("Row id of the fact.", "First edition that holds the row."),
                BulkColumn("service_id", "VARCHAR"),
                BulkColumn(
                    "line_item", "VARCHAR", "The line item; the concept where the fact stands for none."
                ),
                BulkColumn("value_reported", EXACT, "As reported, exact; null where it was taken down."),
                BulkColumn(
                    "currency_reported", "VARCHAR", "ISO 4217 code; null for a value that is not money."
                ),
                BulkColumn("unit", "VARCHAR", "As reported."),
                BulkColumn("scope", "VARCHAR", "Whose accounts."),
                BulkColumn("period_start", "DATE", "First day; null of an instant."),
                BulkColumn("period_end", "DATE", "Last day."),
                BulkColumn("period_type", "VARCHAR", "FY, H1 and so on; null of other periods."),
                BulkColumn("fiscal_year", "INTEGER", "The issuer's fiscal year."),
                BulkColumn("vintage", "INTEGER"),
                BulkColumn("available_at", "DATE", "The day the public could know it."),
                BulkColumn("available_at_basis", "VARCHAR", "What evidences that day."),
                BulkColumn("withdrawn_at", "DATE", "The day it was withdrawn; null where it was not."),
                BulkColumn("reported_as", "VARCHAR", "own or comparative."),
                *origin(
                    "Document and concept.", "Hash that never changes; null where the value was taken down."
                ),
                BulkColumn("labelled_from", "DATE"),
                BulkColumn("labelled_until", "DATE"),
                BulkColumn("revision", "VARCHAR"),
                BulkColumn("passed_over", "BOOLEAN"),
                BulkColumn("decimals", "INTEGER"),
                BulkColumn(
                    "accepted_at",
                    "TIMESTAMP WITH TIME ZONE",
                    "Moment at which the regulator accepted the filing; null where the source has none.",
                ),
                BulkColumn("form", "VARCHAR", "Form type of the filing, such as 10-K."),
                BulkColumn("filing_id", "VARCHAR", "The regulator's number of the filing."),
                BulkColumn("first_filing_held", "BOOLEAN"),
                BulkColumn("concept", "VARCHAR"),
                BulkColumn("days_rounded", "VARCHAR"),
            ),
            order="service_id, line_item, period_end, row_id, published_in",
        ),
    ),
    counted=QualityKeys(
        kind="issuer",
        plural="issuers",
        coverage="Issuers of which the edition holds a fact.",
        touched="touched_id",
        sampled="the filer (`cik:…`), the line item, the period's end, the unit, the value",
    ),
)
