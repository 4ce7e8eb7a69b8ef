"""Parts as of a day at size: large parts have thousands of vintages, and a page is found by index."""

from __future__ import annotations

import random
import statistics
from datetime import date, timedelta
from hashlib import md5

import pytest

from sankofa.storage.postgres import copy_line
from sankofa.storage.queries import named
from support.plans import reading, run
from support.stated_organisations import SOURCE, document, record

pytestmark = pytest.mark.heavy  # a world large enough for its plans

ORGANISATIONS = 6_000
LARGE, MEDIUM = 2, 60  # of 3,000 and 1,000 vintages; the others have three
FIRST = date(2015, 1, 1)
DAYS = 3_300
ROWS = 101
EDITION = 3
_COPY = """
COPY serving.tender_party (
    published_in, part_id, provenance_id, available_at, known_until, first_release,
    last_release, releases, reason, service_id, role, country, location
) FROM STDIN
"""
_EDITION = "INSERT INTO serving.edition (edition, mark, changes) VALUES (%s, %s, '{}')"
NEVER = 2**31 - 1
PROVENANCE = "00000000-0000-0000-0000-000000000001"


def grown(chance, place, service_id):
    """Return the vintages of a part, some of them also as they stood while they were the newest."""
    many = 3_000 if place < LARGE else 1_000 if place < LARGE + MEDIUM else 3
    days = sorted(chance.sample(range(DAYS), many))
    counts, total = [], 0
    for _ in days:
        total += chance.randrange(1, 30 if many > 3 else 3)
        counts.append(total)
    for number, (day, until, count) in enumerate(zip(days, [*days[1:], None], counts, strict=True)):
        yield service_id, day, until, count, NEVER
        if until and number > many - 200:  # editions that were published day by day have closed it
            yield service_id, day, None, count, EDITION


def line(vintage):
    service_id, day, until, releases, superseded_in = vintage
    available_at = FIRST + timedelta(day)
    known_until = "infinity" if until is None else FIRST + timedelta(until)
    part_id = md5(service_id.encode(), usedforsecurity=False).hexdigest()
    return copy_line(
        2, part_id, PROVENANCE, available_at, known_until, FIRST, available_at,
        releases, "added", service_id, "supplier" if int(part_id, 16) % 2 else "buyer", "ZA",
        "o/1" if superseded_in == NEVER else "o/closed",
    )  # fmt: skip


@pytest.fixture(scope="module")
def filled(module_service):
    """Return a service with parts of all sizes, and their vintages."""
    service = module_service
    named_so = [
        record(f"cik:{number:010}", f"Firm {number} PLC", day=FIRST, marks=("files_accounts:US-SEC",))
        for number in range(1, ORGANISATIONS + 1)
    ]
    service.ingest(document(*named_so), source_name=SOURCE)
    service.publish()
    ids = [one for (one,) in service.rows("SELECT service_id FROM serving.organisation ORDER BY service_id")]
    chance = random.Random(73)
    chance.shuffle(ids)
    vintages = [one for place, service_id in enumerate(ids) for one in grown(chance, place, service_id)]
    with service.connect() as admin:
        with admin.transaction():
            admin.execute("INSERT INTO ops.edition_build (edition) VALUES (2)")
            admin.execute(
                "INSERT INTO serving.provenance VALUES (%s, 'demo@sha256:1', 'synthetic', '2026-01-05',"
                " 'publisher', 'ocds', NULL)",
                (PROVENANCE,),
            )
            with admin.cursor() as cursor, cursor.copy(_COPY) as copy:
                for one in vintages:
                    copy.write(line(one))
            admin.execute(_EDITION, (2, "aaaaaaaa"))
        with admin.transaction():
            admin.execute("INSERT INTO ops.edition_build (edition) VALUES (3)")
            admin.execute("UPDATE serving.tender_party SET superseded_in = 3 WHERE location = 'o/closed'")
            admin.execute(_EDITION, (3, "bbbbbbbb"))
        admin.execute("VACUUM ANALYZE serving.tender_party, serving.organisation, serving.provenance")
    print(f"{len(vintages)} vintages of {len(ids)} parts")
    return service, vintages


def expected(vintages, day):
    """Return the largest parts on a day by looking at every vintage."""
    at = (day - FIRST).days
    known = [
        (-releases, service_id)
        for service_id, begin, until, releases, superseded_in in vintages
        if begin <= at and (until is None or until > at) and superseded_in == NEVER
    ]
    return [(service_id, -releases) for releases, service_id in sorted(known)]


@pytest.mark.parametrize("day", [FIRST + timedelta(days) for days in (50, 900, 2_000, 3_250, 4_000)])
def test_the_largest_of_a_day_are_found_by_index(filled, day):
    service, vintages = filled
    asked = {
        "country": "ZA",
        "role": None,
        "day": day,
        "edition": EDITION,
        "after_releases": NEVER,
        "after_service_id": "",
        "after_role": "",
        "after_country": "",
        "rows": ROWS,
        "service_id": None,
    }
    wanted = expected(vintages, day)
    for name in ("largest_parts_of_country", "largest_parts_of_all", "parts_of_country", "parts_of_all"):
        with service.connect("read") as connection:
            reading(connection)
            ran = run(connection, named("sankofa.tenders")[name], asked)
        found = [(row[0], row[6]) for row in ran.rows]
        if name.startswith("largest"):
            assert found == wanted[:ROWS]
        else:
            assert found == sorted(wanted)[:ROWS]
        (scan,) = [node for node in ran.nodes if node.get("Relation Name") == "tender_party"]
        assert scan["Node Type"] == "Index Scan"
        fetched = scan["Actual Rows"] + scan.get("Rows Removed by Filter", 0)
        print(
            f"{day} {name}: p50 {statistics.median(ran.spent):.2f} ms, {fetched} rows of the table read,"
            f" largest {wanted[0][1]}"
        )
        # Vintages of other days are passed over in the index. What is read besides the page was closed since.
        closed = sum(
            1
            for _, begin, until, _, superseded_in in vintages
            if superseded_in == EDITION and begin <= (day - FIRST).days
        )
        assert fetched <= ROWS + closed
