"""A dataset is declared once: what is made for each follows from that, and few other files name them all."""

from __future__ import annotations

from dev.dataset_places import places
from dev.datasets_page import datasets_page
from sankofa.changes.reads import statements
from sankofa.core.dataset import Bulk, BulkColumn, Dataset, Joined, LedgerTable, ServingTable, origin, place
from sankofa.datasets import DATASETS
from sankofa.editions.digests import Reader
from sankofa.export.lake import lake_tables

# Files that name every dataset that is sold, each with what a new one adds there.
NEEDED = {
    "src/sankofa/datasets.py": "the one list",
    "src/sankofa/surfaces/publishing.py": "its walk, in the order of walks",
    "src/sankofa/surfaces/rest.py": "its endpoints, in the order of the page",
    "src/sankofa/drift/bounds.py": "how much its documents may change",
    ".importlinter": "the layer of its package",
}
IF_WANTED = {
    "src/sankofa/facts/served.py": "answers of /v1/shared/facts",
    "src/sankofa/facts/reads.py": "answers of /v1/shared/facts",
    "src/sankofa/facts/routes.py": "answers of /v1/shared/facts",
    "src/sankofa/facts/queries.sql": "answers of /v1/shared/facts",
    "src/sankofa/quality/measures.py": "measures of its own, besides those of every dataset",
    "src/sankofa/surfaces/tools.py": "a tool of its own",
}

FACTS = ServingTable(
    name="sketch_fact",
    columns={"fact_id": "Hash.", "sketch_key": "Key.", "available_at": "From.", "known_until": "Until."},
    identity=("fact_id",),
    key="sketch_key",
    cluster=("sketch_key",),
    known=("available_at", "known_until"),
    taken_down=("organisation",),
)
SKETCH = Dataset(
    name="AF-SKETCH",
    package="sankofa.sketch",
    about="A sketch.",
    tables=(FACTS,),
    held=(
        LedgerTable("sketch_report", "document_id"),
        LedgerTable("sketch_head", condition="stood.head_id = 1"),
    ),
    batches="batch_sketch",
    facts=FACTS,
    bulk=(
        Bulk(
            name="sketches",
            about="Every sketch.",
            facts=FACTS,
            view="bulk_sketch",
            columns=(
                *place("Row.", "Edition."),
                BulkColumn("sketch", "VARCHAR", "A sketch."),
                *origin("Document."),
            ),
            order="sketch, row_id",
            joined=(Joined("series", "series_row"),),
        ),
    ),
)


def test_the_files_that_name_every_dataset_are_known():
    assert set(places()) == {*NEEDED, *IF_WANTED}


def test_editions_seal_what_a_declared_dataset_holds_and_serves():
    reader = Reader(None, {}, (*DATASETS, SKETCH))
    assert {"ops.batch_sketch", "ledger.sketch_report", "ledger.sketch_head"} <= set(reader.held_tables)
    assert reader.held_tables["ledger.sketch_report"] == "stood.document_id = ANY(%(accepted)s)"
    assert reader.held_tables["ledger.sketch_head"] == "stood.head_id = 1"
    assert reader.documents["ledger.sketch_report"] == "document_id"
    assert "ledger.sketch_head" not in reader.documents
    assert "serving.sketch_fact" in reader.numbered


def test_days_of_rows_are_noted_unless_answers_change_with_the_day():
    assert FACTS.due == ("available_at", "known_until")
    tables = {table.name: table for dataset in DATASETS for table in dataset.tables}
    assert tables["tender_fact"].due == ()


def test_the_feed_has_a_part_for_each_declared_dataset():
    text = statements({"AF-SKETCH": "sketch_fact", "AF-OTHER": "other_fact"})["changes_of_all"]
    assert "FROM serving.sketch_fact AS put" in text
    assert "requested.dataset = 'AF-SKETCH'" in text
    assert text.count("serving.other_fact") == 1


def test_bulk_files_of_a_declared_dataset_hold_its_view():
    lake = lake_tables((SKETCH,))["sketches"]
    assert [name for name, _ in lake.columns][:4] == ["row_id", "published_in", "reason", "sketch"]
    assert lake.select.endswith("FROM gathered ORDER BY sketch, row_id")
    assert [source.table for source in (lake.facts, *lake.joined)] == ["sketch_fact", "series"]
    assert [source.table for source in lake.closed] == ["sketch_fact", "series"]
    assert "%(sketch_fact_before)s" in lake.joined[0].statement
    assert "own.dataset = 'sketch_fact'" in lake.closed[1].statement
    assert all("bulk_sketch" in source.statement for source in (lake.facts, *lake.joined, *lake.closed))


def test_the_page_on_datasets_describes_a_declared_dataset():
    page = datasets_page((SKETCH,))
    assert "`ledger.sketch_report`" in page
    assert (
        "| `sketch_fact` | `sketch_key` | `fact_id` | `available_at`, `known_until` | organisation |" in page
    )
    assert "| `sketch` | VARCHAR | A sketch. |" in page
