"""Shared facts and each dataset's own endpoint say the same, value by value, whatever is asked."""

from __future__ import annotations

import os
from datetime import date, timedelta

import pytest

from demo import companyfacts
from demo.macro_economy import AREAS
from demo.world import World
from support.demo_world import load

FACTS = {"small": 2_000, "full": 10_000}[os.environ.get("AUDIT_SIZE", "full")]
QUESTIONS = 40
PAGE = 500
COUNTRIES = [*AREAS, "USA"]
ALIKE = ("fact_id", "unit", "vintage", "available_at", "available_at_basis", "provenance_id", "source_ref")
ALIKE += ("license_class", "observed_at")
OF_FILINGS = ("period_end", "period_type", "extraction_confidence", "method")


@pytest.fixture(scope="module")
def world(module_service):
    """The demo world in edition 1, and in edition 2 one more filing of each issuer."""
    made, service = World(), module_service
    load(service, made)
    service.publish()
    later = [companyfacts.later_filing(made, issuer, 1) for issuer in range(made.issuers)]
    service.ingest(*((document.content, document.fetched_at) for document in later))
    service.await_edition(service.publish().edition)
    service.issuers = [
        service.id_of(f"cik:{companyfacts.cik(number):010d}") for number in range(made.issuers)
    ]
    return service


def walked(service, path, **asked):
    """Return the rows of all pages."""
    asked = {name: value for name, value in asked.items() if value is not None}
    limit = {} if "fundamentals" in path else {"limit": PAGE}
    body = service.get(path, **limit, **asked).exact
    rows = body["data"]
    while body["next_cursor"]:
        body = service.get(path, **limit, cursor=body["next_cursor"]).exact
        rows += body["data"]
    return rows


def some_day(rng):
    return (date(2018, 1, 1) + timedelta(days=rng.randrange(3_000))).isoformat()


def of_issuer(service, rng, edition):
    """Ask both about an issuer, and return what each tells, in its order."""
    issuer, as_of = rng.choice(service.issuers), rng.choice([None, some_day(rng)])
    facts = walked(service, "/v1/shared/facts", entity_id=issuer, as_of=as_of, edition=edition)
    reported = walked(service, f"/v1/fundamentals/{issuer}", as_of=as_of, edition=edition)
    answering = {(row["service_id"], "AF-FUND") for row in reported}  # an issuer's other id answers for it
    assert {(row["entity_id"], row["dataset"]) for row in facts} == answering
    return (
        [(row["measure"], row["value"], *(row[name] for name in ALIKE + OF_FILINGS)) for row in facts],
        [
            (row["line_item"], row["value_reported"], *(row[name] for name in ALIKE + OF_FILINGS))
            for row in reported
        ],
    )


def of_country(service, rng, edition):
    """Ask both about a country: its series on a day, and without one the years of its indicators too."""
    country, as_of = rng.choice(COUNTRIES), rng.choice([None, some_day(rng)])
    facts = walked(service, "/v1/shared/facts", entity_id=country, as_of=as_of, edition=edition)
    assert {(row["entity_id"], row["dataset"]) for row in facts} <= {(country, "AF-MACRO")}
    assert [row["period_end"] for row in facts] == sorted((row["period_end"] for row in facts), reverse=True)
    # The edition's own day, which is the default, asks macro for all series.
    ((today,),) = service.rows("SELECT max(published_at)::date::text FROM serving.edition")
    series = walked(service, "/v1/macro", country=country, as_of=as_of or today, edition=edition)
    years = [] if as_of else walked(service, "/v1/macro", country=country, edition=edition)
    of_years = [name for name in ALIKE if name != "vintage"]
    yearly = [row for row in facts if row["period_type"] == "FY" and not as_of]
    return (
        [(series_of(row), row["period_end"], row["value"], *(row[name] for name in ALIKE)) for row in facts]
        + [
            (row["measure"], row["period_end"], row["value"], *(row[name] for name in of_years))
            for row in yearly
        ],
        [(row["series"], row["date"], row["value"], *(row[name] for name in ALIKE)) for row in series]
        + [
            (row["indicator"], f"{row['year']}-12-31", row["value"], *(row[name] for name in of_years))
            for row in years
        ],
    )


def series_of(row):
    """Return the series of a country's value: by year it is called by its indicator."""
    return f"WB.{row['measure']}.{row['entity_id']}" if row["period_type"] == "FY" else row["measure"]


@pytest.mark.timeout(3600)
@pytest.mark.parametrize("ask", [of_issuer, of_country])
def test_every_value_is_the_one_of_its_own_endpoint(world, rng, ask):
    compared = asked = 0
    while compared < FACTS or asked < QUESTIONS:
        shared, own = ask(world, rng, rng.choice([None, 1, 2]))
        assert shared == own
        compared, asked = compared + len(shared), asked + 1
    print(f"{compared:,} facts in {asked} questions, 0 differ")
