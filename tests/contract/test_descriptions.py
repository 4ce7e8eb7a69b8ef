"""EXP-8: datasets describe themselves to search engines (schema.org) and to loaders (Croissant)."""

from __future__ import annotations

import calendar
import hashlib

import httpx
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from contract.keyed import furnish, key
from sankofa.datasets import BULK
from sankofa.signals.panels import PANELS
from support.exports import listed
from support.stated_tenders import CITY, SOURCE, WORKS, award, id_of_party, package, release, tender
from support.waiting import until

# What Croissant 1.0 requires of a dataset, of a file that is in no other, of a record set and of a field.
OF_DATASET = {"@context", "@type", "conformsTo", "creator", "datePublished", "description", "license", "name"}
OF_DATASET |= {"distribution", "url"}
OF_FILE = {"@type", "@id", "contentUrl", "encodingFormat", "name", "sha256"}
OF_RECORDS = {"@type", "@id", "field", "name"}
OF_FIELD = {"@type", "@id", "dataType", "description", "name", "source"}
READ_AS = {
    "sc:Text": pa.types.is_string,
    "sc:Date": pa.types.is_date,
    "sc:DateTime": pa.types.is_timestamp,
    "sc:Integer": pa.types.is_integer,
    "sc:Float": pa.types.is_decimal,
}


@pytest.fixture(scope="module")
def exported(module_service):
    """A service whose edition 1 was exported, and listed by edition 2."""
    service = furnish(module_service)
    service.export()
    service.await_edition(service.publish().edition)
    return service


def described(service, dataset, kind, **asked):
    response = service.client.get(f"/v1/datasets/{dataset}/{kind}.json", params=asked)
    assert response.status_code == 200, response.text
    assert response.headers["content-type"] == "application/ld+json"
    return response.json()


def panels(service, **asked):
    """Return the listed open panels by key."""
    return {file["signal_key"]: file for file in listed(service, **asked) if file["access"] == "open"}


def followed(address):
    """Return the file that an address leads to, without a key."""
    response = httpx.get(address, follow_redirects=True)
    assert response.status_code == 200, response.text
    return response.content


@pytest.mark.proves("EXP-8", "KEY-1")
def test_croissant_of_an_open_panel_is_complete_and_leads_to_its_file(exported):
    assert panels(exported)
    for panel, listing in panels(exported).items():
        found = described(exported, panel, "croissant")
        assert found.keys() >= OF_DATASET
        assert (found["@type"], found["conformsTo"]) == ("sc:Dataset", "http://mlcommons.org/croissant/1.0")
        assert found["license"] == "https://creativecommons.org/licenses/by/4.0/"
        (file,), (records,) = found["distribution"], found["recordSet"]
        assert file.keys() >= OF_FILE
        assert (file["name"], file["sha256"]) == (listing["name"], listing["sha256"])
        content = followed(file["contentUrl"])
        assert hashlib.sha256(content).hexdigest() == file["sha256"]
        assert file["contentSize"] == f"{len(content)} B"
        assert records.keys() >= OF_RECORDS
        rows = pq.read_table(pa.BufferReader(content))
        assert [field["name"] for field in records["field"]] == rows.column_names
        for field, column in zip(records["field"], listing["schema"], strict=True):
            assert field.keys() >= OF_FIELD
            assert field["source"] == {
                "fileObject": {"@id": file["@id"]},
                "extract": {"column": column["name"]},
            }
            assert field["description"] == column["description"]
            assert READ_AS[field["dataType"]](rows.schema.field(column["name"]).type), column
        key = [one["@id"].removeprefix("rows/") for one in records["key"]]
        keys = list(zip(*(rows[name].to_pylist() for name in key), strict=True))
        assert len(keys) == len(set(keys)) > 0


@pytest.mark.proves("EXP-8")
def test_the_description_of_an_open_panel_has_its_file_its_columns_and_the_days_it_covers(exported):
    for panel, listing in panels(exported).items():
        found = described(exported, panel, "schema")
        assert (found["@context"], found["@type"]) == ("https://schema.org/", "Dataset")
        assert found["name"] == PANELS[panel].title
        assert found["license"] == "https://creativecommons.org/licenses/by/4.0/"
        assert found["isAccessibleForFree"] is True
        assert [
            (one["name"], one["valueReference"]["value"], one["description"])
            for one in found["variableMeasured"]
        ] == [(one["name"], one["type"], one["description"]) for one in listing["schema"]]
        latest, pinned = found["distribution"]
        assert latest["contentUrl"].endswith(listing["latest_url"])
        assert "sha256" not in latest  # it leads to another file tomorrow
        assert pinned["sha256"] == listing["sha256"]
        content = followed(latest["contentUrl"])
        assert followed(pinned["contentUrl"]) == content
        months = pq.read_table(pa.BufferReader(content))["month"].to_pylist()
        last = max(months)
        end = last.replace(day=calendar.monthrange(last.year, last.month)[1])
        assert found["temporalCoverage"] == f"{min(months)}/{end}"
        (published,) = [
            row["published_at"][:10]
            for row in exported.get("/v1/editions").json()["data"]
            if row["edition"] == listing["edition"]
        ]
        assert (found["version"], found["datePublished"]) == (str(listing["edition"]), published)


@pytest.mark.proves("EXP-8")
def test_licensed_tables_are_described_without_links_to_files(exported):
    assert set(BULK).isdisjoint(PANELS)
    for table in BULK:
        found = described(exported, table, "schema")
        assert found["isAccessibleForFree"] is False
        assert "distribution" not in found
        assert found["license"].endswith("/docs/license/")
        assert all(one["description"] for one in found["variableMeasured"])
        for file in listed(exported):
            if file["table"] == table and file["kind"] == "rows":
                names = [(one["name"], one["valueReference"]["value"]) for one in found["variableMeasured"]]
                assert names == [(one["name"], one["type"]) for one in file["schema"]]
        assert exported.client.get(f"/v1/datasets/{table}/croissant.json").status_code == 404


@pytest.mark.proves("EXP-8")
def test_without_a_listed_file_there_is_no_description(exported):
    for name in ("no-such-panel", "AF-FUND", "%2e%2e", "tender-value.parquet", "caf%C3%A9"):
        for kind in ("croissant", "schema"):
            assert exported.client.get(f"/v1/datasets/{name}/{kind}.json").status_code == 404, name
    before = exported.client.get("/v1/datasets/tender-value/croissant.json", params={"edition": "1"})
    assert before.status_code == 404
    wrong = exported.client.get("/v1/datasets/tender-value/schema.json", params={"as_of": "2024-01-01"})
    assert (wrong.status_code, wrong.json()["parameter"]) == (400, "as_of")


@pytest.mark.proves("EXP-8", "EXP-3")
def test_limits_keys_and_caches_are_as_for_open_files(exported):
    for kind in ("croissant", "schema"):
        address = f"/v1/datasets/tender-value/{kind}.json"
        first = exported.client.get(address)
        assert '"burst";q=60;w=60' in first.headers["ratelimit-policy"]
        again = exported.client.get(address, headers={"If-None-Match": first.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")
        plain = exported.client.get(address, headers={"Accept-Encoding": "identity"})
        assert plain.json() == first.json()
        assert plain.headers["etag"] != first.headers["etag"]
        assert exported.client.get(first.headers["content-location"]).content == first.content
        assert exported.client.get(address, headers=key(exported, "sample")).status_code == 200
        assert exported.client.get(address, headers={"X-API-Key": "no such key"}).status_code == 401


def tendered(number):
    return release(
        f"ocds-{number}",
        date=f"2014-0{number}-01T10:00:00Z",
        buyer={"name": CITY},
        tender=tender(5 * number, mainProcurementCategory="works"),
        awards=[award("A", 4 * number, WORKS, date="2014-04-01T00:00:00Z")],
    )


@pytest.mark.proves("EXP-8", "EDN-7")
def test_an_older_description_leads_to_its_own_file_and_a_takedown_changes_the_names_of_all(service):
    service.ingest(package(tendered(1)), source_name=SOURCE)
    service.publish()
    service.export()
    service.await_edition(service.publish().edition)
    address = "/v1/datasets/tender-value/croissant.json"
    first = service.client.get(address)
    service.ingest(package(tendered(2)), source_name=SOURCE)
    service.publish()
    service.export()
    service.await_edition(service.publish().edition)
    second = service.client.get(address)
    files = [response.json()["distribution"][0] for response in (first, second)]
    assert files[0]["sha256"] != files[1]["sha256"]
    for file in files:
        assert hashlib.sha256(followed(file["contentUrl"])).hexdigest() == file["sha256"]
    assert service.client.get(first.headers["content-location"]).json() == first.json()
    feed = service.client.get("/v1/editions.atom")
    service.take_down(id_of_party(service, WORKS))
    for response in (first, second, feed):
        place, known = response.headers["content-location"], {"If-None-Match": response.headers["etag"]}
        until(lambda: service.client.get(place, headers=known | service.headers).status_code == 200)  # noqa: B023
        after = service.client.get(place)
        assert WORKS not in after.text
        assert after.content == response.content  # no file and no count of an edition is about one party
    for file in files:
        assert hashlib.sha256(followed(file["contentUrl"])).hexdigest() == file["sha256"]
