"""Counts of a shelf follow from those before, and are those that counting all issuers gives."""

from __future__ import annotations

import random
from datetime import date

from support.changing_world import FILERS, ChangingWorld
from support.filings import FY2023, Filer
from support.lines import reports

PUBLISHES = 14
_STORED = """
SELECT shelf, concat_ws('/', kind, key), country, issuers, first_date, last_date, license_classes
FROM serving.coverage WHERE superseded_in = 2147483647
ORDER BY 1, 2, 3
"""
_COUNTED = """
SELECT
    left(issuer.service_id, 3), one.key, issuer.country, count(*)::integer, min(one.first_date),
    max(one.last_date), array_agg(DISTINCT one.license_classes)
FROM serving.issuer_coverage AS issuer
CROSS JOIN LATERAL unnest(issuer.keys, issuer.first_dates, issuer.last_dates, issuer.license_classes)
    AS one (key, first_date, last_date, license_classes)
WHERE issuer.superseded_in = 2147483647
GROUP BY 1, 2, 3
ORDER BY 1, 2, 3
"""
_SERVED = "SELECT FROM serving.organisation WHERE superseded_in = 2147483647 AND service_id = %s"

_UNCOUNTED = """
INSERT INTO serving.issuer_coverage (
    published_in, first_known_at, reason, service_id, country, keys, first_dates, last_dates, license_classes
)
SELECT
    1, '2024-03-01', 'added', %s || 'NEVERCOUNTED', '', '{line-items/revenue}',
    '{2024-12-31}', '{2024-12-31}', '{synthetic}'
"""
FY2024 = ("2024-01-01", "2024-12-31")


def test_after_any_publish_the_counts_are_those_of_all_issuers(service):
    seed = random.SystemRandom().randrange(10**6)
    chance = random.Random(seed)
    world, done = ChangingWorld(service, chance), []
    world.begin()
    for publish in range(PUBLISHES):
        done.append(world.change())
        if publish % 5 == 4:
            ids = {number: service.id_of(f"cik:{number:010}") for number in FILERS}
            number = chance.choice([one for one in FILERS if service.rows(_SERVED, ids[one])])
            service.take_down(ids[number])
            done.append(f"filer {number} is taken down")
        service.publish()
        assert service.rows(_STORED) == service.rows(_COUNTED), f"seed {seed}: {done}"


def test_a_new_filing_reads_no_other_issuer_of_its_shelf(service):
    """An issuer that was never counted stays so, until a takedown makes all of the shelf be counted."""
    filer = reports(Filer(1), FY2023, "2024-03-01", revenue=10)
    service.ingest(filer.document())
    service.publish()
    service_id = service.id_of(filer.identifier)
    with service.connect() as admin:
        admin.execute("ALTER TABLE serving.issuer_coverage DISABLE TRIGGER USER")
        admin.execute(_UNCOUNTED, [service_id[:3]])
    service.ingest(reports(filer, FY2024, "2025-03-01", revenue=11, net_income=1).document())
    service.publish()
    keys = ("line-items/revenue", "line-items/net_income", "metrics/net_margin", "period-types/FY")
    assert counts(service) == dict.fromkeys(keys, 1)
    service.take_down(service_id)
    service.publish()
    assert counts(service) == {"line-items/revenue": 1}


def counts(service):
    rows = service.rows(_STORED)
    assert {last for *_, last, _ in rows} <= {date(2024, 12, 31)}
    return {key: issuers for _, key, _, issuers, *_ in rows if "growth" not in key}
