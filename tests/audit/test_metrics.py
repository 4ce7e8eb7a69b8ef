"""Restatements of every kind, side by side as issuers, in both bases.

basis=exact: later filings only take values away from past days. basis=as_known: they change none of them,
except that `revised_later` becomes true. Every answer is compared with an independent replay of the filings,
for every issuer, metric, and day on which anything changed or the day before it, in every edition.
"""

from __future__ import annotations

import io
import itertools
import random
import time
import zipfile
from collections import Counter, defaultdict
from datetime import date, timedelta
from fractions import Fraction

import pytest

from dev.ports import Ports
from dev.stack import Stack, temporary_home
from oracle.companyfacts import Entry, companyfacts
from oracle.metric_histories import CONCEPTS, history
from oracle.metrics import FORMULAS, Issuer
from support.lines import SCREEN
from support.service import Service

EDITIONS = 3
BASES = ("exact", "as_known")
EVERY_YEAR = 50
HISTORIES = 200  # issuers whose years are asked for over HTTP
ISSUERS_PER_ZIP = 2_000
OUT_OF_ORDER = 0.1  # issuers whose filings are loaded in any order: for them only the replay decides
_ROWS = """
SELECT
    service_id, metric::text, period_end, known_from, nullif(known_until, 'infinity'),
    nullif(last_until, 'infinity'), exact_from IS NULL, numerator, denominator
FROM serving.metric_value
WHERE
    published_in <= %(edition)s AND superseded_in > %(edition)s
    AND metric = any(%(metrics)s::serving.metric[]) AND service_id = any(%(ids)s)
"""


@pytest.mark.timeout(4 * 3600)
def test_later_filings_take_exact_values_away_from_past_days_and_change_none_as_known(size, seed):
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
        f" in each basis; values: {counted['exact']:,} exact, {counted['as_known']:,} as known, and"
        f" {counted['years']:,} with all years. Later filings"
        f" took {counted['gone']:,} exact values away from past days and added or replaced none; as known,"
        f" they marked {counted['marked']:,} as revised later and changed none of {counted['past']:,}",
        flush=True,
    )
    assert counted["gone"]
    assert counted["marked"]
    over_http(service, ids, loaded)
    histories_over_http(service, ids, loaded, seed)


def compare(issuer, edition, now, before, where):
    """Compare an issuer's answers with the replay, and those of past days with the edition before."""
    model = issuer.model(edition)
    past = issuer.model(edition - 1).days if issuer.in_order else []
    counted = Counter()
    days = sorted({day - offset for day in model.days for offset in (timedelta(0), timedelta(days=1))})
    for metric, day in itertools.product(FORMULAS, days):
        known = on_day(now[metric], day)
        exact = exact_part(known)
        expected = model.as_known(metric, day)
        assert known == expected, (*where, metric, day, known, expected)
        assert exact == model.exact(metric, day), (*where, metric, day, exact)
        history = years_on(now[metric], day)
        expected = model.history(metric, day, EVERY_YEAR)
        assert history == expected, (*where, metric, day, history, expected)
        counted += Counter(compared=1, as_known=known is not None, exact=exact is not None)
        counted["years"] += len(history)
        if past and day <= past[-1]:
            was = on_day(before[metric], day)
            assert exact in (exact_part(was), None), (*where, metric, day, was, exact)
            assert unmarked(known) == unmarked(was), (*where, metric, day, was, known)
            assert not (was and was[2]) or known[2], (*where, metric, day, was, known)
            counted += Counter(past=1, gone=exact is None and exact_part(was) is not None)
            counted["marked"] += known is not None and known[2] and not was[2]
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
    """Return the one row that is shown as known on a day: year, value, and whether it was revised later."""
    shown = [
        (end, fraction(above, below), revised)
        for end, since, _, last_until, revised, above, below in rows
        if since <= day and (last_until is None or day < last_until)
    ]
    assert len(shown) <= 1, shown
    return shown[0] if shown else None


def years_on(rows, day):
    """Return the same of all years, the newest first."""
    shown = [
        (end, fraction(above, below), revised)
        for end, since, until, _, revised, above, below in rows
        if since <= day and (until is None or day < until)
    ]
    return sorted(shown, reverse=True)


def exact_part(known):
    """Return what basis=exact shows of an answer as known: all but what was revised later."""
    return known[:2] if known and not known[2] else None


def unmarked(known):
    """Return an answer as known without the mark, the one field that a later filing may change."""
    return known and known[:2]


def fraction(above, below):
    return Fraction(int(above), int(below))


def told(published):
    changes = published.changes["metrics"]
    return f"{sum(changes.put.values()):,} rows put, {sum(changes.removed.values()):,} removed"


def over_http(service, ids, loaded):
    """On a few days the screens over HTTP show what the replay shows of all issuers, in each basis."""
    numbers = {service_id: number for number, service_id in ids.items()}
    models = {number: issuer.model(EDITIONS) for number, issuer in loaded.items() if number in ids}
    rows = 0
    for day, basis in itertools.product((date(2014, 3, 31), date(2016, 6, 30), date(2019, 1, 1)), BASES):
        for metric in FORMULAS:
            found = walked(service, metric=metric, as_of=day.isoformat(), basis=basis)
            expected = {number: answered(model, basis, metric, day) for number, model in models.items()}
            ranked = sorted(
                (number for number, value in expected.items() if value),
                key=lambda number: (-expected[number][1], ids[number]),
            )
            assert [numbers[row["service_id"]] for row in found] == ranked, (metric, day, basis)
            assert [row["rank"] for row in found] == list(range(1, len(ranked) + 1))
            for row, number in zip(found, ranked, strict=True):
                end, _, revised = expected[number]
                assert (row["period_end"], row["revised_later"]) == (end.isoformat(), revised), row
                assert row["period_age_days"] == (day - end).days, row
            rows += len(found)
    print(
        f"screens over HTTP rank as the replay does on three days, by any metric in each basis: {rows:,} rows"
    )


def histories_over_http(service, ids, loaded, seed):
    """The years of some issuers over HTTP are those of the replay, page after page, in each basis."""
    rng = random.Random(seed)
    rows = 0
    for number in rng.sample(sorted(loaded.keys() & ids.keys()), min(HISTORIES, len(ids))):
        model = loaded[number].model(EDITIONS)
        if not model.days:
            continue
        day, years = rng.choice(model.days), rng.randint(1, 6)
        for basis in BASES:
            asked = {"as_of": day.isoformat(), "basis": basis, "years": years}
            found = [
                (row["metric"], row["period_end"], row["revised_later"])
                for row in walked(
                    service, f"/v1/metrics/{ids[number]}", **asked, limit=rng.choice((3, 1_000))
                )
                if row["metric"] in FORMULAS
            ]
            assert found == [
                (metric, end.isoformat(), revised)
                for metric in sorted(FORMULAS)
                for end, _, revised in model.history(metric, day, years)
                if basis == "as_known" or not revised
            ], (number, day, years, basis)
            rows += len(found)
    print(f"years of issuers over HTTP are those of the replay: {rows:,} rows")


def walked(service, path=SCREEN, limit=1_000, **asked):
    """Return all rows of an answer, page after page."""
    found, cursor = [], {}
    while True:
        response = service.get(path, **asked, limit=limit, **cursor)
        assert response.status_code == 200, response.text
        body = response.exact
        found += body["data"]
        if not body["next_cursor"]:
            return found
        cursor = {"cursor": body["next_cursor"]}


def answered(model, basis, metric, day):
    if basis == "as_known":
        return model.as_known(metric, day)
    exact = model.exact(metric, day)
    return exact and (*exact, False)
