"""How names of a day are found: by the organisation, never by reading all names there are."""

from __future__ import annotations

from collections import defaultdict
from datetime import date

import pytest

from sankofa.storage.queries import named
from support.stated_organisations import SOURCE, document, record

pytestmark = pytest.mark.heavy  # a world large enough for its plans

ORGANISATIONS = 5_000
DAYS = (date(2020, 1, 6), date(2022, 1, 5), date(2024, 1, 4))
NAMED = ("organisation", "organisation_name")


@pytest.fixture(scope="module")
def crowded(module_service):
    """A service with thousands of organisations that were renamed twice."""
    service = module_service
    records = [
        record(
            f"cik:{number:010}", f"Firm {number} of {day.year} PLC", day=day, marks=("files_accounts:US-SEC",)
        )
        for number in range(1, ORGANISATIONS + 1)
        for day in DAYS
    ]
    service.ingest(document(*records), source_name=SOURCE)
    service.publish()
    with service.connect("admin") as admin:
        admin.execute("ANALYZE")
    service.some = service.id_of("cik:0000000001")
    return service


def scans(plan):
    """Yield every node of a plan that reads a table."""
    if "Relation Name" in plan:
        yield plan["Node Type"], plan["Relation Name"]
    for child in plan.get("Plans", ()):
        yield from scans(child)


@pytest.mark.parametrize(
    ("package", "query"),
    [
        ("sankofa.facts", "reported_by_issuer"),
        ("sankofa.facts", "awards_of_issuer"),
        ("sankofa.facts", "tender_values_of_country"),
        ("sankofa.tenders", "releases"),
        ("sankofa.metrics", "served_rows"),
        ("sankofa.entities", "organisation"),
    ],
)
def test_the_name_of_a_day_is_looked_up_by_organisation(crowded, package, query):
    told = {
        "edition": 1,
        "day": date(2023, 1, 1),
        "rows": 100,
        "row_ids": [1, 2, 3],
        "until": date(2023, 1, 1),
    }
    told |= {"subject": crowded.some, "service_id": crowded.some, "country": "ZA", "since": date(2020, 1, 1)}
    with crowded.connect("read") as connection:
        file = "releases.sql" if query == "releases" else "queries.sql"
        statement = f"EXPLAIN (FORMAT JSON) {named(package, file)[query]}"
        ((answer,),) = connection.execute(statement, defaultdict(lambda: None, told)).fetchall()
    read = [node for node, table in scans(answer[0]["Plan"]) if table in NAMED]
    assert read
    assert "Seq Scan" not in read


def test_an_organisation_has_one_name_on_each_day(crowded):
    days = [date(2019, 1, 1), *DAYS, date(2025, 1, 1)]
    names = crowded.rows(
        "SELECT day::text, count(*), count(DISTINCT service_id),"
        " min(legal_name) ~ extract(YEAR FROM day)::text"
        " FROM unnest(%s::date[]) AS day"
        " JOIN serving.organisation_version ON known_from <= day AND known_until > day"
        " GROUP BY day ORDER BY day",
        days,
    )
    assert names == [
        *((day.isoformat(), ORGANISATIONS, ORGANISATIONS, True) for day in DAYS),
        ("2025-01-01", ORGANISATIONS, ORGANISATIONS, False),
    ]
