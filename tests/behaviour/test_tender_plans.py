"""Filtered releases at size: months are asked one by one, newest first, and no further than the page needs.

Connections keep prepared statements, so the plans are looked at as PostgreSQL makes them without knowing any
value.
"""

from __future__ import annotations

import json
import statistics
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from functools import cache
from hashlib import md5

import msgspec
import pytest

from sankofa.storage.postgres import copy_line
from sankofa.storage.queries import named
from sankofa.tenders.finding import Sought, statement_for
from sankofa.tenders.marks import Content, marks, marks_with_words
from sankofa.tenders.model import Body
from sankofa.tenders.params import TendersParams
from support.plans import reading, run

pytestmark = pytest.mark.heavy  # a world large enough for its plans

ROWS = 101
COUNT = 60_000
FIRST = datetime(2005, 1, 3, 6, tzinfo=UTC)
EDITION = 2
DAY = date(2026, 1, 5)
_BODY = msgspec.json.Decoder(Body)
_EDITIONS = """
INSERT INTO ops.edition_build (edition) VALUES (1), (2);
INSERT INTO serving.provenance
SELECT md5(number::text)::uuid, 'demo@sha256:' || number, 'synthetic', '2026-01-05', 'publisher', 'ocds', NULL
FROM generate_series(0, 999) AS number;
INSERT INTO serving.tender_country (published_in, newest_at, reason, country)
SELECT 1, '2025-12-31', 'added', country FROM unnest(ARRAY['ZA', 'KE', 'NG']) AS country
"""
_CURRENT = """
INSERT INTO serving.edition (edition, mark, changes) VALUES (1, 'aaaaaaaa', '{}');
INSERT INTO serving.edition (edition, mark, changes) VALUES (2, 'bbbbbbbb', '{}')
"""
_COPY_RELEASES = """
COPY serving.tender_release (
    published_in, fact_id, process_key, provenance_id, sorted_at, available_at, known_until, vintage,
    has_text, reason, country, source, ocid, release_id, named_in_ids, parties, body, marks
) FROM STDIN
"""
_COPY_TEXTS = """
COPY serving.tender_text (published_in, fact_id, process_key, reason, named, texts, marks) FROM STDIN
"""


def uuid(*parts):
    return md5("|".join(map(str, parts)).encode(), usedforsecurity=False).hexdigest()


def stated(number):
    """Return a content: 2,000 buyers, 20 categories, 4 statuses, amounts of all sizes."""
    amount = (number % 9 + 1) * 10 ** (number % 8)
    body = {
        "tags": ["tender"],
        "initiation_type": "tender",
        "language": None,
        "buyer": 0,
        "budget": None,
        "awards": [],
        "contracts": [],
        "tender": dict.fromkeys(
            (
                "description",
                "min_value",
                "procurement_method",
                "procurement_method_details",
                "portal_category",
            ),
        )
        | dict.fromkeys(
            ("tender_period", "enquiry_period", "award_period", "contract_period", "number_of_tenderers"),
        )
        | {
            "id": "T",
            "title": 0,
            "status": ("active", "complete", "cancelled", "planned")[number % 4],
            "value": {"amount": amount, "currency": "ZAR" if number % 3 else "USD"},
            "main_category": f"category {number % 20}",
            "additional_categories": [],
            "classifications": [],
            "tenderers": [],
            "procuring_entity": None,
        },
    }
    told = json.dumps(body)
    content = Content(
        country=("ZA", "KE", "NG")[number % 3],
        ocid=f"ocds-plan-{number // 2}",
        sorted_at=FIRST + timedelta(minutes=number * (20 * 525_600) // COUNT),
        body=_BODY.decode(told),
        parties=[(f"DC{number % 2_000}", ["buyer"])],
        category=None,
        texts=[f"Supply of goods {number % 500} " + ("with a weir" if number % 10_000 == 7 else "")],
    )
    return told, content


def lines(number):
    """Return the rows of a content: of its release, and of its text."""
    body, content = stated(number)
    at = content.sorted_at
    keys = uuid("fact", number), uuid("process", content.ocid)
    parties = json.dumps(content.parties)
    release = copy_line(
        1 + number % 2, *keys, uuid(number % 1_000), at.isoformat(), at.date(), "infinity", 1, "t", "added",
        content.country, "demo-tenders", content.ocid, str(number), "{}", parties, body,
        array(marks(content)),
    )  # fmt: skip
    texts = "{" + json.dumps(content.texts[0]) + "}"
    return release, copy_line(1 + number % 2, *keys, "added", "{}", texts, array(marks_with_words(content)))


def array(numbers):
    return "{" + ",".join(map(str, numbers)) + "}"


@pytest.fixture(scope="module")
def filled(module_service):
    with module_service.connect() as admin:
        with admin.transaction():
            for statement in _EDITIONS.split(";\n"):
                admin.execute(statement)
            made = [lines(number) for number in range(COUNT)]
            for place, target in enumerate((_COPY_RELEASES, _COPY_TEXTS)):
                with admin.cursor() as cursor, cursor.copy(target) as copy:
                    for line in made:
                        copy.write(line[place])
            for statement in _CURRENT.split(";\n"):
                admin.execute(statement)
        admin.execute("VACUUM ANALYZE serving.tender_release, serving.tender_text, serving.provenance")
        for relation in ("tender_release_by_mark", "tender_text_by_mark", "tender_release_by_country"):
            ((size,),) = admin.execute(f"SELECT pg_relation_size('serving.{relation}')").fetchall()
            print(f"{relation}: {size / COUNT:.0f} bytes a content")
        found = "avg(pg_column_size(marks))::integer"
        for table in ("tender_release", "tender_text"):
            ((size,),) = admin.execute(f"SELECT {found} FROM serving.{table}").fetchall()
            print(f"marks of {table}: {size} bytes a row")
    return module_service


def asked_for(params, *, buyers=None, after=None):
    at, ocid, number, source = after or (datetime.max.replace(tzinfo=UTC), "", "", "")
    since = datetime.combine(params.since or date.min, datetime.min.time(), UTC)
    return {
        "since": since,
        "before": datetime.max.replace(tzinfo=UTC),
        "until": at,
        "day": DAY,
        "edition": EDITION,
        "after_ocid": ocid,
        "after_release": number,
        "after_source": source,
        "rows": ROWS,
    } | Sought(params, buyers, None).bound(DAY, after)


@cache
def summaries():
    """Return of every content what filters compare, in the order of answers."""
    found = []
    for number in range(COUNT):
        _, content = stated(number)
        wanted, value = content.body.tender, content.body.tender.value
        told = (content.country, content.parties[0][0], wanted.main_category, wanted.status, value.currency)
        words = set(content.texts[0].lower().split())
        place = (-content.sorted_at.timestamp(), content.ocid, str(number))
        found.append((place, told, value.amount, words))
    return sorted(found, key=lambda one: one[0])


def matches(params, *, buyers=None):
    """Return the releases that match, in order, by looking at every content."""
    asked = (params.country, None, params.category, params.status, params.currency)
    least, largest = params.min_value or 0, params.max_value or Decimal("Infinity")
    return [
        place[1:]
        for place, told, amount, words in summaries()
        if all(one in {None, other} for one, other in zip(asked, told, strict=True))
        and (buyers is None or told[1] in buyers)
        and least <= amount <= largest
        and set((params.q or "").lower().split()) <= words
    ]


# By question: what is asked, ids of the buyer, and how many rows of releases and texts a page may look at.
QUESTIONS = {
    "a status": ({"status": "active"}, None, 300),
    "a category and a status": ({"category": "category 4", "status": "active"}, None, 300),
    "a category that does not exist": ({"category": "none"}, None, 0),
    "no such pair": ({"category": "category 4", "status": "planned"}, None, 0),
    "a buyer": ({"buyer": "DC7"}, ["DC7"], 60),
    "a buyer of several ids": ({"buyer": "DC7"}, ["DC7", "DC11", "DC1007"], 140),
    "a buyer in a country": ({"buyer": "DC7", "country": "KE"}, ["DC7"], 20),
    "a currency": ({"currency": "ZAR", "country": "KE"}, None, 450),
    "small values": ({"currency": "ZAR", "country": "KE", "max_value": "5"}, None, 600),
    "a narrow range": ({"currency": "USD", "min_value": "700000", "max_value": "799999"}, None, 300),
    "no value": ({"currency": "USD", "min_value": "70000000000"}, None, 0),
    "a frequent word": ({"q": "supply"}, None, 600),
    "a rare word": ({"q": "WEIR", "country": "KE"}, None, 20),
    "a word and a status": ({"q": "goods 499", "status": "planned"}, None, 0),
}


def params_of(asked):
    return TendersParams(**asked | {name: Decimal(text) for name, text in asked.items() if "_" in name})


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_page_of_what_is_filtered_is_found_by_marks(filled, question):
    asked, buyers, most = QUESTIONS[question]
    params = params_of(asked)
    expected = matches(params, buyers=buyers)
    with filled.connect("read") as connection:
        reading(connection)
        ran = run(connection, statement_for(params), asked_for(params, buyers=buyers))
    assert [(row[0], row[1]) for row in ran.rows] == expected[:ROWS]
    large = ("tender_release", "tender_text")
    scans = [node for node in ran.nodes if node.get("Relation Name") in large]
    assert "Seq Scan" not in {node["Node Type"] for node in scans}
    indexes = {node["Index Name"] for node in ran.nodes if "Index Name" in node}
    assert ("tender_text_by_mark" if params.q else "tender_release_by_mark") in indexes
    looked_at = sum(
        (node["Actual Rows"] + node.get("Rows Removed by Filter", 0)) * node["Actual Loops"] for node in scans
    )
    cuts = statistics.quantiles(ran.spent, n=100)
    told = f"{len(ran.rows)} of {len(expected)}, {looked_at:.0f} rows looked at"
    print(f"{question}: {told}; p50 {cuts[49]:.2f} ms, p99 {cuts[98]:.2f} ms")
    # A month that is walked has at most a few more than a page needs; texts of the page follow.
    assert looked_at <= most + ROWS * (3 if params.q else 1)


@pytest.mark.parametrize("rows", [ROWS, 1_001])
def test_titles_are_read_by_index_once_for_each_process_of_a_page(filled, rows):
    params = TendersParams(country="KE")
    with filled.connect("read") as connection:
        reading(connection)
        page = run(connection, statement_for(params), asked_for(params) | {"rows": rows})
        processes = sorted({row[-1] for row in page.rows})
        asked = {"processes": processes, "day": DAY, "edition": EDITION}
        ran = run(connection, named("sankofa.tenders")["titles"], asked)
    spent = [statistics.median(one.spent) for one in (page, ran)]
    print(f"{rows} rows, p50: page {spent[0]:.2f} ms, its titles {spent[1]:.2f} ms")
    # Of the two releases of a process, the later one states the title.
    assert dict(ran.rows) == {row[-1]: stated(int(row[1]) | 1)[1].texts[0] for row in page.rows}
    indexes = {"tender_release_by_process": 2, "tender_text_by_content": 1}  # and rows of a process
    scans = [node for node in ran.nodes if node.get("Relation Name") in ("tender_release", "tender_text")]
    assert sorted(node["Index Name"] for node in scans) == sorted(indexes)
    for node in scans:
        assert node["Actual Loops"] == len(processes)
        looked_at = node["Actual Rows"] + node.get("Rows Removed by Filter", 0)
        assert looked_at <= indexes[node["Index Name"]]
