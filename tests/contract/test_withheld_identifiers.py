"""XWK-1: what the crosswalk withholds from a sample key is in no other answer to it either."""

from __future__ import annotations

import itertools
import json
import re

import pytest

from demo.identifiers import figi
from sankofa.entities.model import Identifier
from support.organisations import list_shares
from support.stated_organisations import SOURCE, document, record

REDIRECTS = ("/v1/export/files/{name}", "/v1/export/open/{file}")
PAGES = 3  # of each list
OF_ONE = ("entities", "crosswalk", "fundamentals", "metrics", "diff")
DATES = {"diff": "?from_as_of=2020-01-01&to_as_of=2026-01-01"}
KINDS = ("metrics", "line-items", "indicators", "series", "signals", "categories", "exchanges", "sources")
LISTS = (
    *(f"/v1/catalog/{kind}" for kind in KINDS),
    *(f"/v1/{path}?country={country}" for path in ("tenders", "tender-parties") for country in ("ZA", "KE")),
    "/v1/tender-parties?order=releases&as_of=2024-06-30",
    *(f"/v1/quality-metrics/{sku}" for sku in ("AF-FUND", "AF-TENDER", "AF-MACRO")),
    *("/v1/screen?metric=net_margin", "/v1/macro", "/v1/changes", "/v1/export", "/v1/editions"),
    *("/v1/export/open", "/v1/issuers", "/v1/panel?line_item=revenue", "/v1/filings"),
    *("/v1/search?q=Nyalumera", "/v1/tenders/ocds-demoke-000001"),
    *(f"/v1/facts/64fc938d-155f-5feb-4c00-976596350358{part}" for part in ("", "/proof")),
    *("/v1/crosswalk?id_type=ticker&id_value=XNAI:NYAL", "/v1/signals/procurement-demand"),
    *("/v1/editions.atom", "/v1/datasets/identifiers/schema.json"),
    *(f"/v1/datasets/tender-value/{kind}.json" for kind in ("schema", "croissant")),
)


def test_every_endpoint_is_asked(demo):
    paths = set(demo.client.get("/openapi.json").json()["paths"])
    data = {path for path in paths if path.startswith("/v1/") and path not in ("/v1/status", "/v1/freshness")}
    asked = {path.partition("?")[0] for path in (*LISTS, *addresses("x"))}
    for path in data - {*REDIRECTS, "/v1/signals/{signal_key}"}:  # the last has the rows of the one above
        pattern = re.sub(r"{[a-z_]+}", "[^/]+", path)
        assert any(re.fullmatch(pattern, one) for one in asked), path


def addresses(service_id):
    """Return where one organisation is asked about."""
    yield from (f"/v1/{name}/{service_id}{DATES.get(name, '')}" for name in OF_ONE)
    yield f"/v1/tender-parties?service_id={service_id}"
    yield from (f"/v1/shared/facts?entity_id={service_id}&dataset={sku}" for sku in ("AF-FUND", "AF-TENDER"))


def organisations(service):
    found = service.rows("SELECT DISTINCT service_id FROM serving.organisation ORDER BY service_id")
    return [service_id for (service_id,) in found]


class Sampler:
    """A caller with sample keys, as many as its questions need."""

    def __init__(self, service):
        self.service = service
        self.asked = 0

    def bodies(self, path):
        """Yield the first pages of an answer."""
        for _ in range(PAGES):
            if self.asked % 50 == 0:
                self.headers = {"X-API-Key": self.service.issue("sample").key}
            self.asked += 1
            response = self.service.get(path, self.headers)
            assert response.status_code in {200, 404}, (path, response.text)
            yield response.text
            if "xml" in response.headers["content-type"]:
                return
            cursor = response.exact.get("next_cursor")
            if not cursor:
                return
            path = f"{path.partition('?')[0]}?cursor={cursor}"


def withheld(service, sampler):
    """Return the values that the crosswalk shows to a paying caller only."""
    values = set()
    for one in organisations(service):
        paid = service.get(f"/v1/crosswalk/{one}").exact["data"]
        (text,) = sampler.bodies(f"/v1/crosswalk/{one}")
        values |= {row["id_value"] for row in paid}
        values -= {row["id_value"] for row in json.loads(text)["data"]}
    return values


def texts(body):
    """Return the strings of an answer: of the feed, all of it."""
    return [body] if body.startswith("<?xml") else strings(json.loads(body))


def strings(value):
    """Yield every string of a document; amounts and counts are no identifiers."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from strings(part)


def leaks(paths, sampler, values):
    """Return which withheld values are in which answers."""
    whole = re.compile(
        r"(?<![0-9a-z])(" + "|".join(re.escape(value.lower()) for value in values) + r")(?![0-9a-z])"
    )
    return {
        (path, found[0])
        for path in paths
        for body in sampler.bodies(path)
        for text in texts(body)
        for found in whole.finditer(text.lower())
    }


@pytest.mark.proves("XWK-1")
def test_no_withheld_identifier_of_the_demo_world_is_in_any_answer_to_a_sample_key(demo):
    sampler = Sampler(demo)
    values = withheld(demo, sampler)
    assert len(values) > 50
    paths = itertools.chain(LISTS, *map(addresses, organisations(demo)))
    assert leaks(paths, sampler, values) == set()


@pytest.mark.proves("XWK-1")
def test_an_organisation_that_is_known_by_a_paid_identifier_alone_does_not_show_it(service):
    number = Identifier("registry", "ZA-CIPC", "1999/000001/07")
    numbered = record("party:ZA-CIPC:1999/000001/07", "Acme Works (Pty) Ltd", number, country="ZA")
    plain = record("party:ZA:1999/000002/07", "Zebra Works (Pty) Ltd", country="ZA")
    by_figi = record(f"figi:{figi(7)}", "Figured PLC", Identifier("figi", "", figi(7)), country="KE")
    service.ingest(document(numbered, plain, by_figi), source_name=SOURCE)
    list_shares(service, ("XNAI", "SHRD", "Shared Group", "KE", "KE0000000018", figi(8)))
    service.publish()
    sampler = Sampler(service)
    values = withheld(service, sampler) | {"1999/000002/07"}
    assert len(values) == 5
    paths = itertools.chain(LISTS, *map(addresses, organisations(service)))
    assert leaks(paths, sampler, values) == set()
    places = [
        service.get(f"/v1/entities/{one}").exact["data"][0]["source_ref"].partition("#")[2]
        for one in organisations(service)
    ]
    assert sorted(places) == ["figi", "party:ZA", "party:ZA-CIPC", "ticker:XNAI:SHRD"]
