"""How long first pages take over HTTP on what a service holds, and which tables are read whole for them."""

from __future__ import annotations

import time
from datetime import date, timedelta
from itertools import islice

from audit.client import Client
from law.questions import ASKED, Place, dated, endpoints

QUESTIONS = 200  # of each endpoint
LARGE = 100_000  # rows of a table that no answer may read whole
_FIRST_DAY, _DAYS = date(2015, 1, 1), 4_000
_SAMPLE = """
SELECT fact_id::text, service_id, line_item FROM serving.fundamentals_fact
WHERE row_id = ANY (%s) AND superseded_in = 2147483647
"""
_SCANS = """
SELECT statistic.relid::regclass::text, statistic.seq_scan
FROM pg_stat_user_tables AS statistic
INNER JOIN pg_class AS class ON statistic.relid = class.oid
WHERE statistic.schemaname IN ('serving', 'ledger') AND class.reltuples > %s
"""


def answer_times(service, rng):
    """Print p50 and p99 of endpoints that take a day, and of proofs; no large table may be read whole."""
    place = sampled(service, rng)
    asked = {
        endpoint.name: [
            (question.path, question.params | on_days(endpoint, rng))
            for question in islice(ASKED[endpoint.name].questions(place), 20 * QUESTIONS)
        ]
        for endpoint in endpoints()
    }
    asked["proof"] = [(f"/v1/facts/{fact}/proof", {}) for fact in place.facts]
    with Client(service) as client:
        before = dict(service.rows(_SCANS, LARGE))
        for name, questions in asked.items():
            chosen = rng.sample(questions, min(QUESTIONS, len(questions)))
            if chosen:
                show(name, [milliseconds(client, *question) for question in chosen])
    service.api.stop()  # its sessions end, and with that they report their counts
    read_whole = {table for table, scans in service.rows(_SCANS, LARGE) if scans > before.get(table, 0)}
    assert read_whole == set(), read_whole


def on_days(endpoint, rng):
    """Return a random day for each date that an endpoint takes, in order."""
    days = sorted(_FIRST_DAY + timedelta(days=rng.randrange(_DAYS)) for _ in dated(endpoint))
    return dict(zip(sorted(dated(endpoint)), map(str, days), strict=True))


def milliseconds(client, path, params):
    began = time.perf_counter()
    status, body = client.get(path, params)
    assert status in {200, 404}, (path, params, body[:500])
    return (time.perf_counter() - began) * 1_000


def show(name, spent):
    spent.sort()
    middle, slow = spent[len(spent) // 2], spent[len(spent) * 99 // 100]
    print(f"  {name}: p50 {middle:.1f} ms, p99 {slow:.1f} ms of {len(spent)}")


def sampled(service, rng):
    """Return ids and keys of random rows: lists of all would take minutes."""
    ((newest,),) = service.rows("SELECT max(row_id) FROM serving.fundamentals_fact")
    rows = service.rows(_SAMPLE, [rng.randrange(1, newest + 1) for _ in range(5 * QUESTIONS)])
    facts, issuers, measures = (sorted({row[at] for row in rows}) for at in range(3))
    names = service.rows(
        "SELECT legal_name, left(jurisdiction, 2), sic FROM serving.organisation_version"
        " WHERE service_id = ANY (%s) AND length(legal_name) > 2",
        issuers,
    )
    texts, homes, industries = (sorted({row[at] for row in names if row[at]}) for at in range(3))
    return Place(
        day=_FIRST_DAY + timedelta(days=_DAYS),
        before=_FIRST_DAY,
        issuers=rng.sample(issuers, min(QUESTIONS, len(issuers))),
        suppliers=issuers,
        processes=[],
        portals=[],
        countries=[],
        homes=homes[:4],
        series=[],
        measures=[one for one in measures if ":" not in one][:4],
        facts=facts,
        texts=texts[:QUESTIONS],
        exchanges=[],
        industries=industries[:4],
    )
