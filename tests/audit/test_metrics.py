"""Restatements of every kind, side by side as issuers: later filings only take values away from past days.

Every value is compared with an independent replay of the filings, for every issuer, metric and day on which
anything changed, in every edition.
"""

from __future__ import annotations

import io
import itertools
import random
import time
import zipfile
from collections import Counter, defaultdict
from datetime import date
from fractions import Fraction

import pytest

from dev.ports import Ports
from dev.stack import Stack, temporary_home
from lines import SCREEN
from oracle.companyfacts import Entry, companyfacts
from oracle.metric_histories import CONCEPTS, history
from oracle.metrics import FORMULAS, Issuer
from service import Service

EDITIONS = 3
ISSUERS_PER_ZIP = 2_000
OUT_OF_ORDER = 0.1  # issuers whose filings are loaded in any order: for them only the replay decides
_ROWS = """
SELECT
    service_id, metric, period_end, published_at, nullif(next_published_at, 'infinity'), exact_from,
    numerator, denominator
FROM serving.metric_value
WHERE
    published_in <= %(edition)s AND superseded_in > %(edition)s AND value IS NOT NULL
    AND metric = any(%(metrics)s) AND service_id = any(%(ids)s)
"""


@pytest.mark.timeout(4 * 3600)
def test_later_filings_only_take_values_away_from_past_days(size, seed):
    with temporary_home() as home:
        stack = Stack(home, Ports.free(), durable=False, shared_buffers="2GB")
        stack.start()
        try:
            service = Service(stack, "metrics")
            audit(service, seed, size.restatements)
            service.close()
        finally:
            stack.destroy()


def audit(service, seed, issuers):
    loaded = {}  # by issuer: the filings that each edition adds
    for number in range(1, issuers + 1):
        rng = random.Random(f"{seed} {number}")
        loaded[number] = parts(rng, history(rng))
    counted = Counter()
    for edition in range(1, EDITIONS + 1):
        load(service, loaded, edition)
        began = time.monotonic()
        published = service.publish()
        assert published.edition == edition
        print(f"edition {edition}: {told(published)} in {time.monotonic() - began:.0f} s", flush=True)
        ids = dict(identified(service))
        numbers = sorted(loaded.keys() & ids.keys())
        for first in range(0, len(numbers), ISSUERS_PER_ZIP):
            some = numbers[first : first + ISSUERS_PER_ZIP]
            now, before = (held(service, number, [ids[n] for n in some]) for number in (edition, edition - 1))
            for number in some:
                where = (seed, number, edition)
                rows = (now[ids[number]], before[ids[number]])
                counted += compare(loaded[number], edition, *rows, where)
        print(f"edition {edition}: {counted['compared']:,} answers agree so far", flush=True)
    print(
        f"{issuers:,} issuers, {EDITIONS} editions: {counted['compared']:,} answers agree with the replay,"
        f" {counted['values']:,} of them values; a later filing took {counted['gone']:,} away from past days,"
        " and added or replaced none",
        flush=True,
    )
    assert counted["gone"]
    over_http(service, ids, loaded)


def compare(issuer, edition, now, before, where):
    """Compare an issuer's answers with the replay, and those of past days with the edition before."""
    model = issuer.model(edition)
    past = issuer.model(edition - 1).days if issuer.in_order else []
    counted = Counter()
    for metric, day in itertools.product(FORMULAS, model.days):
        found, expected = on_day(now[metric], day), model.served(metric, day)
        assert found == expected, (*where, metric, day, found, expected)
        counted += Counter(compared=1, values=found is not None)
        if past and day <= past[-1]:
            was = on_day(before[metric], day)
            assert found in (was, None), (*where, metric, day, was, found)
            counted["gone"] += found is None and was is not None
    return counted


class Loaded:
    """An issuer's filings by the edition that adds them."""

    def __init__(self, adds, *, in_order):
        self.adds, self.in_order = adds, in_order

    def model(self, edition):
        """Return what an edition holds of it."""
        return Issuer([said for filings in self.adds[:edition] for one in filings for said in one])


def parts(rng, filings):
    """Deal an issuer's filings out to editions, in the order of their days but for some issuers."""
    in_order = rng.random() >= OUT_OF_ORDER
    if not in_order:
        rng.shuffle(filings)
    cuts = sorted(rng.randrange(len(filings) + 1) for _ in range(EDITIONS - 1))
    bounds = [0, *cuts, len(filings)]
    return Loaded([filings[a:b] for a, b in itertools.pairwise(bounds)], in_order=in_order)


def load(service, loaded, edition):
    """Ingest what an edition adds, as the bulk download would bring it: zips of files."""
    new = [
        (number, issuer.adds[edition - 1]) for number, issuer in loaded.items() if issuer.adds[edition - 1]
    ]
    for first in range(0, len(new), ISSUERS_PER_ZIP):
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
            for number, filings in new[first : first + ISSUERS_PER_ZIP]:
                archive.writestr(f"CIK{number:010}.json", document(number, filings))
        (batch,) = service.ingest(packed.getvalue())
        assert (batch.outcome, batch.rejected) == ("accepted", {}), batch


def document(number, filings):
    return companyfacts(
        number,
        f"Restater {number} PLC",
        [
            Entry(
                CONCEPTS[said.line],
                said.start,
                said.end,
                said.unit,
                None if said.value is None else str(said.value),
                f"{number:010}-{said.filed:%y}-{said.filed:%j}000",
                said.filed,
            )
            for filing in filings
            for said in filing
        ],
    )


def identified(service):
    return [
        (int(identifier.removeprefix("cik:")), service_id)
        for identifier, service_id in service.rows(
            "SELECT identifier, service_id FROM ledger.subject JOIN ops.issued_id USING (subject_id)"
        )
    ]


def held(service, edition, ids):
    """Return the rows of an edition that have a value, by issuer and metric."""
    rows = defaultdict(lambda: defaultdict(list))
    with service.connect() as admin:
        asked = {"edition": edition, "metrics": list(FORMULAS), "ids": ids}
        for service_id, metric, *row in admin.execute(_ROWS, asked):
            rows[service_id][metric].append(row)
    return rows


def on_day(rows, day):
    """Return what the contract's rule shows of rows on a day: published, not followed, and exact by then."""
    shown = [
        (end, above, below)
        for end, published, following, exact, above, below in rows
        if published <= day and (following is None or day < following) and exact <= day
    ]
    assert len(shown) <= 1, shown
    return (shown[0][0], fraction(*shown[0][1:])) if shown else None


def fraction(above, below):
    return Fraction(int(above), int(below))


def told(published):
    changes = published.changes["metrics"]
    return f"{sum(changes.put.values()):,} rows put, {sum(changes.removed.values()):,} removed"


def over_http(service, ids, loaded):
    """On a few days the screens over HTTP show exactly what the replay shows of all issuers."""
    numbers = {service_id: number for number, service_id in ids.items()}
    models = {number: issuer.model(EDITIONS) for number, issuer in loaded.items() if number in ids}
    for day in (date(2014, 3, 31), date(2016, 6, 30), date(2019, 1, 1)):
        for metric in FORMULAS:
            found, cursor = {}, {}
            while True:
                asked = {"metric": metric, "as_of": day.isoformat(), "limit": 5_000, **cursor}
                body = service.get(SCREEN, **asked).exact
                for row in body["data"]:
                    found[numbers[row["service_id"]]] = (row["rank"], row["period_end"])
                if not body["next_cursor"]:
                    break
                cursor = {"cursor": body["next_cursor"]}
            expected = {number: model.served(metric, day) for number, model in models.items()}
            ranked = sorted(
                (number for number, value in expected.items() if value),
                key=lambda number: (-expected[number][1], ids[number]),
            )
            assert list(found) == ranked, (metric, day)
            assert [rank for rank, _ in found.values()] == list(range(1, len(ranked) + 1))
            assert all(found[number][1] == expected[number][0].isoformat() for number in ranked)
    print("screens over HTTP rank as the replay does on three days, whatever the metric")
