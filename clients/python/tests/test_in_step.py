"""The client knows the whole service: every endpoint, parameter, field and problem, by the same names."""

from __future__ import annotations

import importlib.util
import inspect
import sys
from pathlib import Path

import msgspec
import pytest

import sankofa_client
from sankofa.web import problems
from sankofa_client import AsyncClient, Client, SankofaError, rows
from sankofa_client._answer import Envelope, Status
from sankofa_client._errors import BY_CODE

GENERATOR = Path(__file__).parents[1] / "generate.py"
# Where the method has another name than the operation.
RENAMED = {"crosswalk_lookup": "lookup", "quality_metrics": "quality"}
RENAMED |= {"export_file": "download", "export_open_file": "download"}
# Feed readers, search engines and loaders request these themselves.
DOCUMENTS = {"editions_feed", "dataset_schema", "dataset_croissant"}


@pytest.fixture(scope="module")
def page(demo):
    return demo.client.get("/openapi.json").json()


@pytest.fixture(scope="module")
def operations(page):
    return {item["get"]["operationId"]: item["get"] for item in page["paths"].values()}


@pytest.mark.parametrize("kind", [Client, AsyncClient])
def test_every_endpoint_has_a_method_with_every_parameter(operations, kind):
    assert len(operations) >= 20
    for name, operation in operations.items():
        if name in DOCUMENTS:
            continue
        method = getattr(kind, RENAMED.get(name, name))
        if method in {Client.download, AsyncClient.download}:
            continue
        taken = inspect.signature(method).parameters
        sent = [each for each in operation.get("parameters", ()) if "$ref" not in each]
        assert {
            each["name"].replace("from", "from_") if each["name"] == "from" else each["name"] for each in sent
        } == {*taken} - {"self"}
        for each in sent:
            if each["in"] == "query":
                one = taken["from_" if each["name"] == "from" else each["name"]]
                assert one.kind is inspect.Parameter.KEYWORD_ONLY
                assert (one.default is inspect.Parameter.empty) is each["required"]


def test_both_clients_have_the_same_methods():
    def public(kind):
        return {name for name in dir(kind) if not name.startswith("_")}

    assert public(Client) - {"lake"} == public(AsyncClient)  # DuckDB, PyIceberg and Polars wait themselves


def test_the_typed_parts_are_what_the_service_says_of_itself(page, monkeypatch):
    spec = importlib.util.spec_from_file_location("generate", GENERATOR)
    generate = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "generate", generate)  # a dataclass looks its own module up
    spec.loader.exec_module(generate)
    for name, text in generate.sources(page).items():
        assert (generate.PACKAGE / name).read_text(encoding="utf-8") == text, (
            "run: python clients/python/generate.py <address of the service>"
        )


def test_rows_have_the_fields_of_the_page_and_decimals_for_numbers(page):
    for name in rows.__all__:
        fields = {field.encode_name: field.type for field in msgspec.structs.fields(getattr(rows, name))}
        described = page["components"]["schemas"][name]["properties"]
        assert list(fields) == list(described)
        assert float not in fields.values()


def test_the_envelope_is_known_whole(page):
    told = {
        name
        for title, schema in page["components"]["schemas"].items()
        if title.endswith("Answer")
        for name in schema["properties"]
    }
    held = {field.encode_name for field in msgspec.structs.fields(Envelope)}
    assert told - {"data", "observations"} == held


def test_the_status_is_known_whole(page):
    assert set(page["components"]["schemas"]["Status"]["properties"]) == set(Status.__struct_fields__)


def test_every_problem_of_the_service_has_a_class_of_its_own():
    named = {problem.code for problem in vars(problems).values() if isinstance(problem, problems.Problem)}
    named |= {problem.code for problem in problems.PROBLEMS.values()}
    assert set(BY_CODE) == named
    assert len(set(BY_CODE.values())) == len(BY_CODE)
    assert all(issubclass(kind, SankofaError) for kind in BY_CODE.values())


def test_all_that_is_public_is_named_once():
    assert sorted(sankofa_client.__all__) == sankofa_client.__all__
    public = {
        name
        for name, value in vars(sankofa_client).items()
        if not name.startswith("_") and getattr(value, "__name__", "").split(".")[0] != "_"
    }
    assert public == set(sankofa_client.__all__)
    errors = {name for name in sankofa_client.__all__ if _is_error(getattr(sankofa_client, name))}
    known = {kind.__name__ for kind in SankofaError.__subclasses__()} | {"SankofaError"}
    assert errors == known


def _is_error(value):
    return isinstance(value, type) and issubclass(value, SankofaError)
