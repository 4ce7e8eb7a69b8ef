"""Signals as editions are built: only what changed is computed anew, and all agrees with the oracle."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest

from oracle.signals import Event, panel
from sankofa.signals.panels import PANELS
from sankofa.signals.publish import Signals
from sankofa.storage.queries import named
from support.events import publish_events

LIVE = """
SELECT
    panel, country, breakdown, month, figures::text, source_ref, license_class, observed_at, methodology_ref
FROM serving.signal WHERE published_in <= %s AND superseded_in > %s
"""


def month(number, year=2024):
    return date(year + (number - 1) // 12, (number - 1) % 12 + 1, 1)


def invented(random_, processes, months=9):
    """Return what happened in some processes of two countries."""
    events = []
    for number in range(processes):
        name, country = str(number), random_.choice(["ZA", "KE"])
        place = {"name": name, "country": country, "document": random_.choice("abc")}
        begun = random_.randint(1, months)
        category = random_.choice(["Goods", "Works", "Sérvices", None])
        events.append(
            Event(
                kind="tendered",
                month=month(begun),
                category=category,
                party=random_.choice(["DCA", "DCB", None]),
                **place,
            )
        )
        money = {"currency": random_.choice(["ZAR", "USD"]), "value": Decimal(random_.randint(1, 9**9)) / 8}
        if random_.random() < 0.7:
            events.append(Event(kind="valued", month=month(begun), **money, **place))
        if random_.random() < 0.6:
            decided = month(begun + random_.randint(0, 3))
            stated = {"days": random_.choice([None, 0, 7, 30]), "tenderers": random_.choice([None, 1, 3])}
            events.append(Event(kind="awarded", month=decided, category=category, **stated, **place))
            winner = random_.choice(["DCX", "DCY", "DCZ", None])
            joint = winner is None and random_.random() < 0.5
            events.append(Event(kind="won", month=decided, party=winner, joint=joint, **money, **place))
    return events


def live(service, edition):
    return sorted(service.rows(LIVE, edition, edition), key=repr)


def served(service, key, **asked):
    """Return all rows of a panel as the oracle writes them, page by page."""
    rows, cursor = [], {}
    while True:
        response = service.get(f"/v1/signals/{key}", limit=7, **asked, **cursor)
        assert response.status_code == 200, response.text
        body = response.exact
        rows += body["observations"]
        if not body["next_cursor"]:
            return [_written(key, row) for row in rows]
        cursor = {"cursor": body["next_cursor"]}


def _written(key, row):
    figures = {name: row[name] for name in PANELS[key].figures.__struct_fields__}
    place = (row["country"], row[PANELS[key].breakdown], date.fromisoformat(row["month"]))
    return (*place, figures, row["source_ref"].split("; "))


@pytest.fixture(scope="module")
def events():
    seed = random.randrange(1 << 32)
    print("seed", seed)
    return invented(random.Random(seed), 400)


@pytest.fixture(scope="module")
def loaded(module_service, events):
    publish_events(module_service, events)
    return module_service


@pytest.mark.parametrize("key", PANELS)
def test_every_row_of_every_panel_is_what_the_oracle_says(loaded, events, key):
    expected = panel(key, events)
    assert len(expected) > 10
    if key == "procurement-demand":
        for country in ("ZA", "KE"):
            of_country = [row for row in expected if row[0] == country]
            assert served(loaded, key, country=country) == of_country
    else:
        assert served(loaded, key) == expected


def test_a_row_has_the_strictest_licence_and_the_latest_moment_of_its_inputs(loaded):
    rows = loaded.get("/v1/signals/tender-value", limit=1000).exact["observations"]
    told = Counter()
    for row in rows:
        documents = row["source_ref"].split("; ")
        assert row["license_class"] == ("CC-BY-4.0" if "b" in documents else "synthetic")
        minutes = ord(documents[-1])
        assert row["observed_at"] == f"2026-01-05T{6 + minutes // 60:02}:{minutes % 60:02}:00Z"
        told[row["license_class"]] += 1
    assert told["CC-BY-4.0"] > 10


def test_built_step_by_step_equals_built_at_once(service, make_service):
    seed = random.randrange(1 << 32)
    print("seed", seed)
    random_ = random.Random(seed)
    known = {}
    for step in range(5):
        changed = invented(random_, 60)
        gone = random_.sample(sorted(known), len(known) // 4)
        known = {key: event for key, event in known.items() if key not in gone}
        known |= {(event.name, event.kind): event for event in changed if random_.random() < 0.5}
        assert publish_events(service, list(known.values())).edition == step + 1
    at_once = make_service()
    publish_events(at_once, list(known.values()))
    assert live(service, 5) == live(at_once, 1)


def test_only_the_cell_that_changed_and_those_that_look_back_at_it_are_computed_anew(service):
    months = range(1, 13)
    events = [
        Event(f"{country}{number}", "tendered", country, month(number), "Works")
        for country in ("ZA", "KE")
        for number in months
    ]
    publish_events(service, events)
    events.append(Event("late", "tendered", "ZA", month(5), "Works", document="b"))
    publish_events(service, events)
    changed = service.rows(
        "SELECT country, month, figures ->> 'releases' FROM serving.signal WHERE published_in = 2"
    )
    assert sorted(changed) == [("ZA", month(number), "2" if number == 5 else "1") for number in (5, 6, 7, 8)]
    assert service.rows("SELECT count(*) FROM serving.closing WHERE dataset = 'signal'") == [(4,)]
    expected = [row for row in panel("procurement-demand", events) if row[0] == "ZA"]
    assert served(service, "procurement-demand") == expected


def test_what_no_longer_happened_has_no_row(service):
    events = [
        Event("1", "tendered", "ZA", month(5), "Works"),
        Event("2", "tendered", "ZA", month(5), "Goods"),
    ]
    publish_events(service, events)
    publish_events(service, events[1:])
    publish_events(service, [])
    shown = [
        [(row["category"], row["category_share"]) for row in found.exact["observations"]]
        for found in (service.get("/v1/signals/procurement-demand", edition=edition) for edition in (1, 2, 3))
    ]
    assert shown == [[("Goods", Decimal("0.5")), ("Works", Decimal("0.5"))], [("Goods", 1)], []]


def test_nothing_new_makes_no_edition(loaded, events):
    assert publish_events(loaded, events) is None


def test_another_version_of_a_method_computes_every_cell_anew(service):
    events = [
        Event(f"{country}{number}", "tendered", country, month(number), "Works")
        for country in ("KE", "UG", "ZA")
        for number in range(1, 85)
    ]
    publish_events(service, events)
    demand = replace(PANELS["procurement-demand"], version=99)
    published = publish_events(service, events, Signals([demand]))
    assert published.changed_rules == {"signal_panels"}
    assert published.changes["signals"].counts() == {"put": {"corrected": 252}, "removed": {"corrected": 252}}
    refs = (
        "SELECT DISTINCT methodology_ref FROM serving.signal WHERE published_in <= %s AND superseded_in > %s"
    )
    assert service.rows(refs, 1, 1) == [(PANELS["procurement-demand"].methodology_ref,)]
    assert service.rows(refs, 2, 2) == [("procurement-demand-v99",)]


def test_a_publish_that_dies_is_continued_and_what_came_since_follows(service):
    publish_events(service, [Event("1", "tendered", "ZA", month(5), "Works")])
    before = live(service, 1)

    class Dies(Signals):
        def publish(self, connection, edition):
            super().publish(connection, edition)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        publish_events(service, [Event("2", "tendered", "ZA", month(5), "Goods")], Dies())
    works = [Event("1", "tendered", "ZA", month(5), "Works")]
    assert [publish_events(service, works).edition for _ in range(2)] == [2, 3]
    assert [row[2] for row in live(service, 2)] == ["Goods"]
    assert live(service, 3) == before


def test_changed_cells_are_found_through_indexes(loaded):
    statements = named("sankofa.signals", "walk.sql")
    with loaded.connect("publish") as connection, connection.transaction():
        connection.execute(statements["by_index"])
        explained = connection.execute(f"EXPLAIN {statements['touch_changed']}", {"edition": 2})
        plan = "\n".join(str(row[0]) for row in explained)
    assert plan.count("tender_event_pkey") == 3, plan
    assert "Seq Scan on tender_event" not in plan, plan
    assert "Seq Scan on closing" not in plan, plan
