"""The shape of the database, read from its own catalogue after all migrations."""

from __future__ import annotations

from collections import defaultdict

import pytest

from sankofa.changes.model import Change
from sankofa.editions.digests import Reader
from sankofa.editions.model import PublishedEdition
from sankofa.editions.rows import forms
from sankofa.facts.model import SharedFact
from sankofa.fundamentals.model import FundamentalsFact
from sankofa.macro.served import AnnualValue, SeriesValue
from sankofa.storage.queries import named
from sankofa.tenders.served import PlayedPart

SCHEMAS = ["ledger", "serving", "ops"]

# Tables of ops whose rows may change, each with its reason.
CHANGEABLE = {
    "ops.organisation_claim": "the publisher's working copy, made anew from the records",
    "ops.usage_month": "counts that grow, copied from the usage store",
}

# Tables that no digest covers, each with its reason.
UNSEALED = {
    "ops.digest_block": "what the digests are made of",
    "serving.edition_digest": "the digests themselves; the same text is kept in S3",
    "ops.instance": "one row that names the installation's objects in S3",
    "ops.edition_build": "the number of a build; the edition's own row is sealed",
    "ops.key_event": "API keys are no part of the data",
    "ops.usage_month": "nor is their use",
    "ops.issued_id": "a keyed hash that can be computed again; what is served of it is sealed",
    "ops.organisation_decision": "read when an edition is made; whom it shows is sealed",
    "ops.organisation_claim": "a working copy",
    "ops.quality_result": "measured apart; what an edition shows of it is sealed",
    "ops.quality_label": "named by the hash of its file",
    "ops.takedown_reach": "written by migrations; the tombstones of takedowns are sealed",
    "ops.held": "read when an edition is made; which batches it holds is sealed",
    "ops.held_decision": "read when an edition is made; which batches it holds is sealed",
}

# Tables with a column that can name an organisation.
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
        tables = forms(connection)
        datasets = [table.name for table in module_service.publisher().tables]
        sealed = set(Reader(connection, tables, datasets).parts)
    assert sealed <= set(tables)
    assert set(tables) - sealed == set(UNSEALED)


def test_no_index_of_a_serving_table_mentions_superseded_in(module_service):
    indexes = dict(module_service.rows(_SERVING_INDEXES))
    assert indexes
    assert [name for name, definition in indexes.items() if "superseded_in" in definition] == []


@pytest.mark.parametrize(
    ("package", "query", "row", "values"),
    [
        (
            "sankofa.fundamentals",
            "facts_of_issuer",
            FundamentalsFact,
            {"edition": 1, "as_of": "2024-01-01", "vintages": "all", "rows": 1},
        ),
        ("sankofa.editions", "editions_up_to", PublishedEdition, {"edition": 1, "rows": 1}),
        *(
            ("sankofa.macro", f"years_of_{which}", AnnualValue, {})
            for which in ("all", "country", "indicator")
        ),
        *(("sankofa.macro", f"values_of_{which}", SeriesValue, {}) for which in ("all", "country", "series")),
        ("sankofa.changes", "changes_of_all", Change, {}),
        ("sankofa.changes", "changes_of_issuer", Change, {}),
        ("sankofa.facts", "reported_by_issuer", SharedFact, {}),
        ("sankofa.facts", "stated_of_country", SharedFact, {}),
        ("sankofa.facts", "tender_values_of_country", SharedFact, {}),
        ("sankofa.facts", "awards_of_issuer", SharedFact, {}),
        *(
            ("sankofa.tenders", f"parts_of_{which}", PlayedPart, {})
            for which in ("all", "country", "organisation")
        ),
    ],
)
def test_a_query_selects_the_fields_of_its_row_in_order(module_service, package, query, row, values):
    with module_service.connect("read") as connection:
        cursor = connection.execute(named(package)[query], defaultdict(lambda: None, values))
    assert tuple(column.name for column in cursor.description) == row.__struct_fields__
