"""The service against an independent model: generated histories, thousands of questions over HTTP."""

from __future__ import annotations

import json
import random
import time
from datetime import UTC, datetime
from decimal import Decimal

import pytest

from audit.client import Client
from oracle.events import Ingest, Publish
from oracle.histories import shuffled, world
from oracle.model import Model
from oracle.questions import fact_takedown, issuer_takedown, questions
from support.editions import content
from support.filings import Filer
from support.service import Service

SOURCE = "demo-companyfacts"
NOBODY = "DC0000000000000"
ONLY_IN_THE_MODEL = ("accession", "source", "stated_unit")  # `source_ref` holds the first two
ONLY_IN_THE_SERVICE = {"source_ref", "provenance_id", "fact_id"}


def invented(seed, size, **options):
    return world(
        seed, size.issuers, size.editions, day=datetime.now(UTC).date(), sources=(SOURCE,), **options
    )


def load(service, edition, ids, model=None, day=None):
    """Take a service, and a model if given, through one edition.

    A merge is decided about ids that were given out; a subject whose every fact was rejected has none.
    """
    service.ingest(*((document.body, document.fetched_at) for document in edition.documents))
    merges = [
        merge for merge in edition.merges if NOBODY not in (ids[merge.from_subject], ids[merge.into_subject])
    ]
    for merge in merges:
        service.merge(ids[merge.from_subject], ids[merge.into_subject])
    if model:
        model.apply(*map(Ingest, edition.documents), *merges, Publish(day))
    return service.publish()


def expected(row, service_id):
    """Return an oracle row in the words of the wire: all fields but those that only the service makes."""
    plain = {name: value for name, value in row.items() if name not in ONLY_IN_THE_MODEL}
    for name in ("period_start", "period_end", "available_at", "known_until", "restated_on"):
        plain[name] = plain[name] and plain[name].isoformat()
    plain["observed_at"] = plain["observed_at"].strftime("%Y-%m-%dT%H:%M:%SZ")
    plain["service_id"] = service_id
    return plain


def compare(model, question, status, body, ids):
    """Return how an answer differs from the model's, or None."""
    subject, edition, as_of, *_ = question
    rows = model.answer(**question._asdict())
    if rows is None:
        return None if status == 404 else f"404 expected, got {status}"
    if status != 200:
        return f"200 expected, got {status}"
    answer = json.loads(body, parse_float=Decimal, parse_int=Decimal)
    newest = edition or len(model.published)
    survivor = model.survivor(subject, newest)
    wanted = [expected(row, ids[survivor]) for row in rows]
    got = [without(row, ONLY_IN_THE_SERVICE) for row in answer["data"]]
    if got != wanted:
        return first_difference(got, wanted)
    day = model.published[newest - 1]
    cut = min(as_of or day, day).isoformat()
    problems = (fault(row, known, cut, ids) for row, known in zip(answer["data"], rows, strict=True))
    return next(filter(None, problems), None)


def fault(row, known, cut, ids):
    """Return what is wrong with the fields that only the service makes, or with the day, or None."""
    if not row.keys() >= ONLY_IN_THE_SERVICE:
        return f"fields are missing: {ONLY_IN_THE_SERVICE - row.keys()}"
    begins, ends = f"{known['source']}:{known['accession']}@", f"#{known['concept']}"
    if not row["source_ref"].startswith(begins) or not row["source_ref"].endswith(ends):
        return f"source differs: {row['source_ref']} but {known}"
    if ids.fact_id_of(known, row["fact_id"]) != row["fact_id"]:
        return f"fact_id changed: {row['fact_id']} of {known}"
    return f"look-ahead: {row['available_at']} after {cut}" if row["available_at"] > cut else None


def without(row, names):
    return {name: value for name, value in row.items() if name not in names}


def first_difference(got, wanted):
    if len(got) != len(wanted):
        surplus = [row for row in got if row not in wanted]
        missing = [row for row in wanted if row not in got]
        return f"{len(got)} rows, but {len(wanted)}: surplus {surplus[:1]}, missing {missing[:1]}"
    one, other = next((one, other) for one, other in zip(got, wanted, strict=True) if one != other)
    fields = {
        name: (one.get(name, "no such field"), other.get(name, "no such field"))
        for name in one.keys() | other.keys()
        if name not in one or name not in other or one[name] != other[name]
    }
    return f"{fields} in {other}"


def asked(question, ids):
    subject, edition, as_of, vintages, period_type, items = question
    params = {
        "edition": edition,
        "as_of": as_of,
        "vintages": vintages,
        "period_type": period_type,
        "items": items,
    }
    return f"/v1/fundamentals/{ids[subject]}", {k: v for k, v in params.items() if v is not None}


class Ids(dict):
    """Service ids by subject; a subject without one in any edition gets an id nobody has."""

    def __init__(self, service):
        super().__init__()
        self.service = service
        self.fact_ids = {}
        self.facts = {}

    def fact_id_of(self, row, fact_id):
        """Return the id under which a fact was served first; None if the id was another fact's."""
        names = (
            "source",
            "accession",
            "concept",
            "period_start",
            "period_end",
            "stated_unit",
            "value_reported",
        )
        fact = tuple(row[name] for name in names)
        if self.facts.setdefault(fact_id, fact) != fact:
            return None
        return self.fact_ids.setdefault(fact, fact_id)

    def __missing__(self, subject):
        known = dict(
            self.service.rows(
                "SELECT identifier, service_id FROM ledger.subject JOIN ops.issued_id USING (subject_id)"
            )
        )
        self.update(known)
        return known.get(subject, NOBODY)


@pytest.fixture(scope="module")
def audited(stack, seed, size):
    """A service and a model that went through the same generated world."""
    service = Service(stack, "audit_oracle")
    invention = invented(seed, size)
    model = Model({SOURCE: "synthetic"})
    ids = Ids(service)
    for edition in invention.editions:
        load(service, edition, ids, model, invention.day)
    yield service, model, invention, ids
    service.close()


def ask_all(service, model, subjects, ids, *, seed, count):
    mismatches = []
    began = time.monotonic()
    with Client(service) as client:
        for question in questions(model, subjects, seed, count):
            problem = compare(model, question, *client.get(*asked(question, ids)), ids)
            if problem:
                mismatches.append((question, problem))
    for question, problem in mismatches[:2]:
        print(question, problem[:3000])
    print(f"{count} questions, {len(mismatches)} mismatches, {time.monotonic() - began:.0f} s")
    return mismatches


@pytest.mark.timeout(3600)
def test_every_answer_equals_the_model_s(audited, seed, size):
    service, model, invention, ids = audited
    assert ask_all(service, model, invention.subjects, ids, seed=seed, count=size.questions)[:3] == []


@pytest.mark.timeout(3600)
def test_recorded_answers_replay_byte_for_byte_after_twenty_more_editions(audited, seed, size):
    service, model, invention, ids = audited
    newest = len(model.published)
    recorded = []
    with Client(service) as client:
        for question in questions(model, invention.subjects, seed + 1, size.replays):
            path, params = asked(question, ids)
            params.setdefault("edition", newest)
            recorded.append((path, params, *client.get(path, params)))
    later = world(seed + 2, max(20, size.issuers // 10), 20, day=datetime.now(UTC).date(), sources=(SOURCE,))
    for number, edition in enumerate(later.editions, start=1):
        # An edition of so few issuers may add nothing by chance; a filer of its own makes sure that it does.
        service.ingest(Filer(number).says(number, filed="2024-02-01").document())
        load(service, edition, Ids(service))
    assert service.rows("SELECT max(edition) FROM serving.edition") == [(newest + 20,)]
    service.await_edition(newest + 20)
    with Client(service) as client:
        differing = [
            (path, params, status, body, again)
            for path, params, status, body in recorded
            if (again := client.get(path, params)) != (status, body)
        ]
    for example in differing[:1]:
        print(example)
    print(f"{len(recorded)} replays after 20 editions, {len(differing)} differing")
    assert differing == []


@pytest.mark.timeout(3600)
def test_takedowns_hold_in_every_edition_as_the_model_says(make_service, seed, size):
    service = make_service()
    rng = random.Random(seed)
    invention = world(
        seed + 3, max(30, size.issuers // 10), 3, day=datetime.now(UTC).date(), sources=(SOURCE,)
    )
    model = Model({SOURCE: "synthetic"})
    ids = Ids(service)
    *before, last = invention.editions
    for edition in before:
        load(service, edition, ids, model, invention.day)
    for _ in range(5):
        for takedown in (
            fact_takedown(model, invention.subjects, rng),
            issuer_takedown(model, invention.subjects, rng),
        ):
            apply_takedown(service, model, takedown, ids)
    service.get("/v1/editions")
    expected_takedowns = service.rows("SELECT max(takedown) FROM serving.takedown")[0][0]
    assert expected_takedowns >= 10
    load(service, last, ids, model, invention.day)
    service.await_edition(3)
    assert ask_all(service, model, invention.subjects, ids, seed=seed, count=size.questions // 10)[:3] == []


def apply_takedown(service, model, takedown, ids):
    what = takedown.what
    if isinstance(what, str):
        newest = len(model.published)
        service.take_down(ids[model.survivor(what, newest)])
    else:
        for service_id, fact_id in service.rows(
            "SELECT DISTINCT f.service_id, f.fact_id FROM serving.fundamentals_fact f"
            " JOIN serving.provenance p USING (provenance_id)"
            " WHERE p.document_ref LIKE %s AND f.concept = %s AND f.period_end = %s"
            " AND f.period_start = coalesce(%s, '-infinity'::date) AND f.unit = %s AND f.value = %s",
            f"{what.source}:{what.accession}@%",
            what.concept,
            what.end,
            what.start,
            what.unit,
            what.value,
        ):
            service.take_down(service_id, fact_id)
            break
    model.apply(takedown)


@pytest.mark.timeout(3600)
def test_an_edition_built_step_by_step_equals_one_built_from_nothing(make_service, seed, size):
    issuers = max(40, size.issuers // 10)
    invention = world(seed + 4, issuers, size.editions, day=datetime.now(UTC).date(), sources=(SOURCE,))
    step_by_step = make_service()
    for number, edition in enumerate(invention.editions, start=1):
        load(step_by_step, edition, Ids(step_by_step))
        at_once = make_service()
        for earlier in invention.editions[:number]:
            at_once.ingest(*((document.body, document.fetched_at) for document in earlier.documents))
        at_once.publish()
        ids = Ids(at_once)
        merges = [
            merge
            for earlier in invention.editions[:number]
            for merge in earlier.merges
            if NOBODY not in (ids[merge.from_subject], ids[merge.into_subject])
        ]
        for merge in merges:
            at_once.merge(ids[merge.from_subject], ids[merge.into_subject])
        built = at_once.publish().edition if merges else 1
        assert content(step_by_step, number) == content(at_once, built)


@pytest.mark.timeout(7200)
def test_the_same_documents_in_any_order_give_the_same_newest_edition(make_service, seed, size):
    invention = world(seed + 5, 25, 1, day=datetime.now(UTC).date(), sources=(SOURCE,))
    rng = random.Random(seed)
    expected_content = None
    for _ in range(size.orders):
        service = make_service()
        load(service, shuffled(invention, rng).editions[0], Ids(service))
        got = content(service, 1)
        service.close()
        expected_content = expected_content or got
        assert got == expected_content
    print(f"{size.orders} orders, one content of {len(expected_content[0])} facts")
