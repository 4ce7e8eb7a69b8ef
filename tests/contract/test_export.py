"""EXP: Parquet files, what lists them, who may open them, and what they hold."""

from __future__ import annotations

import subprocess
import time
from decimal import Decimal

import httpx
import pyarrow as pa
import pyarrow.ipc
import pytest

from contract.keyed import furnish, key
from dev.installation import command
from sankofa.signals.panels import PANELS
from support.exports import at, bulk, listed, opened, table
from support.filings import Filer
from support.service import Service
from support.stated_tenders import PERSON, WORKS, id_of_party

FIELDS = [
    "name",
    "sku",
    "table",
    "panel",
    "signal_key",
    "kind",
    "edition",
    "first_edition",
    "last_edition",
    "license_class",
    "rows",
    "bytes",
    "sha256",
    "schema",
    "access",
    "url",
    "latest_url",
]
EXACT = "9007199254740993.123456789012"  # more digits than a binary float has


@pytest.fixture(scope="module")
def exported(module_service):
    """A service whose edition 1 was exported, and listed by edition 2, which also holds a restatement."""
    service = furnish(module_service)
    service.export()
    service.exact = Filer(9).says(EXACT, filed="2024-02-01")
    service.ingest(service.exact.document())
    service.publish()
    service.ingest(service.exact.says("5.5", filed="2024-06-01").document())
    service.export()
    service.await_edition(service.publish().edition)
    return service


@pytest.mark.proves("EXP-1", "ENV-17")
def test_the_list_has_every_field_in_the_order_of_names(exported):
    artifacts = listed(exported)
    assert [list(artifact) for artifact in artifacts] == [FIELDS] * len(artifacts)
    names = [artifact["name"] for artifact in artifacts]
    assert names == sorted(set(names))
    panels = {each["signal_key"] for each in artifacts if each["access"] == "open"}
    assert panels == {"procurement-demand", "single-bidder-share", "supplier-concentration", "tender-value"}
    assert all(
        (each["panel"], each["license_class"], each["sku"])
        == (PANELS[each["signal_key"]].title, "CC-BY-4.0", None)
        for each in artifacts
        if each["access"] == "open"
    )
    tables = {(each["sku"], each["table"]) for each in artifacts if each["access"] == "licensed"}
    assert {
        *((None, "identifiers"), (None, "metrics"), (None, "organisations"), (None, "signals")),
        *(("AF-FUND", "fundamentals"), ("AF-MACRO", "macro"), ("AF-TENDER", "awards")),
        ("AF-TENDER", "releases"),
    } <= tables


@pytest.mark.proves("EXP-1")
def test_every_listed_file_is_what_the_list_says(exported):
    for artifact in listed(exported):
        if artifact["kind"] in {"panel", "rows", "closings"}:
            assert table(exported, artifact).num_rows > 0


@pytest.mark.proves("EXP-2", "EDN-2")
def test_what_is_made_from_an_edition_is_listed_from_the_next_on_for_ever(exported):
    assert listed(exported, edition=1) == []
    second = exported.get("/v1/export", edition=2)
    assert {artifact["edition"] for artifact in second.json()["data"]} == {1}
    assert {artifact["edition"] for artifact in listed(exported)} == {1, 2}
    assert exported.get(second.headers["content-location"]).content == second.content


@pytest.mark.proves("EXP-1", "KEY-1")
def test_an_open_panel_is_read_in_parts_by_anybody_from_anywhere(exported):
    panel = next(each for each in listed(exported) if each["access"] == "open")
    part = httpx.get(panel["url"], headers={"Range": "bytes=-8", "Origin": "https://elsewhere.example"})
    assert (part.status_code, part.content[-4:]) == (206, b"PAR1")
    assert part.headers["access-control-allow-origin"] in ("*", "https://elsewhere.example")
    bucket = panel["url"].rpartition("/")[0].rpartition("/")[0]
    assert httpx.get(f"{bucket}/").status_code == 403
    assert httpx.delete(panel["url"]).status_code == 403


@pytest.mark.proves("EXP-1", "KEY-7", "KEY-10")
def test_a_licensed_file_opens_for_paid_tiers_only(exported):
    file = next(each for each in listed(exported) if (each["sku"], each["kind"]) == ("AF-FUND", "rows"))
    assert file["url"] == f"/v1/export/files/{file['name']}"
    for tier in ("starter", "professional"):
        response = exported.client.get(file["url"], headers=key(exported, tier))
        assert response.status_code == 307
        assert response.headers["cache-control"] == "no-store"
        assert httpx.get(response.headers["location"]).content[:4] == b"PAR1"
        head = exported.client.head(file["url"], headers=key(exported, tier))
        assert (head.status_code, head.headers["x-data-edition"]) == (307, response.headers["x-data-edition"])
        assert httpx.head(head.headers["location"]).headers["content-length"] == str(file["bytes"])
    refused = exported.client.get(file["url"], headers=key(exported, "sample"))
    assert (refused.status_code, refused.headers["x-upgrade-url"]) == (402, refused.json()["upgrade_url"])
    assert exported.client.get(file["url"]).status_code == 401
    unknown = "/v1/export/files/no-such-file.parquet"
    assert exported.client.get(unknown, headers=key(exported, "sample")).status_code == 402
    panel = next(each["name"] for each in listed(exported) if each["access"] == "open")
    for name in ("no-such-file.parquet", "%2e%2e", "A%0A", panel):
        assert exported.get(f"/v1/export/files/{name}").status_code == 404
    assert exported.get(file["url"], edition=1).status_code == 404
    wrong = exported.get(file["url"], editon="1")
    assert (wrong.status_code, wrong.json()["parameter"]) == (400, "editon")


@pytest.mark.proves("KEY-8", "EXP-1")
def test_no_tier_shortens_the_list(exported):
    whole = exported.get("/v1/export").json()
    for tier in ("sample", "starter"):
        assert exported.get("/v1/export", headers=key(exported, tier)).json() == whole


@pytest.mark.proves("EXP-2", "ENV-6")
def test_the_bulk_release_holds_every_vintage_digit_for_digit(exported):
    rows, _ = bulk(exported, "fundamentals")
    service_id = exported.id_of(exported.exact.identifier)
    said = {row["vintage"]: row["value_reported"] for row in rows if row["service_id"] == service_id}
    assert said == {1: Decimal(EXACT)}
    exported.export()
    exported.await_edition(exported.publish().edition)
    rows, _ = bulk(exported, "fundamentals")
    said = {row["vintage"]: row["value_reported"] for row in rows if row["service_id"] == service_id}
    assert said == {1: Decimal(EXACT), 2: Decimal("5.5")}
    response = exported.get(
        f"/v1/fundamentals/{service_id}",
        headers={"Accept": "application/vnd.apache.arrow.stream"},
        vintages="all",
    )
    streamed = pa.ipc.open_stream(response.content).read_all().column("value_reported").to_pylist()
    assert sorted(streamed) == [Decimal("5.5"), Decimal(EXACT)]


@pytest.mark.proves("EXP-2")
def test_awards_are_those_of_established_organisations_only(exported):
    rows, _ = bulk(exported, "awards")
    assert {(row["service_id"], row["entity_name"]) for row in rows} == {
        (id_of_party(exported, WORKS), WORKS)
    }
    assert sorted(row["value"] for row in rows) == [8, 12, 16]
    for artifact in listed(exported):
        assert PERSON.encode() not in opened(exported, artifact)


@pytest.mark.proves("EXP-2")
def test_macro_holds_what_rest_says(exported):
    rows, closed = bulk(exported, "macro")
    now = exported.client.get("/v1/status").json()["edition"]
    said = exported.get("/v1/shared/facts", entity_id="KEN", limit="100").exact["data"]
    assert said
    by_fact = {row["fact_id"]: row for row in at(rows, closed, now)}
    for fact in said:
        row = by_fact[fact["fact_id"]]
        shared = ("value", "unit", "vintage", "source_ref", "license_class", "measure", "provenance_id")
        assert {name: row[name] for name in shared} == {name: fact[name] for name in shared}
        assert [row[name] and str(row[name]) for name in ("period_end", "available_at")] == [
            fact[name] for name in ("period_end", "available_at")
        ]


@pytest.fixture(scope="module")
def drilled(stack):
    """A service whose files were listed, then an organisation and a fact were taken down by command."""
    service = furnish(Service(stack, "drilled", SANKOFA_LINK_SECONDS="4"))
    service.restated = Filer(7).says(100, filed="2024-02-01").says(90, filed="2024-06-01")
    service.ingest(service.restated.document())
    service.publish()
    service.export()
    service.await_edition(service.publish().edition)
    yield service
    service.close()


@pytest.mark.proves("EXP-1")
def test_the_address_of_a_licensed_file_dies_after_its_time_and_only_reads(drilled):
    address = drilled.get(listed(drilled)[0]["url"]).headers["location"]
    assert httpx.get(address).status_code == 200
    for method in ("PUT", "DELETE"):
        assert httpx.request(method, address).status_code == 403
    began = time.monotonic()
    while httpx.get(address).status_code != 403:
        assert time.monotonic() - began < 20


def take_down(service, *asked):
    line, environment = command(service.installation, "takedown", *asked, "--yes", "--reason", "asked to")
    subprocess.run(line, env=environment, check=True, capture_output=True)


@pytest.mark.proves("EDN-7")
def test_a_takedown_reaches_files_at_once_and_the_next_export_writes_them_without_it(drilled):
    service, gone, name = drilled, id_of_party(drilled, WORKS), WORKS.encode()
    before = listed(service)
    touched = {
        each["name"]
        for each in before
        if each["table"] in {"awards", "organisations"} and each["kind"] in {"rows", "rows_table"}
    }
    assert any(name in opened(service, each) for each in before)
    service_id = service.id_of(service.restated.identifier)
    (latest,) = service.facts(service_id)
    began = time.monotonic()
    take_down(service, gone)
    while {each["name"] for each in listed(service)} & touched:
        assert time.monotonic() - began < 60
    print(f"gone after {time.monotonic() - began:.1f} s")
    left = listed(service)
    assert left == [each for each in before if each in left]
    assert {each["table"] for each in left} >= {None, "fundamentals", "macro", "releases", "signals"}
    assert service.get(f"/v1/entities/{gone}").status_code == 404
    kept = {key.rpartition("/")[2] for key in service.licensed.keys("")}
    assert not kept & touched
    (current, *_) = service.get("/v1/editions").exact["data"]
    assert current["takedowns"][0]["rows_removed"] > 0
    assert ("artifact", 32) in service.rows("SELECT dataset, length(digest) FROM ops.tombstone")
    take_down(service, service_id, "--fact", latest["fact_id"])
    while any((each["table"], each["kind"]) == ("fundamentals", "rows") for each in listed(service)):
        assert time.monotonic() - began < 60
    service.publish()
    service.export()
    service.await_edition(service.publish().edition)
    after = listed(service)
    assert not any(name in opened(service, each) for each in after)
    assert [each for each in after if each["sku"] == "AF-MACRO"] == [
        each for each in before if each["sku"] == "AF-MACRO"
    ]
    rows, closed = bulk(service, "fundamentals")
    told = {
        edition: sorted(
            (row["vintage"], row["value_reported"])
            for row in at(rows, closed, edition)
            if row["service_id"] == service_id
        )
        for edition in (2, 4)
    }
    assert told == {2: [(1, 100), (2, None)], 4: [(1, 100)]}
