"""Nobody leaves: the persons and contacts of the real files are in nothing that the service can produce."""

from __future__ import annotations

import tomllib
from decimal import Decimal
from pathlib import Path

import pytest

from real.test_real_tenders import OCDS, portal
from sankofa.ingest.sources import sources
from sankofa.signals.panels import PANELS
from support.egress import Named, Search
from support.exports import listed, opened, table

pytestmark = pytest.mark.skipif(not OCDS.is_dir(), reason=f"no real OCDS files in {OCDS}")
# Hits that somebody looked at: words that also mean something else, each with its reason.
COLLISIONS = tomllib.loads((Path(__file__).parent / "egress_collisions.toml").read_text())
FORMS = ("application/json", "text/csv", "application/x-ndjson")
_READABLE = """
SELECT format('%%I.%%I', table_schema, table_name), string_agg(quote_ident(column_name), ', ')
FROM information_schema.column_privileges
WHERE grantee = 'sankofa_api' AND privilege_type = 'SELECT' AND table_schema = 'serving'
GROUP BY 1
"""


@pytest.fixture(scope="module")
def published(module_service):
    """Every real file in one edition, also of portals that are closed: nobody may leave with their data."""
    service = module_service
    service.closed_sources = ()
    named = Named()
    for path in sorted(path for path in OCDS.rglob("*") if path.is_file() and path.suffix != ".md"):
        (batch,) = service.ingest(path.read_bytes(), source_name=portal(path))
        if batch.outcome != "refused":
            named.read(path.read_bytes())
    service.publish()
    service.export()
    service.await_edition(service.publish().edition)
    established = [name for (name,) in service.rows("SELECT legal_name FROM serving.organisation") if name]
    search = Search(named.forbidden(established), named.numbers(established), named.emails)
    print(f"{len(named.names)} contacts, {len(named.parties)} parties, {len(established)} established")
    return service, search


def walked(service, path, accept, **params):
    """Yield the bodies of all pages."""
    while True:
        response = service.get(path, headers={"Accept": accept}, limit="1000", **params)
        assert response.status_code == 200, response.text
        yield response.text
        following = response.links.get("next") if accept != FORMS[0] else response.json()["next_cursor"]
        if not following:
            return
        cursor = (
            following if accept == FORMS[0] else following["url"].partition("cursor=")[2].partition("&")[0]
        )
        params = {**params, "cursor": cursor}


def bodies(service):
    """Yield everything that the service says about tenders and whom they name."""
    countries = sorted({known.country for known in sources().values() if known.country})
    for accept in FORMS:
        for country in countries:
            yield from walked(service, "/v1/tenders", accept, country=country)
        yield from walked(service, "/v1/tender-parties", accept)
        for key in PANELS:
            for country in countries:
                yield from walked(service, f"/v1/signals/{key}", accept, country=country)
        yield from walked(service, "/v1/catalog/categories", accept)
    for (service_id,) in service.rows("SELECT DISTINCT service_id FROM serving.organisation"):
        for path in (f"/v1/entities/{service_id}", f"/v1/crosswalk/{service_id}"):
            yield service.get(path).text
        yield from walked(service, "/v1/shared/facts", FORMS[0], entity_id=service_id, dataset="AF-TENDER")


@pytest.fixture(scope="module")
def said(published):
    service, _ = published
    return list(bodies(service))


def unexplained(search, texts):
    """Return what stands in the texts and is on no list, with what stands around it."""
    return sorted({hit for text in texts for hit in search.hits(text)} - COLLISIONS.keys())


def test_no_body_holds_a_withheld_party_or_a_contact(published, said):
    _, search = published
    print(f"{len(said)} bodies, {sum(map(len, said)):,} characters")
    assert unexplained(search, said) == []


def test_no_exported_file_holds_one(published):
    service, search = published
    files = listed(service)
    tables = [table(service, artifact) for artifact in files if artifact["name"].endswith(".parquet")]
    others = [
        opened(service, artifact).decode() for artifact in files if not artifact["name"].endswith(".parquet")
    ]
    assert sum(held.num_rows for held in tables) > 0
    for held in tables:
        assert unexplained(search, map(written, held.to_pylist())) == []
    assert others, "the files that describe the tables"
    assert unexplained(search, others) == []


def written(row):
    """Return a row of a file as text; zeros that only fill a decimal's places are no number of anybody."""
    plain = (f"{value.normalize():f}" if isinstance(value, Decimal) else str(value) for value in row.values())
    return " | ".join(plain)


def test_nothing_that_the_api_may_read_holds_one(published):
    service, search = published
    with service.connect("read") as reader:
        for table, columns in service.rows(_READABLE):
            rows = reader.execute(f"SELECT ({columns})::text FROM {table}")
            assert unexplained(search, (str(row[0]) for row in rows)) == [], table


def test_the_search_finds_what_is_planted(published):
    _, search = published
    planted = [" ".join(name).title() for names in search.names.values() for name in names]
    assert unexplained(search, [f"… {name} …" for name in planted])
    assert search.hits("call +27 (12) 345-6789") == set()


def test_every_collision_still_happens(published, said):
    _, search = published
    assert COLLISIONS.keys() <= {hit for body in said for hit in search.hits(body)}
