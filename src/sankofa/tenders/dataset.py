"""The dataset AF-TENDER: releases of contracting processes, and what was tendered and awarded."""

from __future__ import annotations

from sankofa.core.dataset import (
    EXACT,
    Bulk,
    BulkColumn,
    Dataset,
    Joined,
    LedgerTable,
    QualityKeys,
    ServingTable,
    origin,
    place,
)

_RESTATED = (
    "CASE WHEN was.known_until <> now.known_until THEN 'restated'"
    " WHEN was.vintage <> now.vintage THEN 'renumbered' ELSE 'corrected' END"
)
_FRESH = "CASE WHEN now.vintage > 1 THEN 'restated' ELSE 'added' END"
_MOVED = "CASE WHEN {row}.part_id IN (SELECT part_id FROM moved) THEN 'merged' ELSE '{otherwise}' END"
_SIGHTED = """(stood.process_key, stood.release_key, stood.content) IN (
    SELECT seen.process_key, seen.release_key, seen.content
    FROM ledger.release_sighting AS seen WHERE seen.document_id = ANY(%(accepted)s)
)"""
# A release names no party: it refers to parties by ids, which resolve to nothing after a takedown.
# A release or text with a party's name in its ids or its text is removed with that party.

RELEASES = ServingTable(
    name="tender_release",
    columns={
        "fact_id": "Hash of release, content and the document that shows it; it never changes.",
        "process_key": "The contracting process.",
        "provenance_id": "Where the content comes from, and what evidences available_at.",
        "sorted_at": "The publisher's date; the start of available_at where that is missing.",
        "available_at": "The day the public could know this content.",
        "known_until": "The day another content took its place; infinity while none.",
        "vintage": "1, 2, 3 … in order of availability.",
        "has_text": "Whether the release has free text, served or not.",
        "country": "The portal's country, ISO 3166-1 alpha-2.",
        "source": "The portal.",
        "ocid": "Contracting process.",
        "release_id": "The release's id, unique within its process.",
        "named_in_ids": "Ids of parties whose names stand in its ids: it goes with them.",
        "parties": "Pairs of issued id and roles; the body points here by place.",
        "body": "What the release says; texts stand as places in those of serving.tender_text.",
        "marks": "By what it is found: month of its date and hash of what it has, and its process.",
    },
    identity=("fact_id",),
    key="process_key",
    cluster=("country", "sorted_at", "ocid", "release_id"),
    known=("available_at", "known_until"),
    changes_daily=True,
    unseen=("named_in_ids",),
    changed=_RESTATED,
    fresh=_FRESH,
    taken_down=("organisation",),
)
TEXTS = ServingTable(
    name="tender_text",
    columns={
        "fact_id": "The content it belongs to.",
        "process_key": "The contracting process.",
        "named": "Ids of parties that it names: it goes with any of them.",
        "texts": "The texts, in the places that the body points at.",
        "marks": "By what it is found: those of its content, and the words of its titles.",
    },
    identity=("fact_id",),
    key="process_key",
    cluster=("process_key",),
    taken_down=("organisation",),
)
FACTS = ServingTable(
    name="tender_fact",
    columns={
        "fact_id": "Hash of the content that states it and what it states; it never changes.",
        "process_key": "The contracting process.",
        "provenance_id": "Where the value comes from, and what evidences available_at.",
        "period_end": "Day of the release that states it.",
        "available_at": "The day the public could know this vintage.",
        "known_until": (
            "The day another vintage took its place, or the award was cancelled or went to others; infinity "
            "while neither."
        ),
        "vintage": "1, 2, 3 … in order of availability.",
        "measure": "tender_value of a process, or award_value of an award and a supplier.",
        "country": "The portal's country, ISO 3166-1 alpha-2.",
        "party": "Issued id of the buyer or the supplier, whoever it is; null where there is none.",
        "joint": "Whether several suppliers won it together: each has the whole value; null of a tender.",
        "unit": "ISO 4217 code.",
        "location": "Where in the document: the last part of source_ref.",
        "named_in_ids": "Ids of parties whose names stand in its location: it goes with them.",
        "value": "As stated, exact.",
    },
    identity=("fact_id",),
    key="process_key",
    cluster=("country", "period_end", "fact_id"),
    known=("available_at", "known_until"),
    changes_daily=True,
    unseen=("named_in_ids",),
    changed=_RESTATED,
    fresh=_FRESH,
    taken_down=("organisation",),
)
# QualityKeys into panels, which name no party: no answer shows it, and takedowns leave it.
EVENTS = ServingTable(
    name="tender_event",
    columns={
        "event_id": "Hash of process, kind and, of what was won, award.",
        "process_key": "The contracting process.",
        "provenance_id": "Where it is stated.",
        "month": "First day of the month in which it first became known.",
        "tenderers": "Of an award: how many tendered, where stated.",
        "days": "Of an award: days from the deadline of the tender to the award, where both are stated.",
        "joint": "Of what was won: whether several suppliers won it together.",
        "kind": (
            "tendered: a tender; valued: a tender with a value; awarded: a first award; won: an award with "
            "a value."
        ),
        "country": "The portal's country, ISO 3166-1 alpha-2.",
        "category": "The portal's own word, or what the codes of items tell; null where neither does.",
        "party": "The organisation that buys, or that won alone; null where none is established.",
        "currency": "ISO 4217 code of the value.",
        "value": "Value of the tender or the award, exact.",
    },
    identity=("event_id",),
    key="process_key",
    cluster=("country", "month"),
)
PARTIES = ServingTable(
    name="tender_party",
    columns={
        "part_id": "Hash of organisation, role and country.",
        "provenance_id": "Where the newest of the releases comes from.",
        "available_at": "The first day on which the part was known so.",
        "known_until": "The day from which it is known otherwise; infinity while none.",
        "first_release": "Day of the first release.",
        "last_release": "Day of the newest release.",
        "releases": "How many releases show it in this role.",
        "service_id": "The organisation.",
        "role": "OCDS role.",
        "country": "Country of the portals, ISO 3166-1 alpha-2.",
        "location": "Where in the document: the last part of source_ref.",
    },
    identity=("part_id", "available_at"),
    cluster=("service_id", "role", "country", "available_at"),
    known=("available_at", "known_until"),
    changed=_MOVED.format(row="now", otherwise="corrected"),
    fresh=_MOVED.format(row="now", otherwise="added"),
    gone=_MOVED.format(row="was", otherwise="withdrawn"),
    taken_down=("organisation",),
)
COUNTRIES = ServingTable(
    name="tender_country",
    columns={
        "newest_at": "Date of its newest release.",
        "country": "ISO 3166-1 alpha-2.",
    },
    identity=("country",),
    key="country",
    cluster=("country",),
)

DATASET = Dataset(
    name="AF-TENDER",
    package=__package__,
    about="Releases of contracting processes, and what was tendered and awarded.",
    tables=(RELEASES, TEXTS, FACTS, EVENTS, PARTIES, COUNTRIES),
    held=(
        LedgerTable("release_sighting", "document_id"),
        LedgerTable("release", condition=_SIGHTED),
        LedgerTable("release_party", condition=_SIGHTED),
    ),
    batches="batch_process",
    facts=FACTS,
    bulk=(
        Bulk(
            name="awards",
            about="Every vintage of what established organisations were awarded.",
            facts=FACTS,
            view="bulk_award",
            columns=(
                *place("Row id of the award value.", "First edition that holds all three."),
                BulkColumn("service_id", "VARCHAR", "The organisation that answers for the supplier."),
                BulkColumn("entity_name", "VARCHAR", "Its legal name."),
                BulkColumn("country_iso3", "VARCHAR", "ISO 3166-1 alpha-3 code of where it is established."),
                BulkColumn("portal_country", "VARCHAR", "The portal's country, ISO 3166-1 alpha-2."),
                BulkColumn("measure", "VARCHAR", "award_value."),
                BulkColumn("value", EXACT, "As stated, to 12 places after the point."),
                BulkColumn(
                    "value_exact", "VARCHAR", "All digits, where there are more places than 12; else null."
                ),
                BulkColumn("unit", "VARCHAR"),
                BulkColumn("joint", "BOOLEAN", "Whether several won it together: each has the whole value."),
                BulkColumn("period_end", "DATE", "Day of the release."),
                BulkColumn("vintage", "INTEGER"),
                BulkColumn("available_at", "DATE", "The day the public could know it."),
                BulkColumn("available_at_basis", "VARCHAR", "What evidences that day."),
                BulkColumn(
                    "known_until",
                    "DATE",
                    "The day another vintage took its place, or it was cancelled or went to others; "
                    "null while neither.",
                ),
                *origin("Document and place."),
            ),
            order="service_id, period_end, row_id, published_in",
            joined=(Joined("issued_id", "id_row"), Joined("organisation", "organisation_row")),
            # A part of a country (US-DE) begins with the country's own code.
            alpha3_of={"country_iso3": "jurisdiction"},
        ),
        Bulk(
            name="releases",
            about="Every content of every release of a contracting process, without parties and free text.",
            facts=RELEASES,
            view="bulk_release",
            columns=(
                *place("Row id of the content.", "First edition that holds the row."),
                BulkColumn("country", "VARCHAR"),
                BulkColumn("source", "VARCHAR"),
                BulkColumn("ocid", "VARCHAR"),
                BulkColumn("release_id", "VARCHAR"),
                BulkColumn(
                    "date", "TIMESTAMP WITH TIME ZONE", "The publisher's date, as answers sort by it."
                ),
                BulkColumn("tag", "VARCHAR[]", "OCDS release tags."),
                BulkColumn("language", "VARCHAR", "Language that the portal states."),
                BulkColumn("tender_status", "VARCHAR", "OCDS tender status."),
                BulkColumn("procurement_method", "VARCHAR", "OCDS procurement method."),
                BulkColumn("category", "VARCHAR", "The portal's own category, else the OCDS one."),
                BulkColumn("tender_value", EXACT, "Value of the tender, to 12 places after the point."),
                BulkColumn("tender_currency", "VARCHAR", "ISO 4217 code of that value."),
                BulkColumn("number_of_tenderers", "INTEGER", "How many tendered, where stated."),
                BulkColumn("awards", "INTEGER", "Awards that the release states."),
                BulkColumn("contracts", "INTEGER", "Contracts that the release states."),
                BulkColumn("vintage", "INTEGER"),
                BulkColumn("available_at", "DATE"),
                BulkColumn("available_at_basis", "VARCHAR", "What evidences that day."),
                BulkColumn("known_until", "DATE", "The day another content took its place; null while none."),
                *origin("Document and release."),
            ),
            order="country, date, ocid, release_id, row_id",
        ),
    ),
    counted=QualityKeys(
        kind="process",
        plural="processes",
        coverage="Contracting processes of which the edition holds a release.",
        touched="touched_process",
        sampled="source and ocid as `source|ocid`, tender_value or award_value, the currency, the value",
        sampled_as="source|ocid",
    ),
)
