"""The change feed over a life of editions, and what two days know differently, against what is served."""

from __future__ import annotations

import json
import random
import time
from collections import Counter
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

import pytest

from audit.client import Client
from audit.tender_documents import release
from audit.test_oracle import SOURCE, Ids, load
from oracle.histories import world
from oracle.series_histories import bank_history
from sankofa.core.errors import Refused
from support.filings import Filer
from support.following import FIELDS, apply, changes, differing, follow, held, pages
from support.service import Service
from support.stated_tenders import SOURCE as PORTAL
from support.stated_tenders import package

RELEASES = 300
PAGE = 10_000
_LIVE = (
    "SELECT DISTINCT service_id FROM serving.fundamentals_fact WHERE superseded_in = 2147483647 ORDER BY 1"
)
_FACTS = """
SELECT service_id, fact_id FROM serving.fundamentals_fact
WHERE superseded_in = 2147483647 AND value IS NOT NULL ORDER BY row_id
"""
_BARE = """
SELECT published_in, reason, fundamentals_fact.row_id, fact_id, service_id, line_item, value, unit, scope,
    period_start::text, period_end, period_type, fiscal_year, is_own_period, vintage, available_at,
    withdrawn_at, concept, provenance.*
FROM serving.fundamentals_fact JOIN serving.provenance AS provenance USING (provenance_id)
"""
_TURNS = """
SELECT DISTINCT service_id, available_at, withdrawn_at FROM serving.fundamentals_fact ORDER BY 1, 2, 3
"""


class Life:
    """A service that goes through editions, with followers that were there."""

    def __init__(self, service, seed, editions):
        self.service, self.rng, self.seen = service, random.Random(seed), Counter()
        issuers, today = 5 + 3 * editions, datetime.now(UTC).date()
        self.invention = world(seed, issuers, editions, day=today, sources=(SOURCE,))
        self.banks = [one for number in range(editions) for one in bank_history(self.rng, f"AU.DIT.{number}")]
        self.rng.shuffle(self.banks)
        self.line_items = service.line_items
        self.live = {}  # what somebody holds who follows each edition as it comes
        self.kept = {0: {}}  # by edition: what somebody held who stopped there

    def run(self):
        for number, edition in enumerate(self.invention.editions, start=1):
            if number > 2:
                self.disturb(number)
            self.service.ingest(Filer(number).says(number, filed="2024-02-01").document())
            self.service.ingest(*(self.banks.pop()[0] for _ in range(3)), source_name="demo-world-bank")
            told = self.rng.sample(range(RELEASES), 12)
            self.service.ingest(
                package(*(release(one, RELEASES, revised=number) for one in told)), source_name=PORTAL
            )
            published = load(self.service, edition, Ids(self.service)).edition
            self.service.await_edition(published)
            for page in pages(self.service, published - 1, limit=self.rng.choice([7, 100, PAGE])):
                for change in page:
                    apply(change, self.live)
                    self.seen[change["change"], change["reason"]] += 1
            assert self.live == held(self.service, published), f"edition {published}"
            self.kept[published] = dict(self.live)
        return self

    def disturb(self, number):
        """Merge, take down, and change the map, in turn, while the edition before is current."""
        ids = [row[0] for row in self.service.rows(_LIVE)]
        with suppress(Refused):
            self.service.merge(*self.rng.sample(ids, 2))
        if number % 3 == 0:
            self.service.take_down(*self.rng.choice(self.service.rows(_FACTS)))
        if number % 4 == 0:
            with suppress(Refused):
                self.service.take_down(self.rng.choice(ids))
        if number % 5 == 0:
            self.service.line_items = tuple(self.rng.sample(self.line_items, len(self.line_items) * 9 // 10))


@pytest.fixture(scope="module")
def life(stack, seed, size):
    service = Service(stack, "audit_changes")
    yield Life(service, seed, size.followed).run()
    service.close()


@pytest.mark.timeout(3600)
def test_whoever_follows_from_any_edition_ends_with_exactly_what_is_served(life, rng):
    service, newest = life.service, max(life.kept)
    expected = held(service, newest)
    assert life.live == expected
    starts = sorted({0, newest, *rng.sample(sorted(life.kept), min(len(life.kept), 12))})
    taken = {}
    for since in starts:
        rows = dict(life.kept[since])
        taken[since] = follow(service, rows, since, limit=rng.choice([97, 1_000, PAGE]))
        assert rows == expected, f"from edition {since}"
    removed = service.rows("SELECT count(*) FROM ops.tombstone WHERE dataset = 'fundamentals_fact'")[0][0]
    print(f"{newest} editions, {len(expected):,} rows, {removed} rows taken down; changes from each: {taken}")
    print(f"seen: {dict(life.seen)}")
    assert removed > 0
    named = [(dataset, row["fact_id"], row["labelled_from"]) for (dataset, _), row in expected.items()]
    assert len(set(named)) == len(named), "within an edition, a fact has one row for each label"
    reasons = {reason for _, reason in life.seen}
    assert reasons == {"added", "restated", "renumbered", "corrected", "merged", "withdrawn"}


@pytest.mark.timeout(3600)
def test_filters_lose_nothing_and_add_nothing(life, rng):
    service, everything = life.service, changes(life.service, limit=PAGE)
    for name in ("dataset", "reason"):
        parts = [
            changes(service, limit=997, **{name: value})
            for value in sorted({row[name] for row in everything})
        ]
        assert sum(map(len, parts)) == len(everything)
        for part in parts:
            assert part == [row for row in everything if row[name] == part[0][name]]
    issuers = sorted({row["service_id"] for row in everything if row["service_id"]})
    for issuer in rng.sample(issuers, min(len(issuers), 30)):
        own = [row for row in changes(service, service_id=issuer, limit=97) if row["service_id"]]
        assert own == [row for row in everything if row["service_id"] == issuer]
    gone = [row[0] for row in service.rows("SELECT DISTINCT service_id FROM ops.tombstone ORDER BY 1")]
    for issuer in gone:
        for since, rows in life.kept.items():
            own = {place: row for place, row in rows.items() if row["service_id"] == issuer}
            follow(service, own, since, service_id=issuer, limit=PAGE)
            assert own == {
                place: {name: row[name] for name in FIELDS}
                for place, row in life.live.items()
                if row["service_id"] == issuer
            }


@pytest.mark.timeout(3600)
def test_a_diff_is_the_difference_of_two_answers(life, rng, size):
    service, newest = life.service, max(life.kept)
    ids = [row[0] for row in service.rows("SELECT DISTINCT service_id FROM serving.issued_id ORDER BY 1")]
    turns = {}
    for issuer, *days in service.rows(_TURNS):
        turns.setdefault(issuer, []).extend(filter(None, days))
    wrong, told, known, began = [], Counter(), 0, time.monotonic()
    with Client(service) as client:

        def get(path, **asked):
            status, body = client.get(path, asked)
            return status, json.loads(body, parse_float=Decimal)

        for _ in range(size.diffs):
            issuer, edition = rng.choice(ids), rng.randint(1, newest)
            start, end = sorted(some_day(rng, turns.get(issuer)) for _ in range(2))
            path, found = f"/v1/fundamentals/{issuer}", {}
            for day in (start, end):
                status, found[day] = get(path, as_of=day, edition=edition)
            asked = {"from_as_of": start, "to_as_of": end, "edition": edition}
            answered, body = get(f"/v1/diff/{issuer}", **asked)
            assert answered == status
            if status == 404:
                continue
            known += 1
            expected = differing(
                None, issuer, start, end, ask=lambda _, as_of, found=found: found[as_of]["data"]
            )
            told.update(row["change"] for row in expected)
            if body["data"] != expected:
                wrong.append((issuer, asked))
    print(
        f"{size.diffs:,} pairs of days, {known:,} of issuers known then, {dict(told)};"
        f" {len(wrong)} differ, {time.monotonic() - began:.0f} s"
    )
    assert wrong == []
    assert set(told) == {"added", "restated", "withdrawn"}


def some_day(rng, turns):
    day = rng.choice(turns) if turns else date(2015, 1, 1)
    day += timedelta(days=rng.choice([-1, 0, 0, 1, rng.randint(-400, 400)]))
    return str(min(day, datetime.now(UTC).date()))


@pytest.mark.timeout(3600)
def test_what_following_costs(life):
    """The whole feed of filings over HTTP, and the same rows by one bare SELECT."""
    service, rows = life.service, 0
    with Client(service) as client:
        began = time.perf_counter()
        address = f"/v1/changes?dataset=AF-FUND&limit={PAGE}"
        while address:
            response, body = client.ask(address)
            assert response.status == 200
            answer = json.loads(body)
            rows += answer["count"]
            cursor = answer["next_cursor"]
            address = cursor and f"/v1/changes?cursor={cursor}&limit={PAGE}"
        feed = time.perf_counter() - began
    with service.connect("read") as connection:
        began = time.perf_counter()
        bare_rows = len(connection.execute(_BARE).fetchall())
        bare = time.perf_counter() - began
    ratio = (feed / rows) / (bare / bare_rows)
    print(f"{rows:,} changes at {rows / feed:,.0f} a second: {ratio:.1f} times a bare SELECT of the rows")
