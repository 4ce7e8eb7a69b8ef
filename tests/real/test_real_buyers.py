"""Buyers of South Africa's real releases are served by name."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]
FOLDER = (
    Path(os.environ.get("SANKOFA_REAL_DATA", REPOSITORY.parent / "shared" / "data")) / "ocds/south-africa"
)
FILES = ("etenders_ocds_releases_2026-08-14.json", "za_compiled_releases_2022_from_notebook.json")
pytestmark = pytest.mark.skipif(
    not FOLDER.is_dir(), reason=f"no real files at {FOLDER}; see SANKOFA_REAL_DATA"
)


def stated(value):
    """Yield ocid and name of the buyer of every release in a document."""
    if isinstance(value, list):
        for item in value:
            yield from stated(item)
    elif isinstance(value, dict):
        if "ocid" in value and isinstance(value.get("buyer"), dict):
            yield value["ocid"], value["buyer"]["name"]
        for item in value.values():
            yield from stated(item)


def test_all_eleven_releases_have_their_buyer(module_service):
    service = module_service
    documents = [(FOLDER / name).read_bytes() for name in FILES]
    for document in documents:
        service.ingest(document, source_name="za-etenders")
    service.publish()
    rows = service.get("/v1/tenders", country="ZA", limit=1000).json()["data"]
    expected = dict(pair for document in documents for pair in stated(json.loads(document)))
    assert len(rows) == len(expected) == 11
    assert {row["ocid"]: row["buyer"]["name"] for row in rows} == expected
    assert {
        "ESKOM",
        "Perishable Products Export Control Board",
        "Kwazulu Natal - Public Works (Head Office)",
        "Rural Development & Land Reform",
    } <= set(expected.values())
