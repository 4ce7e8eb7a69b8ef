"""OPS-3 and ENV-16: the OpenAPI page says what is served, and linters, a generator and the service agree."""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
import typing
from datetime import date
from pathlib import Path
from urllib.parse import urlencode

import jsonschema_rs
import pytest

from sankofa.surfaces.rest import DOCUMENTS, ENDPOINTS, REDIRECTIONS
from support.openapi_page import examples
from support.openapi_tools import COMMANDS, lint

# What any HTTP server or browser-facing service sends; the page describes the headers of this service.
COMMON = {
    "access-control-allow-origin",
    "access-control-expose-headers",
    "content-length",
    "content-security-policy",
    "cross-origin-resource-policy",
    "content-type",
    "date",
    "referrer-policy",
    "server",
    "x-content-type-options",
}
OPEN = {"/health", "/v1/status", "/v1/freshness", "/openapi.json"}
DOCUMENTED = {each.path for each in DOCUMENTS}  # whole documents: no rows, and one form
ELSEWHERE = {each.path for each in REDIRECTIONS}  # what they lead to is no answer of ours


@pytest.fixture(scope="module")
def page(demo):
    return demo.client.get("/openapi.json").json()


@pytest.fixture(scope="module")
def file(page, tmp_path_factory):
    path = tmp_path_factory.mktemp("openapi") / "openapi.json"
    path.write_text(json.dumps(page), encoding="utf-8")
    return path


def operations(page):
    return {path: item["get"] for path, item in page["paths"].items() if path not in ELSEWHERE}


# What a call needs although no parameter alone is required.
NEEDED = {"/v1/shared/facts": {"entity_id"}}


def required(path, operation):
    """Return the query without which an operation has no answer, in examples."""
    needed = {each["name"] for each in operation.get("parameters", ()) if each.get("required")}
    needed |= NEEDED.get(path, set())
    return {name: text for name, text in examples(operation, "query").items() if name in needed}


def address(path, operation):
    """Return the address that asks as little as may be asked."""
    query = urlencode(required(path, operation))
    return path.format(**examples(operation, "path")) + (f"?{query}" if query else "")


def found(page, node):
    """Follow a reference within the page."""
    while "$ref" in node:
        name = node["$ref"]
        node = page
        for step in name.removeprefix("#/").split("/"):
            node = node[step]
    return node


@pytest.mark.proves("OPS-3")
def test_the_page_is_public_and_names_every_endpoint(demo, page):
    response = demo.client.get("/openapi.json")
    assert response.headers["Cache-Control"] == "public, max-age=300"
    assert (page["openapi"], page["info"]["version"]) == ("3.1.0", "1.0.0")
    assert response.headers["X-Service-API-Version"] == page["info"]["version"]
    assert set(page["paths"]) == {each.path for each in (*ENDPOINTS, *REDIRECTIONS, *DOCUMENTS)} | OPEN
    assert {path for path, operation in operations(page).items() if operation.get("security") == []} == OPEN
    assert page["servers"][0]["url"] == "/"


@pytest.mark.proves("OPS-3")
@pytest.mark.parametrize("coding", ["identity", "gzip"])
def test_a_copy_of_the_page_that_is_still_good_is_not_sent_again(demo, page, coding):
    first = demo.client.get("/openapi.json", headers={"Accept-Encoding": coding})
    assert first.json() == page
    assert first.headers.get("Content-Encoding", "identity") == coding
    asked = {"Accept-Encoding": coding, "If-None-Match": f'"other", W/{first.headers["ETag"]}'}
    again = demo.client.get("/openapi.json", headers=asked)
    assert (again.status_code, again.content) == (304, b"")
    other = {"identity": "gzip", "gzip": "identity"}[coding]
    assert demo.client.get("/openapi.json", headers=asked | {"Accept-Encoding": other}).status_code == 200


@pytest.mark.proves("ENV-16")
def test_the_page_says_what_the_data_is_not(page):
    said = page["info"]["description"].lower()
    for statement in (
        "research and informational data, not a regulated benchmark",
        "metrics and ranks are not ratings",
        "conservative, so some real firms are withheld",
    ):
        assert statement in said


@pytest.mark.proves("OPS-3", "KEY-4")
def test_the_page_hands_out_the_sandbox_key_where_there_is_one(make_service, page):
    assert "Ask the operator" in page["info"]["description"]
    service = make_service(SANKOFA_SANDBOX_KEY="snk_the_key_of_this_test")
    said = service.client.get("/openapi.json").json()["info"]["description"]
    assert "the public sandbox key is `snk_the_key_of_this_test`" in said


@pytest.mark.proves("OPS-3")
@pytest.mark.parametrize("linter", COMMANDS)
def test_linters_find_nothing(linter, file):
    code, said = lint(linter, file)
    assert code == 0, said


@pytest.mark.proves("OPS-3")
@pytest.mark.parametrize("tier", ["sample", "professional"])
def test_examples_work_on_the_demo_world(demo, page, tier):
    key = demo.issue(tier).key
    for path, operation in operations(page).items():
        asked = path.format(**examples(operation, "path"))
        response = demo.client.get(asked, params=examples(operation, "query"), headers={"X-API-Key": key})
        assert response.status_code == 200, (path, response.text)
        assert path in OPEN | DOCUMENTED or response.json()["count"] > 0


def strict(schema):
    """Return a schema that allows no member it does not describe."""
    if isinstance(schema, list):
        return [strict(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    closed = {name: strict(inner) for name, inner in schema.items()}
    return closed | ({"additionalProperties": False} if "properties" in schema else {})


def disagreements(page, path, response):
    """Say in what a response is other than the page says: status, headers, media type, body."""
    described = page["paths"][path]["get"]["responses"].get(str(response.status_code))
    if described is None:
        return [f"{path}: status {response.status_code}"]
    described = found(page, described)
    wrong = sorted(set(response.headers) - {name.lower() for name in described["headers"]} - COMMON)
    body = response.content
    if not body:
        return wrong
    media_type = response.headers["content-type"].partition(";")[0]
    if media_type not in described["content"]:
        return [*wrong, media_type]
    if "json" in media_type and "ndjson" not in media_type:
        schema = described["content"][media_type]["schema"]
        root = {**strict(schema), "components": {"schemas": strict(page["components"]["schemas"])}}
        validator = jsonschema_rs.Draft202012Validator(root, validate_formats=True)
        wrong += [error.message for error in validator.iter_errors(json.loads(body))]
    return wrong


REQUESTS = {
    "answer": ({}, {}, 200),
    "csv": ({"Accept": "text/csv"}, {}, 200),
    "ndjson": ({"Accept": "application/x-ndjson"}, {}, 200),
    "arrow": ({"Accept": "application/vnd.apache.arrow.stream"}, {}, 200),
    "unchanged": ({"If-None-Match": "*"}, {}, 304),
    "bad parameter": ({}, {"as_off": "2024-01-01", "limitt": "1"}, 400),
    "no key": ({"X-API-Key": ""}, {}, 401),
    "JSON refused": ({"Accept": "application/json;q=0"}, {}, 406),
    "long address": ({}, {"cursor": "x" * 4096}, 414),
    "other host": ({"Host": "elsewhere.example"}, {}, 421),
    "large headers": ({"X-Large": "x" * 17_000}, {}, 431),
}


@pytest.mark.proves("OPS-3")
@pytest.mark.parametrize("kind", REQUESTS)
def test_responses_are_as_the_page_says(demo, page, kind):
    headers, params, status = REQUESTS[kind]
    for path, operation in operations(page).items():
        if path in OPEN or (path in DOCUMENTED and status == 406):
            continue
        response = demo.get(address(path, operation), headers, **params)
        assert response.status_code == status, (path, response.text)
        assert disagreements(page, path, response) == []


@pytest.mark.proves("OPS-3")
def test_rarer_responses_are_as_the_page_says(demo, page):
    sample = demo.issue("sample")
    for path, operation in operations(page).items():
        kinds = {405: demo.client.post(address(path, operation))}
        if "{service_id}" in path and "404" in operation["responses"]:
            kinds[404] = demo.get(path.format(service_id="DC0000000000000"), **required(path, operation))
        if path in DOCUMENTED and "404" in operation["responses"]:
            kinds[404] = demo.get(path.format(dataset="no-such-dataset"))
        if "limit" in examples(operation, "query"):
            kinds[402] = demo.get(address(path, operation), {"X-API-Key": sample.key}, limit=26)
        if "id_type" in examples(operation, "query"):
            kinds[402] = demo.get(path, {"X-API-Key": sample.key}, id_type="isin", id_value="x")
        if path in OPEN:
            kinds[200] = demo.client.get(path)
        for status, response in kinds.items():
            assert response.status_code == status, (path, response.text)
            assert disagreements(page, path, response) == []
    responses = [demo.client.get("/v1/editions", headers={"X-API-Key": sample.key}) for _ in range(61)]
    assert responses[-1].status_code == 429
    assert disagreements(page, "/v1/editions", responses[-1]) == []


@pytest.mark.proves("OPS-3", "EXP-1")
def test_the_way_to_a_file_is_as_the_page_says(demo, page):
    path = "/v1/export/files/{name}"
    file = next(each for each in demo.get("/v1/export").json()["data"] if each["access"] == "licensed")
    kinds = {
        307: demo.get(file["url"]),
        400: demo.get(file["url"], editionn="1"),
        401: demo.client.get(file["url"]),
        402: demo.get(file["url"], {"X-API-Key": demo.issue("sample").key}),
        404: demo.get(path.format(name="x.parquet")),
        405: demo.client.post(file["url"]),
    }
    for status, response in kinds.items():
        assert response.status_code == status, response.text
        assert disagreements(page, path, response) == []


@pytest.mark.proves("OPS-3", "EXP-3")
def test_the_way_to_an_open_file_is_as_the_page_says(demo, page):
    path = "/v1/export/open/{file}"
    address = next(each["latest_url"] for each in demo.client.get("/v1/export/open").json()["data"])
    kinds = {
        307: demo.client.get(address),
        400: demo.client.get(address, params={"editionn": "1"}),
        401: demo.client.get(address, headers={"X-API-Key": "nonsense"}),
        404: demo.client.get(path.format(file="x.parquet")),
        405: demo.client.post(address),
    }
    for status, response in kinds.items():
        assert response.status_code == status, response.text
        assert disagreements(page, path, response) == []


@pytest.fixture(scope="module")
def client_package(file, tmp_path_factory):
    """Return a package that openapi-python-client made from the page."""
    folder = tmp_path_factory.mktemp("generated")
    tools = Path(sys.executable).parent
    config = folder / "config.json"  # the generator reads XML as text only if it is told to
    config.write_text(json.dumps({"content_type_overrides": {"application/atom+xml": "text/xml"}}))
    subprocess.run(
        [
            *(tools / "openapi-python-client", "generate", "--path", file, "--meta", "none"),
            *("--output-path", folder / "generated_client", "--fail-on-warning"),
            *("--config", config),
        ],
        check=True,
        env={**os.environ, "PATH": f"{tools}:{os.environ['PATH']}"},
    )
    sys.path.insert(0, str(folder))
    yield "generated_client"
    sys.path.remove(str(folder))


def typed(kind, text):
    """Return an example as the generated client takes it."""
    if date in (kind, *typing.get_args(kind)):
        return date.fromisoformat(text)
    return kind(text) if isinstance(kind, type) else text


@pytest.mark.proves("OPS-3")
def test_a_generated_client_answers_one_call_per_endpoint(demo, page, client_package):
    package = importlib.import_module(client_package)
    client = package.AuthenticatedClient(
        base_url=demo.api.url, token=demo.issue().key, prefix="", auth_header_name="X-API-Key"
    )
    with client:
        for path, operation in operations(page).items():
            tag, name = operation["tags"][0], operation["operationId"]
            call = importlib.import_module(f"{client_package}.api.{tag}.{name}")
            kinds = typing.get_type_hints(call.sync_detailed)
            asked = {name: typed(kinds[name], text) for name, text in required(path, operation).items()}
            response = call.sync_detailed(client=client, **examples(operation, "path"), **asked)
            assert response.status_code == 200, path
            assert response.parsed is not None
            if path not in OPEN | DOCUMENTED:
                body = demo.client.get(address(path, operation), headers=demo.headers).json()
                assert response.parsed.count == body["count"] > 0
