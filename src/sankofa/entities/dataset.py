"""The dataset of organisations: ids, names and identifiers."""

from __future__ import annotations

from sankofa.core.dataset import Bulk, BulkColumn, Dataset, LedgerTable, ServingTable, origin, place

# A removed organisation was merged into another, or no source states it any longer.
_GONE = (
    "CASE WHEN was.service_id IN (SELECT service_id FROM touched WHERE survivor <> service_id)"
    " THEN 'merged' ELSE 'withdrawn' END"
)
# The subjects of the batches, and those that releases mention.
_SUBJECTS = """stood.subject_id IN (
    SELECT told.subject_id FROM ops.batch_subject AS told WHERE told.batch_id = ANY(%(batches)s)
    UNION
    SELECT party.subject_id FROM ledger.release_sighting AS seen
    INNER JOIN ledger.release_party AS party USING (process_key, release_key, content)
    WHERE seen.document_id = ANY(%(accepted)s)
)"""

ORGANISATIONS = ServingTable(
    name="organisation",
    columns={
        "decision_id": "The judgement that lets it be shown.",
        "provenance_id": "Where the record comes from.",
        "service_id": "The organisation.",
        "legal_name": "Its name as the source writes it; null where no source names it.",
        "search_name": "The name as search compares it.",
        "jurisdiction": "ISO 3166-1 alpha-2 or 3166-2; null where not known.",
        "sic": "Its industry by the Standard Industrial Classification; null where not known.",
        "lei": "Its LEI; null where it has none.",
        "status": "active, inactive or unknown.",
        "established_by": "Kinds of evidence that it is an organisation.",
        "rule_version": "Version of the rules it was judged by.",
        "location": "Where in the document: the last part of source_ref.",
        "name_provenance_id": (
            "Where the name comes from: the record that stated it on known_from, whatever was recorded since."
        ),
        "name_location": "Where in that document.",
        "known_from": (
            "First day on which name and jurisdiction were known; -infinity or null where nothing dates them."
        ),
        "name_as_of": "The day from which a dated record states the name; null where nothing dates it.",
        "is_issuer": (
            "Whether a filing of it is held; serving.issuer has the days, and this only narrows a search."
        ),
    },
    identity=("service_id",),
    known=("known_from",),
    unseen=("decision_id",),
    gone=_GONE,
    taken_down=("organisation",),
)
NAMES = ServingTable(
    name="organisation_name",
    columns={
        "decision_id": "The judgement that lets the organisation be shown.",
        "name_id": "Hash of the organisation and known_from.",
        "provenance_id": "Where the name comes from.",
        "known_from": "First day of the version; -infinity for the days before any dated record.",
        "known_until": "First day of the next version.",
        "name_as_of": "The day from which a dated record states the name; null where nothing dates it.",
        "service_id": "The organisation.",
        "legal_name": "Its name then, as the source writes it; null where none is known or shown.",
        "search_name": (
            "The name as search compares it; empty where there is none, "
            "or one that became known later stands in."
        ),
        "jurisdiction": "ISO 3166-1 alpha-2 or 3166-2; null where not known then.",
        "sic": "Its industry then, by the Standard Industrial Classification; null where not known.",
        "location": "Where in the document: the last part of source_ref.",
        "is_issuer": "Whether a filing of the organisation is held.",
    },
    identity=("name_id",),
    known=("known_from", "known_until"),
    unseen=("decision_id",),
    gone=_GONE,
    taken_down=("organisation", "names"),
)
IDENTIFIERS = ServingTable(
    name="identifier",
    columns={
        "claim_id": "Hash of the subject that claims it, type, issuer and value.",
        "provenance_id": "Where the claim comes from.",
        "available_at": "The day from which the public could know the claim.",
        "valid_from": "First day it holds; null where the source does not say.",
        "valid_to": "Day it was retired; null while it holds.",
        "known_from": "First day on which the claim was known as it is here.",
        "service_id": "The organisation.",
        "evidence": (
            "register: a register, regulator or list of an exchange states it; "
            "third_party: only somebody else does."
        ),
        "id_type": "lei, ticker, registry, aggregator, isin or figi.",
        "issuer": "The registry or exchange it is unique in; empty where unique worldwide.",
        "id_value": "As the source writes it.",
        "location": "Where in the document: the last part of source_ref.",
    },
    identity=("claim_id",),
    known=("valid_from", "valid_to"),
    days=("known_from",),
    gone="'withdrawn'",
    changed="CASE WHEN was.valid_to IS DISTINCT FROM now.valid_to THEN 'withdrawn' ELSE 'corrected' END",
    taken_down=("organisation",),
)
EARLIER_IDENTIFIERS = ServingTable(
    name="identifier_earlier",
    columns={
        "version_id": "Hash of organisation, type, issuer, value and known_from.",
        "provenance_id": "Where the claim comes from.",
        "available_at": "The day from which the public could know the claim.",
        "valid_from": "First day it holds; null where the source does not say.",
        "valid_to": "Day it was retired, as known then; null where none was known.",
        "known_from": "First day on which the claim was known as it is here.",
        "known_until": "First day of the next version.",
        "service_id": "The organisation.",
        "evidence": (
            "register: a register, regulator or list of an exchange states it; "
            "third_party: only somebody else does."
        ),
        "id_type": "lei, ticker, registry, aggregator, isin or figi.",
        "issuer": "The registry or exchange it is unique in; empty where unique worldwide.",
        "id_value": "As the source writes it.",
        "location": "Where in the document: the last part of source_ref.",
    },
    identity=("version_id",),
    known=("known_from", "known_until"),
    days=("valid_from", "valid_to"),
    gone="'withdrawn'",
    taken_down=("organisation",),
)
ISSUERS = ServingTable(
    name="issuer",
    columns={
        "provenance_id": "Where the first filing comes from.",
        "first_filed": "The day its first filing that is held became available.",
        "known_from": "First day on which country and industry were known as they are here.",
        "known_until": "First day of the next row; infinity where there is none.",
        "service_id": "The issuer.",
        "country": "ISO 3166-1 alpha-2 of its jurisdiction then; empty where not known.",
        "sic": "Its industry then, by the Standard Industrial Classification; null where not known.",
        "filed_on": "The days on which its filings became available, one for each, in order.",
    },
    identity=("service_id", "known_from"),
    known=("known_from", "known_until"),
    days=("first_filed",),
    gone=_GONE,
    taken_down=("organisation",),
)
IDS = ServingTable(
    name="issued_id",
    columns={
        "service_id": "An id that answers.",
        "resolves_to": "The id whose rows it answers with.",
    },
    identity=("service_id",),
    changed="'merged'",
    taken_down=("organisation",),
)

_PLACE = place("Row id.", "First edition that holds the row.")
_ORIGIN = origin("Document and place.")[:3]
_CLAIM = (
    BulkColumn("service_id", "VARCHAR"),
    BulkColumn("id_type", "VARCHAR"),
    BulkColumn("issuer", "VARCHAR"),
    BulkColumn("id_value", "VARCHAR"),
    BulkColumn("evidence", "VARCHAR"),
    BulkColumn("valid_from", "DATE"),
    BulkColumn("valid_to", "DATE"),
    BulkColumn("available_at", "DATE"),
    BulkColumn("known_from", "DATE"),
)

DATASET = Dataset(
    name="entities",
    package=__package__,
    about="Organisations, their names and their identifiers.",
    tables=(ORGANISATIONS, NAMES, IDENTIFIERS, EARLIER_IDENTIFIERS, ISSUERS, IDS),
    held=(LedgerTable("subject", condition=_SUBJECTS), LedgerTable("organisation_record", "document_id")),
    batches="batch_subject",
    bulk=(
        Bulk(
            name="organisations",
            about="The organisations of each edition, with the name and place known last.",
            facts=ORGANISATIONS,
            view="bulk_organisation",
            columns=(
                *_PLACE,
                BulkColumn("service_id", "VARCHAR"),
                BulkColumn("legal_name", "VARCHAR"),
                BulkColumn("jurisdiction", "VARCHAR"),
                BulkColumn("sic", "VARCHAR"),
                BulkColumn("lei", "VARCHAR"),
                BulkColumn("status", "VARCHAR"),
                BulkColumn("established_by", "VARCHAR[]"),
                BulkColumn(
                    "available_at", "DATE", "First day on which name and place were known; null if undated."
                ),
                BulkColumn("name_as_of", "DATE"),
                *_ORIGIN,
            ),
            order="service_id, row_id",
        ),
        Bulk(
            name="names",
            about="Earlier names and places of organisations, with the days on which they were known.",
            facts=NAMES,
            view="bulk_name",
            columns=(
                *_PLACE,
                BulkColumn("service_id", "VARCHAR"),
                BulkColumn("legal_name", "VARCHAR"),
                BulkColumn("jurisdiction", "VARCHAR"),
                BulkColumn("sic", "VARCHAR"),
                BulkColumn("available_at", "DATE", "First day of the version; null before any dated record."),
                BulkColumn("known_until", "DATE"),
                BulkColumn("name_as_of", "DATE"),
                *_ORIGIN,
            ),
            order="service_id, available_at, row_id",
        ),
        Bulk(
            name="identifiers",
            about="Identifiers of organisations as they are known last.",
            facts=IDENTIFIERS,
            view="bulk_identifier",
            columns=(*_PLACE, *_CLAIM, *_ORIGIN),
            order="service_id, id_type, id_value, row_id",
        ),
        Bulk(
            name="identifiers-earlier",
            about="Identifiers of organisations as they were known on earlier days.",
            facts=EARLIER_IDENTIFIERS,
            view="bulk_identifier_earlier",
            columns=(*_PLACE, *_CLAIM, BulkColumn("known_until", "DATE"), *_ORIGIN),
            order="service_id, id_type, id_value, row_id",
        ),
    ),
)
