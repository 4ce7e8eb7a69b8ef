"""The invented worlds: reproducible, indifferent to load order, and rich in what can go wrong."""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path
from random import Random

import pytest

from oracle.events import Publish
from oracle.histories import SOURCE, World, shuffled, world
from oracle.model import Model
from oracle.questions import PERIOD_TYPES, fact_takedown, issuer_takedown, questions

SEED = 20_240_331
EDITIONS = 5
LINE_ITEMS = """line_item,rank,concept,kind,definition
revenue,1,us-gaap:Revenues,duration,
revenue,2,us-gaap:SalesRevenueNet,duration,
revenue,3,ifrs-full:Revenue,duration,
net_income,1,us-gaap:NetIncomeLoss,duration,
net_income,2,us-gaap:ProfitLoss,duration,
assets,1,us-gaap:Assets,instant,
assets,2,ifrs-full:Assets,instant,
eps_basic,1,us-gaap:EarningsPerShareBasic,duration,
shares_outstanding,1,us-gaap:CommonStockSharesOutstanding,instant,
"""


@pytest.fixture(scope="module")
def line_items(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("oracle") / "line_items.csv"
    path.write_text(LINE_ITEMS)
    return path


@pytest.fixture(scope="module")
def invented(line_items: Path) -> World:
    print(f"seed {SEED}")
    return world(SEED, 80, EDITIONS, line_items=line_items)


def told(events: World, line_items: Path) -> Model:
    model = Model({SOURCE: "public"}, line_items)
    model.apply(*events.events())
    return model


@pytest.fixture(scope="module")
def model(invented: World, line_items: Path) -> Model:
    return told(invented, line_items)


def test_the_same_seed_gives_the_same_world(invented, line_items):
    assert world(SEED, 80, EDITIONS, line_items=line_items) == invented
    assert world(SEED + 1, 80, EDITIONS, line_items=line_items) != invented


def test_load_order_within_an_edition_changes_no_answer(invented, model, line_items):
    reordered = shuffled(invented, Random(SEED))
    assert reordered != invented
    other = told(reordered, line_items)
    for question in questions(model, invented.subjects, SEED, 1000):
        assert other.answer(*question) == model.answer(*question), question


def test_one_edition_of_everything_equals_the_last_of_many(invented, model, line_items):
    at_once = Model({SOURCE: "public"}, line_items)
    at_once.apply(*(event for event in invented.events() if not isinstance(event, Publish)))
    at_once.apply(Publish(invented.day))
    for subject in invented.subjects:
        assert at_once.answer(subject, vintages="all") == model.answer(subject, EDITIONS, vintages="all")


def test_nothing_is_shown_before_it_is_available(invented, model):
    for question in questions(model, invented.subjects, SEED, 1000):
        cut = question.as_of or invented.day
        assert all(row["available_at"] <= cut for row in model.answer(*question) or []), question


def test_takedowns_only_ever_remove_from_what_was_published(invented, line_items):
    model = told(invented, line_items)
    asked = list(questions(model, invented.subjects, SEED, 1000))
    before = [model.answer(*question) for question in asked]
    rng = Random(SEED)
    model.apply(*(fact_takedown(model, invented.subjects, rng) for _ in range(50)))
    model.apply(*(issuer_takedown(model, invented.subjects, rng) for _ in range(5)), Publish(invented.day))
    after = [model.answer(*question._replace(edition=question.edition or EDITIONS)) for question in asked]
    assert after != before
    for then, now in zip(before, after, strict=True):
        assert now is None or (then is not None and all(row in then for row in now))


def test_the_worlds_hold_every_kind_of_trouble(invented, model):
    survivors = [s for s in invented.subjects if model.resolved_from(s, EDITIONS) is None]
    histories = [model.history(subject, EDITIONS) for subject in survivors]
    newest = [served for history in histories for served in history]
    rows = [served.row for served in newest]
    numbers_of_a_fact = defaultdict(set)
    documents_of_a_fact = defaultdict(set)
    for subject in survivors:
        for served in (served for n in range(1, EDITIONS + 1) for served in model.history(subject, n)):
            numbers_of_a_fact[served.vintage.sighting.fact].add(served.vintage.number)
            documents_of_a_fact[served.vintage.sighting.fact].add(served.vintage.sighting.sha256)
    documents = [document for edition in invented.editions for document in edition.documents]
    vintages_of_a_day = Counter((id(s.vintage.key), s.row["available_at"]) for s in newest)
    period_types = Counter(row["period_type"] for row in rows)
    values = [row["value_reported"] for row in rows]
    answers = [model.answer(*question) for question in questions(model, invented.subjects, SEED, 1000)]
    found = {
        "three vintages": sum(row["vintage"] == 3 for row in rows),
        "withdrawals": sum(served.vintage.withdrawn_at is not None for served in newest),
        "several vintages on one day": sum(count > 1 for count in vintages_of_a_day.values()),
        "facts renumbered by a later edition": sum(len(n) > 1 for n in numbers_of_a_fact.values()),
        "facts found in an older document": sum(len(d) > 1 for d in documents_of_a_fact.values()),
        "rejected sightings": len(model.rejected),
        "documents ingested twice": len(documents) - len(set(documents)),
        "comparatives": sum(row["reported_as"] == "comparative" for row in rows),
        "concepts of second choice": sum(row["concept"] == "us-gaap:ProfitLoss" for row in rows),
        "several units": len({row["unit"] for row in rows}) - 1,
        "values beyond binary floats": sum(abs(value) > 2**53 for value in values),
        "values with twelve decimals": sum(value.as_tuple().exponent == -12 for value in values),
        "negative values": sum(value < 0 for value in values),
        "zero values": values.count(0),
        "merges": sum(len(edition.merges) for edition in invented.editions),
        "values of tomorrow": sum(row["available_at"] > invented.day for row in rows),
        "issuers without a year": sum(
            not any(served.row["period_type"] for served in history) for history in histories if history
        ),
        "unknown issuers": answers.count(None),
        "empty answers": answers.count([]),
        **{f"period type {name}": period_types[name] for name in [*PERIOD_TYPES, None]},
    }
    print(found)
    assert [trouble for trouble, count in found.items() if not count] == []
