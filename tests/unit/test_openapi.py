"""The OpenAPI page as made from declarations (OPS-3): nothing served goes undescribed."""

from __future__ import annotations

import pytest

from demo import organisations
from dev.installation import LOCAL_SECRET
from sankofa.access.tiers import Tiers
from sankofa.ask.params import parameters
from sankofa.entities.identity import service_id
from sankofa.surfaces.rest import DOCUMENTS, ENDPOINTS
from sankofa.web import openapi

PAGE = openapi.document(ENDPOINTS, tiers=Tiers(), documents=DOCUMENTS)


def nodes(value, path=""):
    """Walk all objects of the page, with where they are."""
    if isinstance(value, dict):
        yield path, value
        for name, inner in value.items():
            yield from nodes(inner, f"{path}/{name}")
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from nodes(inner, f"{path}/{number}")


def test_the_example_issuer_is_the_one_the_demo_world_begins_with():
    identifier = f"lei:{organisations.lei_of_issuer(0)}"
    assert openapi.DEMO["service_id"] == service_id(LOCAL_SECRET.encode(), identifier)


def test_every_reference_leads_somewhere():
    for place, node in nodes(PAGE):
        if isinstance(node.get("$ref"), str):
            found = PAGE
            for step in node["$ref"].removeprefix("#/").split("/"):
                assert step in found, (place, node["$ref"])
                found = found[step]


def test_everything_that_has_a_name_has_a_description():
    components = PAGE["components"]
    for name, schema in components["schemas"].items():
        assert schema["description"], name
        for field, inner in schema["properties"].items():
            assert inner.get("description") or name == "Status", (name, field)
    for path, operations in PAGE["paths"].items():
        for parameter in operations["get"].get("parameters", ()):
            assert "$ref" in parameter or parameter["description"], (path, parameter)


def test_no_value_leaves_as_a_binary_float_or_as_text():
    fact = PAGE["components"]["schemas"]["FundamentalsFact"]["properties"]
    assert fact["value_reported"]["type"] == "number"
    assert fact["extraction_confidence"]["type"] == ["number", "null"]
    assert fact["observed_at"]["format"] == "date-time"


@pytest.mark.parametrize("endpoint", ENDPOINTS, ids=lambda endpoint: endpoint.name)
def test_an_operation_says_all_that_its_declaration_says(endpoint):
    operation = PAGE["paths"][endpoint.path]["get"]
    shown = {each["name"]: each for each in operation["parameters"] if "name" in each}
    assert set(shown) == set(parameters(endpoint.params))
    assert endpoint.order in operation["description"]
    assert {str(status) for status in endpoint.statuses} <= set(operation["responses"])
    for name, parameter in parameters(endpoint.params).items():
        assert parameter.schema.items() <= shown[name]["schema"].items()


def test_examples_are_taken_by_the_parameters_own_parser():
    for endpoint in (*ENDPOINTS, *DOCUMENTS):
        shown = PAGE["paths"][endpoint.path]["get"]["parameters"]
        for name, parameter in parameters(endpoint.params).items():
            for each in shown:
                if each.get("name") == name and "example" in each:
                    parameter.parse(str(each["example"]))


def test_the_tiers_of_the_installation_are_on_the_page():
    tiers = Tiers.changed({"professional": {"rows": 12_345}})
    page = openapi.document(ENDPOINTS, tiers=tiers)
    assert "| professional | 12,345 |" in page["info"]["description"]
    limits = [
        each
        for operations in page["paths"].values()
        for each in operations["get"].get("parameters", ())
        if each.get("name") == "limit"
    ]
    assert limits
    assert all(each["schema"]["maximum"] == 12_345 for each in limits)
