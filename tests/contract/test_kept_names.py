"""EDN-9: an answer without an edition keeps its name until an edition changes something that it reads."""

from __future__ import annotations

import os
import random
import re
from collections import defaultdict

import pytest

from sankofa.ask.reads import DAY
from support.asking import ALL, asking
from support.changing_world import ChangingWorld
from support.filings import FY2022, Filer
from support.organisations import company, id_of_lei, register
from support.stated_tenders import CITY, SOURCE, package, release, tender
from support.waiting import until

ROUNDS = int(os.environ.get("KEPT_NAMES_ROUNDS", "12"))
_TABLE = re.compile(r"\bserving\.(\w+)\b(?!\()")

_VIEWS = """
SELECT view_name, array_agg(table_name::text) FROM information_schema.view_table_usage
WHERE view_schema = 'serving' AND table_schema = 'serving' GROUP BY view_name
"""


@pytest.mark.heavy
@pytest.mark.proves("EDN-9")
def test_every_answer_equals_that_of_the_current_edition_whatever_was_published(service):
    seed = int(os.environ.get("KEPT_NAMES_SEED", random.randrange(10**6)))
    print(f"KEPT_NAMES_SEED={seed}")
    world = ChangingWorld(service, random.Random(seed))
    world.begin()
    questions = world.questions()
    assert {name for name, _ in questions} == set(ALL)
    kept = 0
    with asking(service) as long_running:
        for _ in range(ROUNDS):
            done = world.change()
            if service.publish() is None:
                continue
            current = long_running.poll()
            with asking(service) as just_started:
                for name, sent in questions:
                    edition = long_running.edition(name, **sent)
                    assert edition == just_started.edition(name, **sent), (seed, done, name, sent)
                    floating = long_running.answer(name, **sent)
                    pinned = long_running.answer(name, **sent, edition=current)
                    assert floating == pinned, (seed, done, name, sent, edition, current)
                    kept += edition < current
    assert kept > ROUNDS * len(questions) / 4


@pytest.mark.proves("EDN-9")
def test_an_endpoint_declares_exactly_the_tables_that_its_statements_read(module_service):
    world = ChangingWorld(module_service, random.Random(1))
    world.begin()
    views = dict(module_service.rows(_VIEWS))
    known = {table.name for table in module_service.publisher().tables} | {"edition"}
    declared, read = defaultdict(set), defaultdict(set)
    with asking(module_service) as asker:
        for name, sent in world.questions():
            question = asker.question(name, **sent)
            tables = {table for table, _ in question.endpoint.touchable_by(question.params)} - {DAY}
            asker.reader.statements.clear()
            asker.answer(name, **sent)
            named = {one for statement in asker.reader.statements for one in _TABLE.findall(statement)}
            touched = {table for one in named for table in views.get(one, [one])} & known
            assert touched <= tables, (name, sent)
            declared[name, question.endpoint.order] |= tables
            read[name, question.endpoint.order] |= touched
    assert declared == read


def file(service, *filers):
    """Publish the documents of filers; return their ids once the API answers for the edition."""
    service.ingest(*(filer.document() for filer in filers))
    service.await_edition(service.publish().edition)
    return [service.id_of(filer.identifier) for filer in filers]


def release_tender(service, amount):
    """Publish one more release of a tender."""
    stated = release(f"o-{amount}", buyer={"name": CITY}, tender=tender(amount))
    service.ingest(package(stated), source_name=SOURCE)
    service.await_edition(service.publish().edition)


def names(service, *paths):
    """Return the ETag of each path."""
    answers = {path: service.get(path) for path in paths}
    assert {answer.status_code for answer in answers.values()} == {200}
    return {path: answer.headers["etag"] for path, answer in answers.items()}


def changed(service, before):
    """Return the paths whose answer has another name by now; the others give 304."""
    found = set()
    for path, etag in before.items():
        answer = service.get(path, headers={"If-None-Match": etag})
        if answer.status_code == 304:
            assert answer.headers["etag"] == etag
        else:
            assert answer.headers["etag"] != etag
            found.add(path)
    return found


@pytest.mark.proves("EDN-9", "ENV-9", "ENV-11")
def test_fundamentals_keep_their_names_and_bodies_while_tenders_are_published(service):
    ids = file(service, *(Filer(number).says(number, filed="2024-02-01") for number in range(1, 6)))
    paths = [f"/v1/fundamentals/{one}" for one in ids]
    before = names(service, *paths)
    bodies = {path: service.get(path).content for path in paths}
    for amount in range(1, 6):
        release_tender(service, amount)
        assert changed(service, before) == set()
    answer = service.get(paths[0])
    assert (answer.headers["x-data-edition"], answer.exact["edition"]) == ("1", 1)
    assert answer.headers["content-location"].endswith("edition=1")
    assert service.get(answer.headers["content-location"]).content == answer.content
    assert service.client.get("/v1/status").json()["edition"] == 6
    assert service.get("/v1/editions").exact["edition"] == 6
    with service.connect() as admin, admin.transaction():
        admin.execute("LOCK TABLE serving.fundamentals_fact IN ACCESS EXCLUSIVE MODE")
        assert {path: service.get(path).content for path in paths} == bodies
        # A body that must be read has to wait for the lock: so none of the others was read.
        assert service.get(paths[0], as_of="2024-03-01").status_code == 503


@pytest.mark.heavy
@pytest.mark.proves("EDN-9")
def test_publishing_one_issuer_in_a_hundred_renames_no_more_than_two(service):
    filers = [Filer(number).says(number, filed="2024-02-01") for number in range(1, 201)]
    ids = file(service, *filers)
    kinds = ("fundamentals", "entities", "metrics", "crosswalk")
    before = names(service, *(f"/v1/{kind}/{one}" for kind in kinds for one in ids))
    file(service, *(filer.says(5, filed="2024-06-01") for filer in filers[:2]))
    found = changed(service, before)
    assert {f"/v1/{kind}/{one}" for kind in ("fundamentals", "metrics") for one in ids[:2]} <= found
    assert len(found) <= 0.02 * len(before)


@pytest.mark.proves("EDN-9", "EDN-7")
def test_a_takedown_renames_every_answer(service):
    gone, *others = file(service, *(Filer(n).says(n, filed="2024-02-01") for n in range(1, 4)))
    before = names(service, *(f"/v1/fundamentals/{one}" for one in others), "/v1/export", "/v1/macro")
    service.take_down(gone)
    until(lambda: changed(service, before) == set(before))


@pytest.mark.proves("EDN-9", "ENT-2")
def test_a_merge_renames_both_ids_and_the_merged_one_follows_the_survivor(service):
    one, two = Filer(1).says(100, filed="2024-02-01"), Filer(2).says(70, filed="2023-02-01", period=FY2022)
    third = Filer(3).says(5, filed="2024-02-01")
    duplicate, survivor, other = (f"/v1/fundamentals/{issued}" for issued in file(service, one, two, third))
    before = names(service, duplicate, survivor, other)
    service.merge(duplicate.rpartition("/")[2], survivor.rpartition("/")[2])
    service.await_edition(service.publish().edition)
    assert changed(service, before) == {duplicate, survivor}
    before = names(service, duplicate, survivor, other)
    file(service, two.says(80, filed="2024-05-01"))
    assert changed(service, before) == {duplicate, survivor}
    assert [row["value_reported"] for row in service.get(duplicate).exact["data"]] == [80, 70]
    assert changed(service, names(service, duplicate, survivor)) == set()


@pytest.mark.proves("EDN-9")
def test_a_new_name_renames_the_answers_that_show_it(service):
    register(service, company(7, "Umoya Holdings Ltd"), company(8, "Khanya Holdings Ltd"))
    (issuer,) = file(service, Filer(1).says(5, filed="2024-02-01"))
    seven, eight = id_of_lei(service, 7), id_of_lei(service, 8)
    register(service, company(7, "Umoya Company Ltd", updated="2024-06-03T00:30:00Z"))
    service.await_edition(service.publish().edition)
    shown = {f"/v1/entities/{seven}", "/v1/crosswalk?id_type=ticker&id_value=XNAI:NONE", "/v1/tender-parties"}
    others = {f"/v1/entities/{eight}", f"/v1/fundamentals/{issuer}", "/v1/macro", "/v1/export"}
    before = names(service, *shown, *others)
    register(service, company(7, "Umoya Group Ltd", updated="2024-06-04T00:30:00Z"))
    service.await_edition(service.publish().edition)
    assert changed(service, before) == shown
    assert service.get(f"/v1/entities/{seven}").exact["data"][0]["legal_name"] == "Umoya Group Ltd"


@pytest.mark.proves("EDN-9")
def test_processes_that_know_different_editions_give_the_answers_of_their_own(service):
    filer, other = Filer(1).says(100, filed="2024-02-01"), Filer(2).says(5, filed="2024-02-01")
    service.ingest(filer.document(), other.document())
    service.publish()
    changing, still = service.id_of(filer.identifier), service.id_of(other.identifier)
    with asking(service) as behind, asking(service) as ahead:
        service.ingest(filer.says(90, filed="2024-06-01").document())
        service.publish()
        ahead.poll()
        for asker, editions, value in ((behind, (1, 1), 100), (ahead, (2, 1), 90)):
            found = tuple(asker.edition("fundamentals", service_id=one) for one in (changing, still))
            assert found == editions
            (row,) = asker.answer("fundamentals", service_id=changing)["data"]
            assert row["value_reported"] == value
        pinned = [asker.answer("fundamentals", service_id=changing, edition=1) for asker in (behind, ahead)]
        assert pinned[0] == pinned[1] == behind.answer("fundamentals", service_id=changing)
