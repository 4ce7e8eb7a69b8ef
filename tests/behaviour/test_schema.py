"""The shape of the database, read from its own catalogue after all migrations."""

from __future__ import annotations

from collections import defaultdict

import pytest

from sankofa.changes.reads import SQL as CHANGES
from sankofa.changes.served import Change
from sankofa.editions.digests import Reader
from sankofa.editions.rows import Forms
from sankofa.editions.served import PublishedEdition
from sankofa.entities.served import FormerHolder, HeldIdentifier, IdentifiedOrganisation, Organisation
from sankofa.facts.served import SharedFact
from sankofa.fundamentals.served import FundamentalsFact
from sankofa.macro.served import SeriesValue
from sankofa.metrics.formulas import BY_SLUG
from sankofa.metrics.served import MetricValue
from sankofa.storage.queries import named
from sankofa.tenders.served import PlayedPart

SCHEMAS = ["ledger", "serving", "ops"]
SPAN = ("first_date", "last_date", "license_class")
ORIGIN = ("methodology_ref", "source_ref", "license_class", "observed_at")


def fields(row):
    return row.__struct_fields__


# Tables of ops whose rows may change, each with its reason.
CHANGEABLE = {
    "ops.pending": "what no edition holds yet; triggers keep it, and rows leave when a build holds them",
    "ops.held_document": "follows ops.edition_holds by triggers, also when a build is undone",
    "ops.organisation_claim": "the publisher's working copy, made anew from the records",
    "ops.usage_month": "counts that grow, copied from the usage store",
    "ops.usage_tally": "whether a process has reported all it counted",
    "ops.usage_day": "counts that grow, and a trigger refuses smaller ones",
    "ops.usage_settled": "when counts were last copied",
    "ops.run_waiting": "what no good run has offered yet; triggers let rows leave",
    "ops.host_turn": "when each host may be asked again",
    "ops.archive_part": "archives that are being read; they leave it when they are",
    "ops.feed_standing": "when each source is due and becomes stale; it follows from runs and files",
}

# Tables that no digest covers, each with its reason.
UNSEALED = {
    "ops.pending": "what no edition holds is part of none",
    "ops.held_document": "follows from ops.edition_holds and ops.batch, which are sealed",
    "ops.digest_block": "what the digests are made of",
    "ops.digest_group": "computed from these blocks, and compared with them",
    "ops.sealed_form": "with other columns, no digest would come out",
    "serving.edition_digest": "the digests themselves; the same text is kept in S3",
    "ops.instance": "one row that names the installation's objects in S3",
    "ops.edition_build": "the number of a build; the edition's own row is sealed",
    "ops.key_event": "API keys are no part of the data",
    "ops.usage_month": "nor is their use",
    "ops.usage_tally": "nor is their use",
    "ops.usage_day": "nor is their use",
    "ops.usage_settled": "nor is their use",
    "ops.due": "copied from days of rows that are sealed",
    "serving.touched": "copied from rows and closings that are sealed; only the names of answers rest on it",
    "ops.issued_id": "a keyed hash that can be computed again; what is served of it is sealed",
    "ops.organisation_decision": "read when an edition is made; whom it shows is sealed",
    "ops.organisation_claim": "a working copy",
    "ops.quality_result": "measured apart; what an edition shows of it is sealed",
    "ops.quality_label": "named by the hash of its file",
    "ops.takedown_reach": "written by migrations; the tombstones of takedowns are sealed",
    "ops.held": "read when an edition is made; which batches it holds is sealed",
    "ops.held_decision": "read when an edition is made; which batches it holds is sealed",
    "ops.day_corrected": "which edition holds the correction is sealed",
    "ops.batch_extent": "counted from rows that are sealed; only expectations rest on it",
    "ops.archive_part": "what no edition holds is part of none",
    "ops.archive_member": "which files need not be read again; the archives are sealed",
    "ops.file_version": "which files need not be sent again; the documents are sealed",
    "ops.run": "how documents came; the documents are sealed",
    "ops.run_batch": "how documents came; the documents are sealed",
    "ops.run_fault": "how documents came; the documents are sealed",
    "ops.run_end": "read when an edition is made; which batches it holds is sealed",
    "ops.run_waiting": "what no edition holds is part of none",
    "ops.feed_pause": "when sources are asked is no part of the data",
    "ops.host_turn": "when hosts are asked is no part of the data",
    "ops.feed_standing": "it changes with the clock; what an edition shows of it is sealed",
}

# Tables with a column that can name an organisation.
_COLUMNS = """
SELECT
    c.relnamespace::regnamespace || '.' || c.relname,
    array_agg(a.attname::text ORDER BY a.attnum) FILTER (WHERE a.attname <> 'superseded_in')
FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid
WHERE c.relnamespace::regnamespace::text IN ('ledger', 'serving', 'ops') AND c.relkind IN ('r', 'p')
    AND NOT c.relispartition AND a.attnum > 0 AND NOT a.attisdropped
GROUP BY 1
"""
_NAMING = """
SELECT DISTINCT c.relname FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid
WHERE c.relnamespace::regnamespace::text = 'serving' AND c.relkind IN ('r', 'p')
    AND a.attname ~ '^(service_id|party|named|named_in_ids|legal_name)$'
"""
# Such tables that takedowns leave as they are, each with its reason.
NAMES_NOBODY = {"tender_event": "counted into panels, which are about nobody; no answer shows its party"}

_UNTOLD_TABLES = """
SELECT c.oid::regclass::text FROM pg_class AS c
WHERE c.relnamespace::regnamespace::text = ANY(%s) AND c.relkind IN ('r', 'p', 'v', 'm')
    AND coalesce(obj_description(c.oid, 'pg_class'), '') = ''
"""
_UNTOLD_COLUMNS = """
SELECT format('%%s.%%s', c.oid::regclass, a.attname)
FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid
WHERE c.relnamespace::regnamespace::text = ANY(%s) AND c.relkind IN ('r', 'p', 'v', 'm')
    AND a.attnum > 0 AND NOT a.attisdropped AND coalesce(col_description(c.oid, a.attnum), '') = ''
"""
# Bits of tgtype: 2 before, 8 delete, 16 update, 32 truncate. A trigger enabled ALWAYS is 'A'.
_GUARDED = """
SELECT
    c.oid::regclass::text,
    coalesce(bool_or(t.tgtype & 16 > 0), false),
    coalesce(bool_or(t.tgtype & 8 > 0), false),
    coalesce(bool_or(t.tgtype & 32 > 0), false)
FROM pg_class AS c
LEFT JOIN pg_trigger AS t
    ON t.tgrelid = c.oid AND t.tgenabled = 'A' AND t.tgtype & 2 > 0 AND NOT t.tgisinternal
WHERE c.relnamespace::regnamespace::text = %s AND c.relkind IN ('r', 'p')
GROUP BY c.oid
"""
_SERVING_INDEXES = """
SELECT i.indexrelid::regclass::text, pg_get_indexdef(i.indexrelid)
FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indrelid
WHERE c.relnamespace::regnamespace::text = 'serving'
"""
_FIRST_COLUMNS = """
SELECT c.oid::regclass::text, a.attname
FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indrelid
JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = i.indkey[0]
WHERE c.relnamespace::regnamespace::text = 'ledger'
"""


def guarded(service, schema):
    return {table: events for table, *events in service.rows(_GUARDED, schema)}


def test_every_table_and_column_has_a_comment(module_service):
    untold = module_service.rows(_UNTOLD_TABLES, SCHEMAS) + module_service.rows(_UNTOLD_COLUMNS, SCHEMAS)
    assert untold == []


@pytest.mark.parametrize("schema", ["ledger", "ops"])
def test_update_delete_and_truncate_of_what_is_appended_always_meet_a_trigger(module_service, schema):
    tables = guarded(module_service, schema)
    assert tables
    assert {table for table, events in tables.items() if not all(events)} == {
        table for table in CHANGEABLE if table.startswith(f"{schema}.")
    }


def test_update_delete_and_truncate_of_what_is_served_always_meet_a_trigger(module_service):
    tables = guarded(module_service, "serving")
    assert tables
    assert [table for table, events in tables.items() if not all(events)] == []


def test_a_takedown_reaches_every_table_that_can_name_an_organisation(module_service):
    naming = {table for (table,) in module_service.rows(_NAMING)}
    reached = {table for (table,) in module_service.rows("SELECT dataset FROM ops.takedown_reach")}
    assert naming
    assert naming - reached == set(NAMES_NOBODY)


def test_every_table_is_sealed_or_exempt_for_a_reason(module_service):
    with module_service.connect("publish") as connection:
        forms = Forms(connection)
        sealed = set(Reader(connection, forms, module_service.publisher().datasets).parts)
    assert sealed <= forms.parts
    assert forms.parts - sealed == set(UNSEALED)


def test_what_a_document_brought_is_found_by_an_index(module_service):
    """Each edition seals the rows of its documents. Without an index it would read those of all."""
    with module_service.connect("publish") as connection:
        documents = Reader(connection, Forms(connection), module_service.publisher().datasets).documents
    assert documents
    assert documents.items() - set(module_service.rows(_FIRST_COLUMNS)) == set()


def test_the_next_edition_seals_every_column_of_every_table(module_service):
    """A migration that changes a sealed table has to call `ops.renew_form`."""
    with module_service.connect("publish") as connection:
        forms = Forms(connection)
    stood = dict(module_service.rows(_COLUMNS))
    assert {part: list(forms.newest(part).columns) for part in forms.parts} == stood


def test_no_index_of_a_serving_table_mentions_superseded_in(module_service):
    indexes = dict(module_service.rows(_SERVING_INDEXES))
    assert indexes
    assert [name for name, definition in indexes.items() if "superseded_in" in definition] == []


def test_the_database_knows_every_metric_in_the_order_of_slugs(module_service):
    labels = module_service.rows("SELECT unnest(enum_range(NULL::serving.metric))::text")
    assert [label for (label,) in labels] == sorted(BY_SLUG)


SELECTED = {
    "sankofa.fundamentals": {
        "facts_of_issuer": ("row_id", *fields(FundamentalsFact)),
        "facts_by_row": ("row_id", *fields(FundamentalsFact)),
    },
    "sankofa.editions": {"editions_up_to": PublishedEdition},
    "sankofa.macro": {
        statement: (*fields(SeriesValue)[:6], "measure", "indicator_name", *fields(SeriesValue)[6:])
        for statement in ("of_series", "of_areas", "of_indicators", "years_of_all", "of_all")
    },
    "sankofa.changes": {"changes_of_all": Change, "changes_of_issuer": Change},
    "sankofa.facts": {
        "reported_by_issuer": SharedFact,
        "values_of_country": SharedFact,
        "tender_values_of_country": SharedFact,
        "awards_of_issuer": SharedFact,
    },
    "sankofa.tenders": {name: PlayedPart for name in named("sankofa.tenders") if "parts_of_" in name},
    "sankofa.entities": {
        "organisation": Organisation,
        "identifiers_of_organisation": (*fields(HeldIdentifier), "withheld_id_types", "crosswalk_loaded"),
        "organisations_by_identifier": (*fields(IdentifiedOrganisation), "ambiguous"),
        "former_holders": FormerHolder,
    },
    "sankofa.metrics": {
        "served_rows": (
            "row_id",
            *fields(MetricValue)[: fields(MetricValue).index("period_age_days")],
            *("published_at", "exact_from", "revised_later"),
            *("fact_id", "source_ref", "license_class", "observed_at"),
        )
    },
    "sankofa.signals": {
        f"observations_of_{which}": ("country", "breakdown", "month", "figures", *ORIGIN)
        for which in ("country", "all")
    },
    "sankofa.catalog": {
        "coverage": ("key", "country", "issuers", "first_date", "last_date", "license_classes"),
        "signals": ("key", "country", "rows", "first_date", "last_date", "license_classes"),
        "categories": ("key", "country", "months", "first_date", "last_date", "license_classes"),
        "indicators": ("indicator", "definition", "unit", "coverage", *SPAN),
        "series": ("series_key", "indicator_name", "unit", "country", *SPAN),
        "sources": ("source", "publisher", "country", "documents", *SPAN),
    },
    "sankofa.quality": {
        "totals": ("country", "newest_at", "counts"),
        "results": ("measure", "good", "measured", "measured_at"),
        "sources": ("source", "license_class", "last_fetched_at"),
    },
    "sankofa.export": {
        "artifacts": (
            *("name", "subject", "kind", "edition", "first_edition", "last_edition", "license_class"),
            *("rows", "bytes", "sha256", "columns", "url"),
        )
    },
}
VALUES = {"edition": 1, "as_of": "2024-01-01", "vintages": "all", "rows": 1}


@pytest.mark.parametrize(
    ("package", "query"), [(package, query) for package, queries in SELECTED.items() for query in queries]
)
def test_a_query_selects_the_fields_of_its_row_in_order(module_service, package, query):
    statements = CHANGES if package == "sankofa.changes" else named(package)
    with module_service.connect("read") as connection:
        cursor = connection.execute(statements[query], defaultdict(lambda: None, VALUES))
    wanted = SELECTED[package][query]
    assert tuple(column.name for column in cursor.description) == (
        wanted if isinstance(wanted, tuple) else fields(wanted)
    )
