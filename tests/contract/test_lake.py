"""EXP: bulk tables as Iceberg, any edition by any reader, takedowns in them, and the history of panels."""

from __future__ import annotations

import subprocess

import pytest

from contract.keyed import furnish
from dev.installation import command
from sankofa.datasets import DATASETS
from sankofa_client import Client, UpgradeRequired
from support.exports import listed, table
from support.filings import Filer
from support.lake_readers import by_duckdb, by_polars, by_pyiceberg, held, opened
from support.stated_tenders import SOURCE, award, id_of_party, package, release, tender

BULK = {bulk.name: bulk for dataset in DATASETS for bulk in dataset.bulk}
BRIDGES = "Vuka Bridges (Pty) Ltd"


@pytest.fixture(scope="module")
def grown(module_service):
    """A service with three exported editions, of which the second restates and the third withdraws."""
    service = furnish(module_service)
    service.filer = Filer(9, name="Lakeside PLC").says(100, filed="2024-02-01")
    service.ingest(service.filer.document())
    told = release(
        "ocds-lake", tag=["award"], tender=tender(7, category="Roads"), awards=[award("a", 8, BRIDGES)]
    )
    service.ingest(package(told), source_name=SOURCE)
    service.publish()
    service.export()
    service.ingest(service.filer.says(90, filed="2024-06-01").document())
    service.publish()
    service.export()
    service.ingest(service.filer.says(None, filed="2024-07-01").document())
    service.publish()
    service.export()
    service.await_edition(service.publish().edition)
    return service


def editions(service):
    return range(1, service.client.get("/v1/status").json()["edition"] + 1)


@pytest.mark.proves("EXP-5", "EXP-2")
def test_three_readers_find_every_edition_of_every_table(grown):
    with opened(grown) as lake:
        connection = lake.duckdb()
        assert {"fundamentals", "awards", "releases", "macro", "organisations", "signals"} <= set(lake.tables)
        for name in lake.tables:
            for edition in editions(grown):
                wanted = held(grown, BULK[name], edition)
                assert by_duckdb(connection, name, edition) == wanted
                assert by_pyiceberg(lake, name, edition) == wanted
                assert by_polars(lake, name, edition) == wanted


@pytest.mark.proves("EXP-5")
def test_a_tag_holds_what_was_published_up_to_its_edition_and_columns_are_described(grown):
    with opened(grown) as lake:
        found = lake.table("fundamentals")
        tags = {name: ref.snapshot_id for name, ref in found.metadata.refs.items() if name != "main"}
        assert len(tags) >= 3
        for name, snapshot in tags.items():
            rows = found.scan(snapshot_id=snapshot).to_arrow()
            edition = int(name.removeprefix("edition-"))
            ((wanted,),) = grown.rows(
                "SELECT count(*) FROM serving.bulk_fund WHERE published_in <= %s", edition
            )
            assert rows.num_rows == wanted
        assert all(field.doc for field in found.schema().fields)


@pytest.mark.proves("EXP-5", "EDN-5")
def test_rows_and_closings_of_an_edition_are_its_changes(grown):
    with opened(grown) as lake:
        connection = lake.duckdb()
        for edition in editions(grown):
            told = grown.get("/v1/changes", since=str(edition - 1), dataset="AF-FUND", limit="1000").exact[
                "data"
            ]
            wanted = {
                (one["change"], one["row_id"], one["reason"]) for one in told if one["edition"] == edition
            }
            got = connection.sql(f"""
                SELECT 'put', row_id, reason FROM fundamentals WHERE published_in = {edition}
                UNION SELECT 'remove', row_id, reason FROM fundamentals_closings WHERE closed_in = {edition}
            """).fetchall()
            assert set(got) == wanted


@pytest.mark.proves("EXP-5", "EXP-1", "KEY-7")
def test_a_sample_key_lists_tables_and_opens_none(grown):
    key = grown.issue("sample").key
    with Client(str(grown.client.base_url), key=key) as client, client.lake() as lake:
        assert "fundamentals" in lake.tables
        with pytest.raises(UpgradeRequired):
            lake.table("fundamentals")


@pytest.mark.proves("EXP-7")
def test_the_file_of_a_panel_has_every_edition_that_shows_a_row(grown):
    panels = [each for each in listed(grown) if each["kind"] == "panel"]
    assert panels
    for artifact in panels:
        rows = table(grown, artifact).to_pylist()
        for edition in range(1, artifact["edition"] + 1):
            shown = [
                row
                for row in rows
                if row["published_in"] <= edition and (row["closed_in"] or edition + 1) > edition
            ]
            countries = {row["country"] for row in rows}
            told = [
                (one["country"], one["month"])
                for country in countries
                for one in grown.get(
                    f"/v1/signals/{artifact['signal_key']}",
                    country=country,
                    edition=str(edition),
                    limit="1000",
                ).exact["observations"]
            ]
            assert sorted((row["country"], row["month"].isoformat()) for row in shown) == sorted(told)


@pytest.mark.proves("EXP-6", "EDN-7")
def test_a_takedown_removes_tables_at_once_and_the_next_export_makes_them_without_it(grown):
    gone = id_of_party(grown, BRIDGES)
    with opened(grown) as lake:
        before = set(lake.table("awards").metadata.refs)
        assert gone in lake.table("awards").scan().to_arrow().column("service_id").to_pylist()
    line, environment = command(grown.installation, "takedown", gone, "--yes", "--reason", "asked to")
    subprocess.run(line, env=environment, check=True, capture_output=True)
    left = {key.rpartition("/")[2] for key in grown.licensed.keys("")}
    void = grown.rows("SELECT name, kind FROM ops.artifact_standing WHERE standing = 'void'")
    assert {"rows", "rows_table", "rows_manifest"} <= {kind for _, kind in void}
    assert not left & {name for name, _ in void}
    grown.publish()
    grown.export()
    grown.await_edition(grown.publish().edition)
    with opened(grown) as lake:
        connection = lake.duckdb()
        assert before <= set(lake.table("awards").metadata.refs)
        for name in lake.tables:
            rows = lake.table(name).scan().to_arrow().to_pylist()
            assert not any(gone in str(row) or BRIDGES in str(row) for row in rows)
            for edition in editions(grown):
                assert by_duckdb(connection, name, edition) == held(grown, BULK[name], edition)
