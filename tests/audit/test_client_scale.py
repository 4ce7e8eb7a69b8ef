"""Many rows through the Python client: `to_polars()` as a ratio to reading them from the Parquet file."""

from __future__ import annotations

import time

import httpx
import polars as pl
import pytest

from audit.test_export_scale import _FILL, CHUNK
from sankofa_client import Client
from support.filings import Filer
from support.service import Service

ARROW = "application/vnd.apache.arrow.stream"


@pytest.fixture(scope="module")
def filled(stack, size):
    service = Service(stack, "client_scale")
    with service.connect() as admin:
        for first in range(0, size.client_rows, CHUNK):
            asked = {"first": first, "last": min(first + CHUNK, size.client_rows)}
            for statement in _FILL.split(";\n\n"):
                admin.execute(statement, asked)
        admin.execute("VACUUM ANALYZE serving.fundamentals_fact, serving.provenance")
    service.ingest(Filer(1).says(5, filed="2024-02-01").document())
    service.publish()
    service.export()
    service.publish()
    yield service
    service.close()


@pytest.mark.timeout(3600)
def test_rows_a_second_as_a_ratio_to_the_parquet_file(filled, size, tmp_path):
    with Client(filled.api.url, key=filled.issue().key) as client:
        began = time.monotonic()
        frame = client.changes(dataset="AF-FUND", edition=1).to_polars()
        streamed = time.monotonic() - began
        listed = [each for each in client.export() if (each.sku, each.kind) == ("AF-FUND", "rows")]
        files = [client.download(file, tmp_path / file.name) for file in listed]
    began = time.monotonic()
    table = pl.read_parquet(files)
    read = time.monotonic() - began
    rows = size.client_rows + 1
    print(
        f"{rows:,} rows: to_polars() {rows / streamed:,.0f} rows/s in {streamed:.1f} s, the file"
        f" {rows / read:,.0f} rows/s in {read:.2f} s, ratio {read / streamed:.4f}"
    )
    assert frame.height == table.height == rows
    both = frame.join(table, on="row_id", suffix="_of_file")
    assert both.height == rows
    for name, beside in (
        ("value", "value_reported"),
        ("fact_id", "fact_id_of_file"),
        ("measure", "line_item"),
    ):
        assert both.filter(pl.col(name).ne_missing(pl.col(beside))).height == 0
    pages, bare = bare_pages(filled, filled.issue().key)
    print(
        f"the same {pages} pages by bare httpx, unread: {bare:.1f} s, {bare / streamed:.2f} of the client's"
    )


def bare_pages(service, key):
    """Return how many pages there are, and the seconds that it takes to fetch them and look at nothing."""
    with httpx.Client(base_url=service.api.url, timeout=60) as http:
        began, pages = time.monotonic(), 0
        address = "/v1/changes?dataset=AF-FUND&edition=1&limit=10000"
        while address:
            response = http.get(address, headers={"X-API-Key": key, "Accept": ARROW})
            if response.status_code == 503:
                continue  # a busy machine may take longer than the service waits for its datastore
            assert response.status_code == 200, response.text
            pages += 1
            following = response.links.get("next")
            address = following["url"] if following else None
        return pages, time.monotonic() - began
