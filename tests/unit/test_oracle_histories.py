"""The invented worlds: reproducible, indifferent to load order, and rich in what can go wrong."""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path
from random import Random
from typing import get_args

import pytest

from oracle.declarations import declaration, is_annual_form
from oracle.events import Publish
from oracle.filings import filings_of
from oracle.histories import SOURCE, World, shuffled, world
from oracle.labels import FiscalHistory, Rule
from oracle.model import Model, read_line_items
from oracle.months import is_last_of_month, length
from oracle.questions import PERIOD_TYPES, fact_takedown, issuer_takedown, questions
from oracle.revisions import Revision
from oracle.rows import choose, ends, history_of, labelled, replaced
from oracle.sightings import facts_of, sightings

SEED = 20_240_331
EDITIONS = 5
ISSUERS = 50
QUESTIONS = 500
LINE_ITEMS = """line_item,rank,concept,kind,definition
revenue,1,us-gaap:Revenues,monetary,
revenue,2,us-gaap:SalesRevenueNet,monetary,
revenue,3,ifrs-full:Revenue,monetary,
net_income,1,us-gaap:NetIncomeLoss,monetary,
net_income,2,us-gaap:ProfitLoss,monetary,
assets,1,us-gaap:Assets,monetary,
assets,2,ifrs-full:Assets,monetary,
eps_basic,1,us-gaap:EarningsPerShareBasic,per_share,
shares_outstanding,1,us-gaap:CommonStockSharesOutstanding,shares,
"""


@pytest.fixture(scope="module")
def line_items(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("oracle") / "line_items.csv"
    path.write_text(LINE_ITEMS)
    return path


@pytest.fixture(scope="module")
def invented(line_items: Path) -> World:
    print(f"seed {SEED}")
    return world(SEED, ISSUERS, EDITIONS, line_items=line_items)


def told(events: World, line_items: Path) -> Model:
    model = Model({SOURCE: "public"}, line_items)
    model.apply(*events.events())
    return model


@pytest.fixture(scope="module")
def model(invented: World, line_items: Path) -> Model:
    return told(invented, line_items)


def test_the_same_seed_gives_the_same_world(invented, line_items):
    assert world(SEED, ISSUERS, EDITIONS, line_items=line_items) == invented
    assert world(SEED + 1, ISSUERS, EDITIONS, line_items=line_items) != invented


def test_load_order_within_an_edition_changes_no_answer(invented, model, line_items):
    reordered = shuffled(invented, Random(SEED))
    assert reordered != invented
    other = told(reordered, line_items)
    for question in questions(model, invented.subjects, SEED, QUESTIONS):
        assert other.answer(**question._asdict()) == model.answer(**question._asdict()), question


def test_one_edition_of_everything_equals_the_last_of_many(invented, model, line_items):
    at_once = Model({SOURCE: "public"}, line_items)
    at_once.apply(*(event for event in invented.events() if not isinstance(event, Publish)))
    at_once.apply(Publish(invented.day))
    for subject in invented.subjects:
        assert at_once.answer(subject, vintages="all") == model.answer(subject, EDITIONS, vintages="all")


def test_nothing_is_shown_before_it_is_available(invented, model):
    for question in questions(model, invented.subjects, SEED, QUESTIONS):
        cut = question.as_of or invented.day
        assert all(row["available_at"] <= cut for row in model.answer(**question._asdict()) or []), question


def test_takedowns_only_ever_remove_from_what_was_published(invented, line_items):
    model = told(invented, line_items)
    asked = list(questions(model, invented.subjects, SEED, QUESTIONS))
    before = [model.answer(**question._asdict()) for question in asked]
    rng = Random(SEED)
    model.apply(*(fact_takedown(model, invented.subjects, rng) for _ in range(50)))
    model.apply(*(issuer_takedown(model, invented.subjects, rng) for _ in range(5)), Publish(invented.day))
    after = [
        model.answer(**question._replace(edition=question.edition or EDITIONS)._asdict())
        for question in asked
    ]
    assert after != before
    for then, now in zip(before, after, strict=True):
        # The previous value of a row that is left may itself have been taken down (FUN-16).
        left = [*(then or []), *(row | {"previous_value": None} for row in then or [])]
        assert now is None or (then is not None and all(row in left for row in now))


def rows_on(day, mode, seen, line_items):
    facts = facts_of(seen)
    filings = filings_of(facts)
    history = history_of(facts, filings, (), read_line_items(line_items), {SOURCE: "public"})
    labels = FiscalHistory(filings.values()).on(day)
    chosen = choose(history, mode, day)
    return labelled(chosen, labels, ends(history, day), replaced(chosen, history))


def test_no_filing_after_a_day_changes_anything_of_that_day(invented, line_items):
    seen_of = defaultdict(list)
    for document in {document for edition in invented.editions for document in edition.documents}:
        for sighting in sightings(document):
            seen_of[sighting.subject].append(sighting)
    rng = Random(SEED)
    for subject in rng.sample(sorted(seen_of), 30):
        seen = seen_of[subject]
        days = sorted({sighting.filed for sighting in seen})
        for day in rng.sample(days, min(2, len(days))):
            by_then = [sighting for sighting in seen if sighting.filed <= day]
            for mode in ("latest", "as_reported", "all"):
                assert rows_on(day, mode, seen, line_items) == rows_on(day, mode, by_then, line_items)


def declared_in(documents):
    """The declaration of each filing in some documents, as far as it has any, with the filing."""
    seen = [sighting for document in documents for sighting in sightings(document)]
    return [(filing, declaration(filing)) for filing in filings_of(facts_of(seen)).values()]


def test_the_worlds_hold_every_kind_of_trouble(invented, model):
    survivors = [s for s in invented.subjects if model.resolved_from(s, EDITIONS) is None]
    histories = [model.history(subject, EDITIONS) for subject in survivors]
    newest = [served for history in histories for served in history]
    answered = [model.answer(subject, EDITIONS, vintages="all") or [] for subject in survivors]
    rows = [row for answer in answered for row in answer]
    numbers_of_a_fact = defaultdict(set)
    documents_of_a_fact = defaultdict(set)
    for subject in survivors:
        for served in (served for n in range(1, EDITIONS + 1) for served in model.history(subject, n)):
            numbers_of_a_fact[served.vintage.sighting.fact].add(served.vintage.number)
            documents_of_a_fact[served.vintage.sighting.fact].add(served.vintage.sighting.sha256)
    documents = [document for edition in invented.editions for document in edition.documents]
    vintages_of_a_day = Counter((id(s.vintage.key), s.figure["available_at"]) for s in newest)
    period_types = Counter(row["period_type"] for row in rows)
    values = [row["value_reported"] for row in rows]
    answers = [
        model.answer(**question._asdict())
        for question in questions(model, invented.subjects, SEED, QUESTIONS)
    ]
    found = {
        "three vintages": sum(row["vintage"] == 3 for row in rows),
        "withdrawals": sum(served.vintage.withdrawn_at is not None for served in newest),
        "several vintages on one day": sum(count > 1 for count in vintages_of_a_day.values()),
        "facts renumbered by a later edition": sum(len(n) > 1 for n in numbers_of_a_fact.values()),
        "facts found in an older document": sum(len(d) > 1 for d in documents_of_a_fact.values()),
        "rejected sightings": len(model.rejected),
        "documents ingested twice": len(documents) - len(set(documents)),
        "comparatives": sum(row["reported_as"] == "comparative" for row in rows),
        "first filings that are not held": sum(not row["first_filing_held"] for row in rows),
        "concepts of second choice": sum(row["concept"] == "us-gaap:ProfitLoss" for row in rows),
        "several units": len({row["unit"] for row in rows}) - 1,
        "values beyond binary floats": sum(abs(value) > 2**53 for value in values),
        "values with twelve decimals": sum(value.as_tuple().exponent == -12 for value in values),
        "negative values": sum(value < 0 for value in values),
        "zero values": values.count(0),
        "merges": sum(len(edition.merges) for edition in invented.editions),
        "values of tomorrow": sum(served.figure["available_at"] > invented.day for served in newest),
        "issuers without a label": sum(not any(row["period_type"] for row in answer) for answer in answered),
        "unknown issuers": answers.count(None),
        "empty answers": answers.count([]),
        **{f"period type {name}": period_types[name] for name in [*PERIOD_TYPES, None]},
    }
    print(found)
    assert [trouble for trouble, count in found.items() if not count] == []


def test_the_worlds_hold_every_kind_of_declaration(invented):
    declared = declared_in(document for edition in invented.editions for document in edition.documents)
    forms = Counter(filing.form for filing, _ in declared)
    oddities = {
        "filings without any declaration": sum(f.fiscal_period is None for f, _ in declared),
        "contradictions on a 10-Q": sum(
            d is None and f.form == "10-Q" and f.fiscal_period == "FY" for f, d in declared
        ),
        "contradictions on an annual form": sum(
            d is None and is_annual_form(f.form) and f.fiscal_period == "Q2" for f, d in declared
        ),
        "annual forms that declare by their dates": sum(
            d is not None and f.fiscal_period is None for f, d in declared
        ),
        "years that are ignored": sum(
            d is not None and f.fiscal_year is not None and d.stated_year is None for f, d in declared
        ),
        "years off the calendar": sum(d is not None and d.shift == -1 for _, d in declared),
        "short years": sum(d is not None and d.short_year is not None for _, d in declared),
        "long years": sum(
            f.form == "10-KT" and any(length(*p) > 380 for p in f.durations_to_own_end()) for f, _ in declared
        ),
        "year ends on a Saturday within a month": sum(
            d is not None and d.is_annual and d.own_end.weekday() == 5 and not is_last_of_month(d.own_end)
            for _, d in declared
        ),
        "year ends in the first week of January": sum(
            d is not None and d.is_annual and (d.own_end.month, d.own_end.day) < (1, 8) for _, d in declared
        ),
        **{f"form {name}": forms[name] for name in ("10-K", "10-KT", "10-Q", "20-F", "40-F", "6-K")},
        **{f"form {name}": forms[name] for name in ("10-K/A", "10-Q/A", "20-F/A", "6-K/A", "8-K")},
    }
    print(oddities)
    assert [oddity for oddity, count in oddities.items() if not count] == []


def test_the_worlds_hold_every_kind_of_revision_and_label(invented, model):
    found = Counter()
    for subject in invented.subjects:
        history = model.history(model.survivor(subject, EDITIONS), EDITIONS)
        days = sorted({served.vintage.sighting.filed for served in history})
        labels_of = defaultdict(set)
        for labels in (model.labels(subject, EDITIONS, day) for day in days):
            for start, end in {(s.vintage.key.start, s.vintage.key.end) for s in history}:
                label = labels.label(start, end)
                found[f"mid-year instant {label[0]}"] += start is None and label[0] in ("H1", "Q2")
                source = labels.source(end)
                if source is not None:
                    found[f"{source[0]}, {'labelled' if label[0] else 'unlabelled'}"] += 1
                labels_of[start, end].add(label)
        found["labels that change"] += sum(
            len({label for label in seen if label[0]}) > 1 for seen in labels_of.values()
        )
        for vintage in (served.vintage for served in history):
            amends = vintage.sighting.form.endswith("/A")
            found[f"{vintage.revision} by {'amendment' if amends else 'another filing'}"] += 1
            found["passed over"] += vintage.is_passed_over
    print(found)
    wanted = {f"{rule}, {end}" for rule in get_args(Rule) for end in ("labelled", "unlabelled")}
    wanted |= {f"{name} by amendment" for name in get_args(Revision)}
    wanted |= {f"{name} by another filing" for name in get_args(Revision) if name != "corrected"}
    wanted |= {"labels that change", "passed over", "mid-year instant H1", "mid-year instant Q2"}
    assert {kind for kind in wanted if not found[kind]} == set()
