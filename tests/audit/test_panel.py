"""The panel against fundamentals and the independent model: cell by cell, on many days and editions."""

from __future__ import annotations

import json
import random
import time
from collections import defaultdict
from datetime import timedelta
from decimal import Decimal

import pytest

from audit.client import Client
from audit.test_oracle import NOBODY, ONLY_IN_THE_SERVICE, SOURCE, Ids, expected, invented, load, without
from oracle.model import Model
from support.service import Service

NAMES = {"legal_name", "name_as_of", "country"}
MODES = ("latest", "as_reported", "all")
ITEMS_AT_ONCE, YEARS_AT_ONCE = (1, 5, 20, 20, 20), (1, 3, 10, 10, 10)  # mostly as many as a panel takes
KEY = ("line_item", "period_end", "period_start", "unit", "scope", "vintage")


@pytest.fixture(scope="module")
def audited(stack, seed, size):
    """A service and a model that went through the same generated world."""
    service = Service(stack, "audit_panel")
    invention = invented(seed, size)
    model = Model({SOURCE: "synthetic"})
    ids = Ids(service)
    for edition in invention.editions:
        load(service, edition, ids, model, invention.day)
    yield service, model, invention, ids
    service.close()


def walk(client, path, params):
    """Return all rows of an answer, page after page."""
    rows = []
    while True:
        status, body = client.get(path, params)
        assert status == 200, (path, params, body[:500])
        answer = json.loads(body, parse_float=Decimal, parse_int=Decimal)
        rows += answer["data"]
        if not answer["next_cursor"]:
            return rows
        params = {"cursor": answer["next_cursor"]}


def in_order(rows):
    return sorted(rows, key=lambda row: tuple(str(row[name] or "") for name in KEY))


def grouped(rows):
    """Return the rows by issuer, and check the order of issuers and line items."""
    places = [(row["service_id"], row["line_item"]) for row in rows]
    assert places == sorted(places)
    found = defaultdict(list)
    for row in rows:
        found[row["service_id"]].append(without(row, NAMES))
    return found


@pytest.mark.timeout(7200)
def test_every_cell_is_that_of_fundamentals_and_of_the_model(audited, seed, size):
    service, model, invention, ids = audited
    rng, began = random.Random(seed), time.monotonic()
    cells, days, differences = 0, set(), []
    with Client(service) as client:
        while cells < size.panel_cells or len(days) < size.panel_days:
            edition = rng.randint(1, len(model.published))
            survivors = {model.survivor(subject, edition) for subject in invention.subjects}
            subjects = {ids[one]: one for one in survivors if ids[one] != NOBODY}
            known = [served for one in subjects.values() for served in model.history(one, edition)]
            names = sorted({one.figure["line_item"] for one in known if ":" not in one.figure["line_item"]})
            day = rng.choice(known).vintage.sighting.filed + timedelta(rng.choice([-1, 0, 0, 1, 90]))
            days.add(day)
            items = sorted(rng.sample(names, min(len(names), rng.choice(ITEMS_AT_ONCE))))
            last = rng.randint(day.year - 2, day.year + 1)
            years = list(range(last + 1 - rng.choice(YEARS_AT_ONCE), last + 1))
            is_latest = rng.random() < 0.2
            asked = {
                "edition": edition,
                "as_of": day,
                "vintages": rng.choice(MODES),
                "period_type": rng.choice(["FY"] * 6 + ["Q1", "H1", "9M", "TTM"]),
                "line_item": ",".join(items),
            }
            chosen = "latest" if is_latest else ",".join(map(str, years))
            limit = {"limit": rng.choice([7, 100, 10_000])} if rng.random() < 0.3 else {}
            panel = grouped(walk(client, "/v1/panel", asked | limit | {"fiscal_year": chosen}))
            for service_id, subject in subjects.items():
                common = {name: asked[name] for name in ("edition", "as_of", "period_type")}
                if is_latest:
                    stated = model.answer(subject, **common, vintages="all", items=asked["line_item"]) or []
                    reached = [row["fiscal_year"] for row in stated if row["fiscal_year"] is not None]
                    years = [max((one for one in reached if one <= day.year + 1), default=0)]
                rows = model.answer(subject, **common, vintages=asked["vintages"], items=asked["line_item"])
                wanted = [expected(row, service_id) for row in rows or [] if row["fiscal_year"] in years]
                got = panel.pop(service_id, [])
                if in_order(wanted) != in_order([without(row, ONLY_IN_THE_SERVICE) for row in got]):
                    differences.append(("model", asked, chosen, subject))
                if rows is not None:
                    path = f"/v1/fundamentals/{service_id}"
                    narrowed = asked | {"fiscal_year": ",".join(map(str, years))} if years != [0] else None
                    facts = walk(client, path, narrowed) if narrowed else []
                    if in_order(facts) != in_order(got):
                        differences.append(("fundamentals", asked, chosen, subject))
                cells += len(got)
            if panel:
                differences.append(("surplus", asked, chosen, sorted(panel)))
    for one in differences[:3]:
        print(one)
    took = time.monotonic() - began
    print(f"{cells:,} cells on {len(days)} days, {len(differences)} differences, {took:.0f} s, seed {seed}")
    assert differences == []
