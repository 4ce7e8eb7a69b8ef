"""ENV-14: every form states all that the JSON envelope states, and no CSV cell runs as a formula."""

from __future__ import annotations

import csv
import io
import json
import re
from decimal import Decimal

import pyarrow as pa
import pytest

from contract.keyed import addresses, furnish, key
from dev import pages
from sankofa.surfaces.rest import ENDPOINTS
from support.filings import Filer

CSV, NDJSON, ARROW = "text/csv", "application/x-ndjson", "application/vnd.apache.arrow.stream"
NEXT = re.compile(r'<([^>]+)>; rel="next"')
# Each would run, or look as if it had been altered, in a spreadsheet.
FORMULAS = (
    '=HYPERLINK("http://x.example","a") Foods Limited',
    "+Plus Limited",
    "-Minus Limited",
    "@At Limited",
    "'Quoted Limited",
    "''Twice Quoted Limited",
    "＝Wide Limited",  # noqa: RUF001 - a full-width sign begins a formula too
)


@pytest.fixture(scope="module")
def api(module_service):
    """A service with something to page through, a merged issuer, and filers with names like formulas."""
    pages.build()
    service = furnish(module_service)
    filers = [Filer(100 + number, name).says(-5, filed="2024-02-01") for number, name in enumerate(FORMULAS)]
    service.ingest(*(filer.document() for filer in filers))
    service.publish()
    service.filers = [service.id_of(filer.identifier) for filer in filers]
    service.merge(service.small, service.large)
    service.await_edition(service.publish().edition)
    return service


def in_form(api, path, accept, headers=None, **params):
    response = api.get(path, headers={**(headers or {}), "Accept": accept}, **params)
    assert response.status_code == 200, response.text
    assert response.headers["content-type"].startswith(accept)
    return response


def stated(response):
    """Return the envelope that a response states in its header fields."""
    following = NEXT.search(response.headers["link"])
    cursor = following and re.search(r"[?&]cursor=([^&]+)", following[1])[1]
    return json.loads(response.headers["x-answer"]) | {"next_cursor": cursor}


def in_metadata(response):
    """Return the envelope that an Arrow stream states in its schema; texts are not JSON."""
    texts = {"license", "next_cursor", "as_of", "resolved_from"}
    metadata = pa.ipc.open_stream(response.content).schema.metadata
    return {
        name.decode(): text.decode() if name.decode() in texts else json.loads(text)
        for name, text in metadata.items()
    }


def assert_states_the_envelope(api, path, headers=None, **params):
    body = api.get(path, headers=headers, **params).exact
    envelope = {name: value for name, value in body.items() if name not in {"data", "observations"}}
    for accept in (CSV, NDJSON, ARROW):
        response = in_form(api, path, accept, headers, **params)
        assert stated(response) == envelope
        assert response.headers["x-answer"].isascii()
    held = {name.lstrip("_"): value for name, value in envelope.items() if value is not None}
    assert in_metadata(response) == held
    return envelope


@pytest.mark.proves("ENV-14", "KEY-1")
def test_the_licence_link_leads_to_a_page_that_needs_no_key(api):
    response = in_form(api, f"/v1/fundamentals/{api.large}", CSV)
    address = re.search(r'<([^>]+)>; rel="license"', response.headers["link"])[1]
    page = api.client.get(address, follow_redirects=True)
    assert page.status_code == 200
    assert page.headers["content-type"].startswith("text/html")
    sentence = api.get("/v1/editions").exact["_license"]
    assert sentence in re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", page.text))


@pytest.mark.proves("ENV-14")
@pytest.mark.parametrize("name", [*(each.name for each in ENDPOINTS), "macro as series"])
def test_every_form_states_the_whole_envelope(api, name):
    assert_states_the_envelope(api, addresses(api)[name])


@pytest.mark.proves("ENV-14")
@pytest.mark.parametrize(
    ("path", "tier", "name", "value"),
    [
        ("/v1/fundamentals/{small}", "starter", "resolved_from", "{small}"),
        ("/v1/crosswalk/{large}", "sample", "withheld_id_types", []),
        ("/v1/crosswalk/{large}", "starter", "crosswalk_loaded", True),
        ("/v1/crosswalk?id_type=ticker&id_value=XNAI:NONE", "starter", "ambiguous", False),
        ("/v1/fundamentals/{large}?as_of=2010-06-30", "starter", "as_of", "2010-06-30"),
        ("/v1/fundamentals/{large}", "starter", "edition", 3),
    ],
)
def test_a_fact_about_the_answer_is_in_every_form(api, path, tier, name, value):
    ids = {"small": api.small, "large": api.large}
    wanted = value.format(**ids) if isinstance(value, str) else value
    assert assert_states_the_envelope(api, path.format(**ids), key(api, tier))[name] == wanted


@pytest.mark.proves("ENV-14")
def test_reasons_of_absence_are_in_every_form(api):
    envelope = assert_states_the_envelope(api, "/v1/screen?metric=net_margin&absent=true")
    assert envelope["absent"]


@pytest.mark.proves("ENV-12", "ENV-14")
def test_pages_of_other_origins_may_read_the_fields(api):
    exposed = api.client.get("/health").headers["access-control-expose-headers"].split(", ")
    assert {"X-Answer", "X-Count", "X-Truncated", "Link"} <= set(exposed)


@pytest.mark.proves("ENV-14")
@pytest.mark.parametrize("accept", [CSV, NDJSON, ARROW])
def test_the_link_to_the_next_page_keeps_the_limit(api, accept):
    sizes, address = [], "/v1/changes?limit=30"
    while address:
        response = in_form(api, address, accept)
        sizes.append(int(response.headers["x-count"]))
        address = (NEXT.search(response.headers["link"]) or [None, None])[1]
    assert len(sizes) > 2
    assert set(sizes[:-1]) == {30}
    unsized = in_form(api, "/v1/changes", accept, key(api, "sample"))
    assert "limit=" not in unsized.headers["link"]


@pytest.mark.proves("ENV-14")
def test_a_text_that_a_spreadsheet_would_run_has_an_apostrophe_in_front(api):
    for service_id, name in zip(api.filers, FORMULAS, strict=True):
        path = f"/v1/entities/{service_id}"
        assert api.get(path).exact["data"][0]["legal_name"] == name
        (row,) = csv.DictReader(io.StringIO(in_form(api, path, CSV).text))
        assert row["legal_name"] == f"'{name}"
        assert row["legal_name"].removeprefix("'") == name
        (line,) = in_form(api, path, NDJSON).text.splitlines()
        assert json.loads(line)["legal_name"] == name
        (served,) = pa.ipc.open_stream(in_form(api, path, ARROW).content).read_all().to_pylist()
        assert served["legal_name"] == name


@pytest.mark.proves("ENV-14")
def test_numbers_and_other_texts_of_csv_are_not_altered(api):
    path = f"/v1/shared/facts?entity_id={api.filers[0]}"
    (row,) = csv.DictReader(io.StringIO(in_form(api, path, CSV).text))
    assert (row["value"], row["unit"], row["entity_name"][:2]) == ("-5", "KES", "'=")
    expected = api.get("/v1/macro?series=FX.EUR.ZAR").exact["data"]
    read = list(csv.DictReader(io.StringIO(in_form(api, "/v1/macro?series=FX.EUR.ZAR", CSV).text)))
    assert [Decimal(row["value"]) for row in read] == [row["value"] for row in expected]
    assert not any(cell.startswith("'") for row in read for cell in row.values())
