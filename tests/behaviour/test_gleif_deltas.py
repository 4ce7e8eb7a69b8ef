"""GLEIF's golden copy, then a delta: a delta changes the records that it names, and no others."""

from __future__ import annotations

import io
import zipfile
from datetime import UTC, datetime, timedelta

from sankofa.ingest.portals.fetch import documents
from sankofa.ingest.run import ingest
from support.lei_documents import an_lei, as_csv, stated
from support.portal_server import Portal, at

AGENT = "sankofa/test (data@example.org)"
RENAMED, UNTOUCHED, DELETED = an_lei(11), an_lei(12), an_lei(13)


def packed(*records):
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("golden-copy.csv", as_csv(*records))
    return archive.getvalue()


FULL = packed(
    stated(lei=RENAMED, name="Baobab Foods Ltd"),
    stated(lei=UNTOUCHED, name="Kilima Cement PLC"),
    stated(lei=DELETED, name="Savanna Rail Ltd"),
)
DELTA = packed(
    stated(lei=RENAMED, name="Baobab Group Ltd", updated="2024-06-04T00:30:00Z"),
    stated(lei=DELETED, name="Savanna Rail Ltd", deleted="2024-06-04T00:00:00Z"),
)


def load(service, portal, last_good):
    with service.connect("ingest") as connection:
        return [
            ingest(connection, service.objects, document)
            for document in documents(at(portal, "gleif"), user_agent=AGENT, last_good=last_good)
        ]


def served(service, lei):
    response = service.get(f"/v1/entities/{service.id_of(f'lei:{lei}')}")
    assert response.status_code == 200, response.text
    (row,) = response.exact["data"]
    return row["legal_name"], row["status"], row["lei_status"]


def test_a_record_that_a_delta_does_not_name_stays_as_it_was(service):
    with Portal(lambda asked: DELTA if asked.get("delta") else FULL) as portal:
        (full,) = load(service, portal, None)
        service.publish()
        (delta,) = load(service, portal, datetime.now(UTC) - timedelta(days=1))
        service.publish()
        assert [asked.get("delta") for asked in portal.requests] == [None, "LastWeek"]
    assert (full.outcome, full.facts_appended) == ("accepted", 3)
    assert (delta.outcome, delta.facts_appended, delta.held) == ("accepted", 1, ())
    assert delta.rejected == {"deleted": 1}, "a record that was taken out is counted"
    assert served(service, RENAMED) == ("Baobab Group Ltd", "active", "current")
    assert served(service, UNTOUCHED) == ("Kilima Cement PLC", "active", "current")
    assert served(service, DELETED) == ("Savanna Rail Ltd", "active", "current")
