"""Datasets are in the database as they are declared: tables, columns, bulk views, takedowns."""

from __future__ import annotations

import pytest

from sankofa.catalog.dataset import COVERAGE, SOURCES
from sankofa.datasets import DATASETS
from sankofa.export.dataset import DATASET as EXPORTS
from sankofa.quality.dataset import DATASET as QUALITY

DECLARED = (*DATASETS, COVERAGE, SOURCES, EXPORTS, QUALITY)
BULK = [bulk for dataset in DATASETS for bulk in dataset.bulk]
TABLES = [table for dataset in DECLARED for table in dataset.tables]
# Columns that the publisher or a default fills, in every row alike.
FILLED = {"row_id", "published_in", "superseded_in", "reason", "is_established"}
# Provenance belongs to no dataset alone.
REACHED_BESIDE = {("organisation", "provenance")}

_COLUMNS = """
SELECT a.attname, col_description(a.attrelid, a.attnum) FROM pg_attribute AS a
WHERE a.attrelid = ('serving.' || %s)::regclass AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum
"""
_OF_EDITIONS = """
SELECT c.relname FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid
WHERE c.relnamespace = 'serving'::regnamespace AND c.relkind = 'r' AND a.attname = 'superseded_in'
"""


def columns(service, relation):
    return {name: meaning for name, meaning in service.rows(_COLUMNS, relation) if name not in FILLED}


@pytest.mark.parametrize("table", TABLES, ids=[table.name for table in TABLES])
def test_a_serving_table_has_the_declared_columns_in_order_with_their_meaning(module_service, table):
    assert list(columns(module_service, table.name).items()) == list(table.columns.items())
    named = {*table.identity, table.key, *table.cluster, *table.known, *table.days, *table.unseen}
    assert named <= set(table.columns)


def test_every_table_of_edition_rows_is_declared_and_published(module_service):
    found = {name for (name,) in module_service.rows(_OF_EDITIONS)}
    assert {table.name for table in TABLES} == found
    assert set(module_service.publisher().datasets) == set(DECLARED)


@pytest.mark.parametrize("bulk", BULK, ids=[bulk.name for bulk in BULK])
def test_a_bulk_view_has_the_declared_columns_in_order_with_their_meaning(module_service, bulk):
    view = dict(module_service.rows(_COLUMNS, bulk.view))
    declared = {one.name: bulk.meaning(one) for one in bulk.columns if one.name not in bulk.alpha3_of}
    assert [(name, view[name]) for name in view if name in declared] == list(declared.items())
    beside = {"superseded_in", *(joined.row for joined in bulk.joined), *bulk.alpha3_of.values()}
    assert set(view) - set(declared) == beside


def test_takedowns_reach_the_tables_that_declare_it(module_service):
    reached = set(module_service.rows("SELECT kind, dataset FROM ops.takedown_reach"))
    declared = {(kind, table.name) for table in TABLES for kind in table.taken_down}
    assert declared | REACHED_BESIDE == reached
