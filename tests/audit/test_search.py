"""Search at size: misspelt and former names are found, withheld ones are not, and what a search costs."""

from __future__ import annotations

import asyncio
import csv
import statistics
import time
from datetime import UTC, date, datetime, timedelta

import pytest

from audit.workers import lanes
from demo import lei_register
from dev.ports import Ports
from dev.stack import Stack, temporary_home
from sankofa.ask.endpoint import Page
from sankofa.entities.issuers import IssuersParams, issuers
from sankofa.entities.search import search
from sankofa.entities.served import SearchParams
from sankofa.ingest.archive import Document
from sankofa.ingest.run import ingest
from sankofa.ingest.sources import source
from sankofa.storage.reading import Reader
from support.filings import FY2022, Filer
from support.holding import decision
from support.service import Service

FETCHED = datetime(2026, 1, 5, 6, tzinfo=UTC)
RENAMED_ON = "2025-12-01T09:30:00Z"  # after the day of every record of the register
LEAST_FOUND = 0.95  # among the first five
FIRST = 5
FILERS = 500
WORKERS = 2
WORDS = ("Renovated", "Successor", "Rebranded", "Reborn", "Restyled", "Relaunched", "Refounded")
MIDDLE_MS = 20  # of any search, at 3.4 million organisations
LARGE = 50_000  # rows: no search may read a table with more from end to end; of a small one that is cheaper


@pytest.mark.timeout(6 * 3600)
def test_search_at_size(size, seed, rng):
    with temporary_home() as home:
        stack = Stack(home, Ports.free(), durable=False, shared_buffers="2GB")
        stack.start()
        try:
            service = Service(stack, "search")
            renamed = load(service, size, seed, home)
            asyncio.run(ask(service, size, rng, renamed))
        finally:
            stack.destroy()


def load(service, size, seed, home):
    """Load a register, rename some of its companies, let others file; return old and new names by LEI."""
    register, changes = home / "golden-copy.csv", home / "renamed.csv"
    lei_register.write(register, size.organisations, seed)
    renamed = rename(register, changes, max(size.misspellings * 2, size.organisations // 50))
    began = time.monotonic()
    for file in (register, changes):
        with service.connect("ingest") as connection:
            document = Document(source=source("demo-gleif"), content=file, fetched_at=FETCHED)
            assert ingest(connection, service.objects, document).outcome == "accepted"
    filers = [
        Filer(number, f"Filer {number} of {WORDS[number % len(WORDS)]} Trade PLC")
        .says(number, filed=f"20{10 + number % 14}-03-01", period=FY2022)
        .document()
        for number in range(1, FILERS + 1)
    ]
    service.ingest(*filers)
    loaded = time.monotonic()
    decision(service, release=True)
    _, publish_seconds = lanes(service, WORKERS)
    print(
        f"{size.organisations:,} organisations, {len(renamed):,} of them renamed: loaded in "
        f"{loaded - began:.0f} s, published in {publish_seconds:.0f} s with {WORKERS} workers"
    )
    with service.connect("admin") as admin:
        admin.execute("VACUUM ANALYZE")
    return renamed


def rename(register, file, count):
    """Write records of companies that have another name later."""
    renamed = {}
    with register.open(encoding="utf-8", newline="") as lines, file.open("w", encoding="utf-8") as out:
        rows = csv.DictReader(lines)
        writer = csv.DictWriter(out, rows.fieldnames, quoting=csv.QUOTE_ALL)
        writer.writeheader()
        for number, row in enumerate(rows):
            if len(renamed) == count:
                break
            if row["Entity.EntityCategory"] != "GENERAL":
                continue
            word, *rest = row["Entity.LegalName"].split()
            name = " ".join([word[::-1].capitalize(), WORDS[number % len(WORDS)], *rest[1:]])
            renamed[row["LEI"]] = row["Entity.LegalName"], name
            writer.writerow(row | {"Entity.LegalName": name, "Registration.LastUpdateDate": RENAMED_ON})
    return renamed


async def ask(service, size, rng, renamed):
    """Search for names as people type them and for withheld parties, and print the times."""
    ids = dict(
        service.rows(
            "SELECT identifier, service_id FROM ledger.subject JOIN ops.issued_id USING (subject_id)"
            " WHERE identifier = ANY(%s)",
            [f"lei:{lei}" for lei in renamed],
        )
    )
    names = service.rows(
        "SELECT legal_name, service_id FROM serving.organisation TABLESAMPLE SYSTEM (20)"
        " WHERE legal_name NOT LIKE 'Filer %%' ORDER BY md5(row_id::text) LIMIT %s",
        size.misspellings,
    )
    former = [(old, ids[f"lei:{lei}"]) for lei, (old, _) in renamed.items()]
    present = [(new, ids[f"lei:{lei}"]) for lei, (_, new) in renamed.items()][: size.misspellings]
    hidden = withheld_parties(service)
    filed = [
        day for (day,) in service.rows("SELECT min(available_at) FROM ledger.filing GROUP BY subject_id")
    ]
    before = sequential_scans(service)
    reader = Reader(service.settings.reading())
    await reader.open()
    try:
        asked = Asked(reader, Page(edition=await reader.edition(None), rows=20))
        await asked.found("whole names", names)
        await asked.found("misspelt names", [(misspelt(name, rng), one) for name, one in names])
        former = former[: size.misspellings]
        await asked.found("former names", former)
        await asked.found("misspelt former names", [(misspelt(name, rng), one) for name, one in former])
        old = date(2025, 11, 30)
        await asked.found("names of a day before the rename", former, as_of=old, matched="name")
        later = await asked.shares("names that were learnt after the day", present, as_of=old)
        assert later == 0
        await asked.shares("two common words", [("general trading", ""), ("national foods", "")] * 50)
        await asked.shares("two common words in a country", [("general trading", "")] * 50, country="KE")
        await asked.shares("common words, issuers", [("trade renovated", "")] * 50, kind="issuer")
        await asked.universe(filed)
        await asked.withheld(hidden, size.withheld_probes, rng)
    finally:
        await reader.close()
    assert sequential_scans(service) == before


class Asked:
    """One reader and what is asked of it."""

    def __init__(self, reader, page):
        self.reader, self.page = reader, page

    async def rows(self, text, **params):
        return (await search(self.reader, SearchParams(text=text, **params), self.page)).rows

    async def shares(self, label, questions, matched=None, **params):
        """Return the share of texts that find their organisation among the first five."""
        spent, hits = [], 0
        for text, service_id in questions:
            began = time.perf_counter()
            rows = await self.rows(text, **params)
            spent.append((time.perf_counter() - began) * 1_000)
            hits += any(
                row.service_id == service_id and matched in (None, row.matched) for row in rows[:FIRST]
            )
        cuts = statistics.quantiles(spent, n=100)
        print(f"  {label}: p50 {cuts[49]:.2f} ms, p99 {cuts[98]:.2f} ms; {hits:,} of {len(spent):,} found")
        assert cuts[49] < MIDDLE_MS
        return hits / len(questions)

    async def found(self, label, questions, **params):
        assert await self.shares(label, questions, **params) >= LEAST_FOUND, label

    async def withheld(self, hidden, probes, rng):
        """Search for withheld parties: by name, reordered, misspelt, by LEI, as of several days."""
        assert hidden
        ids = {service_id for _, _, service_id in hidden}
        folded = {name.casefold() for name, _, _ in hidden}
        forms = (
            lambda name, _: name,
            lambda name, _: " ".join(reversed(name.split())),
            lambda name, _: misspelt(name, rng),
            lambda _, identifier: identifier.removeprefix("lei:"),
        )
        shown = 0
        for number in range(probes):
            name, identifier, _ = hidden[number % len(hidden)]
            text = forms[number // len(hidden) % len(forms)](name, identifier)
            day = None if number % 2 else date(2026, 1, 5) - timedelta(rng.randrange(1_200))
            for row in await self.rows(text, as_of=day):
                texts = {(row.legal_name or "").casefold(), row.matched_text.casefold()}
                shown += row.service_id in ids or bool(texts & folded)
        print(f"  {probes:,} probes for {len(hidden):,} withheld parties: {shown} shown")
        assert shown == 0

    async def universe(self, filed):
        """List the issuers of several days; `filed` has the day of each issuer's first filing."""
        spent = []
        for year in range(2009, 2026):
            day = date(year, 6, 30)
            began = time.perf_counter()
            page = Page(edition=self.page.edition, rows=FILERS)
            rows = (await issuers(self.reader, IssuersParams(as_of=day), page)).rows
            spent.append((time.perf_counter() - began) * 1_000)
            assert len(rows) == sum(first <= day for first in filed), day
        print(f"  issuers of a day, up to {FILERS} rows: p50 {statistics.median(spent):.2f} ms")


def withheld_parties(service):
    """Return name, identifier and id of each party that is not served."""
    return service.rows(
        "SELECT DISTINCT record.legal_name, subject.identifier, issued.service_id"
        " FROM ledger.organisation_record AS record JOIN ledger.subject USING (subject_id)"
        " JOIN ops.issued_id AS issued USING (subject_id)"
        " WHERE NOT EXISTS (SELECT FROM serving.issued_id AS shown"
        " WHERE shown.service_id = issued.service_id)"
    )


def sequential_scans(service):
    """Return how often each large table was read from end to end, by whoever has disconnected."""
    return service.rows(
        "SELECT relname, seq_scan FROM pg_stat_user_tables"
        " WHERE schemaname = 'serving' AND n_live_tup > %s ORDER BY relname",
        LARGE,
    )


def misspelt(name, rng):
    """Return a name with one letter left out, doubled, replaced or swapped with the next, in a long word."""
    words = name.split()
    place = rng.choice([place for place, word in enumerate(words) if len(word) > 3] or [0])
    word = words[place]
    at = rng.randrange(1, max(2, len(word) - 1))
    words[place] = rng.choice(
        (
            word[:at] + word[at + 1 :],
            word[:at] + word[at] + word[at:],
            word[:at] + rng.choice("aeiourstln") + word[at + 1 :],
            word[:at] + word[at + 1 : at + 2] + word[at] + word[at + 2 :],
        )
    )
    return " ".join(words)
