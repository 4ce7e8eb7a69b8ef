"""EXP: open files without a key, their lasting addresses, and what their columns mean."""

from __future__ import annotations

import json

import httpx
import pyarrow.parquet as pq
import pytest

from contract.keyed import furnish, key
from sankofa.datasets import DATASETS
from support.exports import listed, opened

OPEN = "/v1/export/open"
UNENDED = {"organisations", "identifiers", "signals"}  # what is known last, or of a month that is over
PANELS = ["procurement-demand", "single-bidder-share", "supplier-concentration", "tender-value"]


@pytest.fixture(scope="module")
def exported(module_service):
    """A service whose edition 1 was exported, and listed by edition 2."""
    service = furnish(module_service)
    service.export()
    service.await_edition(service.publish().edition)
    return service


@pytest.mark.proves("EXP-3", "KEY-1")
def test_the_open_files_are_listed_without_a_key_and_no_others(exported):
    answer = exported.client.get(OPEN)
    assert answer.status_code == 200
    whole = listed(exported)
    assert answer.json()["data"] == [each for each in whole if each["access"] == "open"]
    assert sorted(each["signal_key"] for each in answer.json()["data"]) == PANELS
    assert exported.client.get("/v1/export").status_code == 401


@pytest.mark.proves("EXP-3")
def test_a_key_that_is_sent_must_be_valid(exported):
    for tier in ("sample", "starter"):
        assert exported.client.get(OPEN, headers=key(exported, tier)).status_code == 200
    for address in (OPEN, f"{OPEN}/tender-value.parquet"):
        assert exported.client.get(address, headers={"X-API-Key": "no such key"}).status_code == 401
        (name, valid), *_ = key(exported, "sample").items()
        assert exported.client.get(address, headers=[(name, valid), (name, valid)]).status_code == 401


@pytest.mark.proves("EXP-3", "KEY-5")
def test_without_a_key_the_limits_of_a_sample_key_apply(exported):
    fields = exported.client.get(OPEN).headers
    assert '"burst";q=60;w=60' in fields["ratelimit-policy"]
    left = [
        int(exported.client.get(OPEN).headers["ratelimit"].partition(";r=")[2].partition(";")[0])
        for _ in "ab"
    ]
    assert left[1] < left[0]


@pytest.mark.proves("EXP-3")
def test_a_panel_has_an_address_that_leads_to_its_newest_file(exported):
    for each in exported.client.get(OPEN).json()["data"]:
        assert each["latest_url"] == f"{OPEN}/{each['signal_key']}.parquet"
        led = exported.client.get(each["latest_url"])
        assert (led.status_code, led.headers["location"]) == (307, each["url"])
        assert led.headers["cache-control"] == "no-store"
        part = httpx.get(led.headers["location"], headers={"Range": "bytes=-4"})
        assert (part.status_code, part.content) == (206, b"PAR1")
    assert {each["latest_url"] for each in listed(exported) if each["access"] == "licensed"} == {None}


@pytest.mark.proves("EXP-3")
def test_what_is_no_open_panel_has_no_such_address(exported):
    bulk = next(each["name"] for each in listed(exported) if each["sku"] == "AF-FUND")
    for name in ("no-such-panel.parquet", "tender-value", "AF-FUND.parquet", bulk, "%2e%2e"):
        assert exported.client.get(f"{OPEN}/{name}").status_code == 404
    assert exported.client.get(f"{OPEN}/tender-value.parquet", params={"edition": "1"}).status_code == 404
    wrong = exported.client.get(OPEN, params={"limit": "1"})
    assert (wrong.status_code, wrong.json()["parameter"]) == (400, "limit")


@pytest.mark.proves("EXP-4")
def test_list_and_file_say_what_every_column_means(exported, tmp_path):
    for artifact in listed(exported):
        told = {column["name"]: column["description"] for column in artifact["schema"]}
        assert all(told.values()), artifact["name"]
        content = opened(exported, artifact)
        if artifact["kind"].endswith("_table"):
            fields = json.loads(content)["schemas"][-1]["fields"]
            assert {field["name"]: field["doc"] for field in fields} == told
            continue
        file = tmp_path / artifact["name"]
        file.write_bytes(content)
        schema = pq.read_schema(file)
        assert json.loads(schema.metadata[b"columns"]) == told
        assert schema.names == list(told)


@pytest.mark.proves("EXP-4")
def test_bulk_rows_have_the_days_of_their_vintage(exported):
    for artifact in listed(exported):
        if artifact["kind"] in {"rows", "rows_table"}:
            names = {column["name"] for column in artifact["schema"]}
            assert "available_at" in names
            assert names & {"known_until", "withdrawn_at"} or artifact["table"] in UNENDED
    assert {bulk.name for dataset in DATASETS for bulk in dataset.bulk} == {
        *("awards", "fundamentals", "identifiers", "identifiers-earlier", "macro", "metrics", "names"),
        *("organisations", "releases", "signals"),
    }
