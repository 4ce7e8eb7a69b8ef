"""ENT-11: what the register of LEIs ends, deletes or leaves out stays as it was on earlier days."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest

from support.lei_documents import an_lei, as_csv
from support.organisations import company

pytestmark = pytest.mark.proves("ENT-11")
NAMES = {
    1: "Baobab Foods Ltd",  # stays
    2: "Kilima Cement PLC",  # deleted by a delta
    3: "Savanna Rail Ltd",  # annulled
    4: "Zebra Mining Ltd",  # a duplicate of the first
    5: "Lagoon Bank PLC",  # not in the next full copy
}
ENDED = date(2024, 6, 4)
AT = "2024-06-04T00:30:00Z"
FIRST, SECOND = datetime(2024, 5, 5, 12, tzinfo=UTC), datetime(2024, 6, 5, 12, tzinfo=UTC)


def found(service, number, day):
    """Return how each text finds a company as of a day: by its name, and by its LEI."""
    answers = []
    for text in (NAMES[number], an_lei(number)):
        response = service.get("/v1/search", q=text, as_of=str(day))
        assert response.status_code == 200, response.text
        rows = response.exact["data"]
        answers.append([(row["service_id"], row["legal_name"], row["matched"]) for row in rows])
    return answers


def test_the_past_stays_and_only_what_the_register_ended_has_ended(service):
    service.ingest(
        (as_csv(*(company(number, name) for number, name in NAMES.items())), FIRST), source_name="demo-gleif"
    )
    service.publish()
    before = {number: found(service, number, ENDED - timedelta(days=1)) for number in NAMES}
    assert all(len(rows) == 1 for answers in before.values() for rows in answers)
    delta = as_csv(
        company(2, NAMES[2], deleted=AT),
        company(3, NAMES[3], registration="ANNULLED", updated=AT),
        company(4, NAMES[4], registration="DUPLICATE", updated=AT, successors=[an_lei(1)]),
    )
    full = as_csv(
        company(1, NAMES[1]),
        company(3, NAMES[3], registration="ANNULLED", updated=AT),
        company(4, NAMES[4], registration="DUPLICATE", updated=AT, successors=[an_lei(1)]),
    )
    changed, whole = service.ingest((delta, SECOND), (full, SECOND), source_name="demo-gleif")
    assert changed.rejected == {"deleted": 1}
    assert (whole.outcome, whole.facts_appended) == ("accepted", 0)
    service.await_edition(service.publish().edition)
    for number in (1, 2, 3, 5):
        assert found(service, number, ENDED - timedelta(days=1)) == before[number]
    _, by_lei = found(service, 4, ENDED - timedelta(days=1))
    survivor = before[1][1][0][0]
    assert [(row[0], row[2]) for row in by_lei] == [(survivor, "identifier")], "who is who is the edition's"
    how = {number: [row[2] for row in found(service, number, ENDED)[1]] for number in NAMES}
    assert how == {
        1: ["identifier"],
        2: ["identifier"],  # the register took the record out and states no end of the LEI
        3: ["former_identifier"],
        4: ["former_identifier"],
        5: ["identifier"],
    }
