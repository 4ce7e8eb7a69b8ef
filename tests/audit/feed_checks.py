"""What must hold after a simulation of feeds: of documents, editions, runs and requests."""

from __future__ import annotations

import re
from collections import defaultdict
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from statistics import quantiles

from audit.feeding import PAUSE_SECONDS
from sankofa.ingest.sources import sources

LATE_SECONDS = 0.5  # by which a request may come after its turn on a busy machine, or be on its way already
# Faults that hold a run, each with its effects as an operator is told of them.
HOLDING = {
    "html": "unreadable documents",
    "schema": "unreadable documents|rows not taken",
    "half": "in the good run before",
    "truncated_unsized": "unreadable documents|rows not taken|in the good run before",
}
FAILING = {
    "not_modified": "status 304",
    "redirect_private": "a redirect to another server",
    "redirect_elsewhere": "a redirect to another server",
    "unavailable": "status 503",
    "truncated": "IncompleteRead",
    "length_too_large": "IncompleteRead|it has become shorter",  # there is no rest to ask for
    "reset": "reset",
    "duplicate": "repeats the page before|leads back",
    "busy_seconds": "status 429",
    "busy_date": "status 429",
    "html": "no next page",
    "truncated_unsized": "no next page",
}
_DOCUMENTS = """
SELECT document.source, encode(document.sha256, 'hex'), document.fetched_at, batch.batch_id, batch.outcome,
    waiting.batch_id IS NOT NULL, held.edition, edition.published_at
FROM ops.document AS document
LEFT JOIN ops.batch AS batch ON document.document_id = batch.document_id
LEFT JOIN ops.run_waiting AS waiting ON batch.batch_id = waiting.batch_id
LEFT JOIN ops.edition_holds AS held ON held.kind = 'batch' AND held.number = batch.batch_id
LEFT JOIN serving.edition AS edition ON held.edition = edition.edition
"""
_RUNS = """
SELECT run.source, run.run, run.began_at, ended.ended_at, ended.outcome, ended.reasons
FROM ops.run AS run LEFT JOIN ops.run_end AS ended ON run.run = ended.run ORDER BY run.source, run.run
"""
_PARTS = """
SELECT part.run, part.batch_id FROM ops.run_batch AS part
INNER JOIN ops.batch AS batch ON part.batch_id = batch.batch_id AND batch.outcome = 'accepted'
"""


class Outcome:
    """The ledger, the runs and the publisher's log at the end of a simulation."""

    def __init__(self, feeding):
        self.feeding, self.service = feeding, feeding.service
        self.offered = feeding.publisher.offered()
        self.log = feeding.publisher.log()
        self.documents = self.service.rows(_DOCUMENTS)
        self.runs = self.service.rows(_RUNS)
        self.spoiled = [
            (entry["source"], datetime.fromtimestamp(entry["wall"], UTC), entry["fault"])
            for entry in self.log
            if entry["fault"]
        ]

    def require_every_document_once(self):
        """Each offered document is in the ledger once, fetched on its day; no other is in an edition."""
        days = [*self.feeding.advanced, datetime.max.replace(tzinfo=UTC)]
        world, found = self.feeding.publisher.world, defaultdict(list)
        for source, sha256, fetched_at, _, outcome, *_ in self.documents:
            found[source, sha256].append((outcome, fetched_at))
        new_on = {
            (name, one.sha256): one.day
            for name in world.sources
            for one in world.offered(name, len(days) - 2)
        }
        wrong = []
        for row in self.offered:
            key = row["source"], row["sha256"]
            kept = found.pop(key, [])
            first, last = (
                days[new_on[key]],
                days[row["day"] + 1],
            )  # a late page can be fetched before the order
            if [outcome for outcome, _ in kept] != ["accepted"] or not first <= kept[0][1] <= last:
                wrong.append((row, kept))
        assert not wrong, wrong
        # An edition notes a refused batch as done, and takes nothing from it.
        published = [
            (source, sha256)
            for source, sha256, _, _, outcome, is_waiting, edition, _ in self.documents
            if (source, sha256) in found and outcome != "refused" and (edition or not is_waiting)
        ]
        assert not published, f"was not offered: {published}"
        return f"{len(self.offered):,} documents once each, {sum(map(len, found.values()))} others kept aside"

    def require_whole_runs(self):
        """In each edition, what is published of a source is a union of whole good runs."""
        parts, held = defaultdict(set), {row[0] for row in self.service.rows("SELECT batch_id FROM ops.held")}
        for run, batch in self.service.rows(_PARTS):
            if batch not in held:  # a document that was held for its values was released later
                parts[run].add(batch)
        good, taken = defaultdict(list), defaultdict(lambda: defaultdict(set))
        for source, run, _, _, outcome, _ in self.runs:
            if outcome == "good":
                good[source].append(parts[run])
        for source, _, _, batch, outcome, _, edition, _ in self.documents:
            if edition and outcome == "accepted" and batch not in held:
                taken[source][edition].add(batch)
        editions = 0
        for source, by_edition in taken.items():
            published = set()
            for edition, batches in sorted(by_edition.items()):
                published |= batches
                whole = set().union(*(run for run in good[source] if run <= published))
                assert published == whole, f"{source}, edition {edition}: {published - whole}"
                editions += 1
        return f"whole runs in {editions:,} parts of editions"

    def require_reasons(self):
        """Every run that was held or failed names the effect of a fault that it met."""
        counts, wrong = {"held": 0, "failed": 0}, []
        for source, run, began_at, ended_at, outcome, reasons in self.runs:
            if outcome not in counts:
                continue
            counts[outcome] += 1
            met = {
                fault
                for name, moment, fault in self.spoiled
                if name == source and began_at <= moment <= ended_at
            }
            effects = HOLDING if outcome == "held" else FAILING
            said = "; ".join(reasons)
            if not any(re.search(effects[fault], said) for fault in met & effects.keys()):
                wrong.append((source, run, outcome, sorted(met), reasons))
        assert not wrong, wrong
        return (
            f"{len(self.runs):,} runs, {counts['held']} held and {counts['failed']} failed for their faults"
        )

    def require_punctual(self):
        """No run begins an interval late, unless its source met a fault or a kill, or no worker was left."""
        own = [(source, moment) for source, moment, _ in self.spoiled]
        own += [(source, moment) for moment, taken in self.feeding.kills for source in taken]
        declared, late = sources(str(self.feeding.folder)), []
        for (source, _, began_at, ended_at, *_), (following, _, begins_at, *_) in pairwise(self.runs):
            if following != source or any(
                name == source and began_at <= moment <= begins_at for name, moment in own
            ):
                continue
            due = max(declared[source].due.after(began_at), ended_at)
            if any(first <= begins_at and due <= last for first, last in self.feeding.without):
                continue
            late.append(((begins_at - due).total_seconds(), source, str(due)))
        assert max(late)[0] <= self.feeding.due_seconds, sorted(late)[-10:]
        spread = quantiles([seconds for seconds, *_ in late], n=20)
        most = max(late)[0]
        return f"{len(late):,} starts at most {most:.1f} s late (p50 {spread[9]:.1f}, p95 {spread[18]:.1f})"

    def require_polite(self):
        """No host is asked more often than declared by both workers together, nor while it asked for rest."""
        assert not [entry for entry in self.log if entry["source"] == "stranger"]
        hosts, asked = self.feeding.publisher.hosts, defaultdict(list)
        for entry in self.log:
            asked[hosts[entry["source"]]].append(entry)
        for host, entries in asked.items():
            entries.sort(key=lambda entry: entry["monotonic"])
            free = 0.0  # the earliest moment at which the next request keeps all pauses before it
            for entry in entries:
                assert entry["monotonic"] >= free - LATE_SECONDS, (host, free, entry)
                free = max(free, entry["monotonic"]) + PAUSE_SECONDS
            self._require_rest(entries)
        unchanged = sum(entry["status"] == 304 and not entry["fault"] for entry in self.log)
        assert unchanged
        return f"{len(self.log):,} polite requests, {unchanged:,} answered 304"

    def _require_rest(self, entries):
        kills = [moment.timestamp() for moment, _ in self.feeding.kills]
        for place, entry in enumerate(entries):
            seconds = entry["answered"].get("Retry-After", "")
            # A worker that was killed with the answer in its hands could not pass it on.
            if not seconds.isdecimal() or any(0 <= kill - entry["wall"] < 2 for kill in kills):
                continue
            during = [
                later
                for later in entries[place + 1 :]
                if LATE_SECONDS < later["monotonic"] - entry["monotonic"] < int(seconds)
            ]
            assert not during, (entry, during)

    def seconds_to_answer(self):
        """Return the median and 95th percentile of seconds from an offer to the edition that holds it."""
        published = {(row[0], row[1]): row[7] for row in self.documents if row[7]}
        ill = {(source, day) for day, source, *_ in self.feeding.ordered}
        spans, healthy = [], []
        for row in self.offered:
            moment = published.get((row["source"], row["sha256"]))
            if row["day"] and moment:  # on the first day everything is new at once
                spans.append((moment - self.feeding.advanced[row["day"]]) / timedelta(seconds=1))
                if (row["source"], row["day"]) not in ill:
                    healthy.append(spans[-1])
        all_, well = quantiles(spans, n=20), quantiles(healthy, n=20)
        return (
            f"offer to answer p50 {all_[9]:.1f} s, p95 {all_[18]:.1f} s;"
            f" without a fault that day p50 {well[9]:.1f} s, p95 {well[18]:.1f} s"
        )

    def seconds_by_part(self):
        """Return where the time goes after the start: in runs, and from the end of a run to its edition."""
        met = {(source, began) for source, _, began, *_ in self.runs if self._met_fault(source, began)}
        runs = [
            (ended - began) / timedelta(seconds=1)
            for source, _, began, ended, outcome, _ in self.runs
            if outcome == "good" and (source, began) not in met
        ]
        parts = defaultdict(list)
        for run, batch in self.service.rows(_PARTS):
            parts[batch].append(run)
        ended_at = {run: ended for _, run, _, ended, outcome, _ in self.runs if outcome == "good"}
        waits = [
            (published - min(ended_at[run] for run in parts[batch] if run in ended_at)) / timedelta(seconds=1)
            for _, _, _, batch, outcome, _, _, published in self.documents
            if published and outcome == "accepted" and any(run in ended_at for run in parts[batch])
        ]
        lasted, waited = quantiles(runs, n=20), quantiles(waits, n=20)
        return (
            f"runs p50 {lasted[9]:.1f} s, p95 {lasted[18]:.1f} s;"
            f" run to edition p50 {waited[9]:.1f} s, p95 {waited[18]:.1f} s"
        )

    def _met_fault(self, source, began):
        return any(
            name == source and began <= moment < began + timedelta(seconds=60)
            for name, moment, _ in self.spoiled
        )

    def load_undisturbed(self, service):
        """Ingest what was offered into another service: in the order of days, fetched at the same moments."""
        fetched = {(source, sha256): moment for source, sha256, moment, *_ in self.documents}
        declared, world = sources(str(self.feeding.folder)), self.feeding.publisher.world
        last = len(self.feeding.advanced) - 1
        contents = {
            (name, one.sha256): one.content for name in world.sources for one in world.offered(name, last)
        }
        for row in sorted(self.offered, key=lambda row: row["day"]):
            key = row["source"], row["sha256"]
            service.ingest((contents[key], fetched[key]), source_name=declared[key[0]])
