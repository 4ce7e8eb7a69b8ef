"""Real ESEF reports: each figure counted apart with plain json, served as it stands, made into metrics."""

from __future__ import annotations

import json
import re
from collections import Counter
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction

import pytest

from sankofa.fundamentals.line_items import load_map
from sankofa.ingest.bytes.bounds import Rejections
from sankofa.ingest.filings.esef import parse
from support.esef_reports import packed
from support.lei_documents import as_csv, stated
from support.real_sec import DATA

REPORTS = sorted(DATA.glob("esef-xbrl-json/*.json"))
KAINOS = DATA / "esef-xbrl-json" / "kainos_2022.json"
INDEX = DATA / "esef-index"
LEI = "213800H2PQMIF3OVZY47"
PATH = f"{LEI}/2022-03-31/ESEF/GB/0/{LEI}-2022-03-31-T01.json"  # as the index has it
FETCHED = datetime(2026, 11, 1, tzinfo=UTC)
CORE = {"concept", "entity", "period", "unit", "language"}
MONEY = re.compile("iso4217:([A-Z]{3})")

pytestmark = pytest.mark.skipif(not REPORTS, reason=f"no real reports at {DATA}; see SANKOFA_REAL_DATA")


def raw_facts(path):
    return list(json.loads(path.read_text(encoding="utf-8"))["facts"].values())


def days(period):
    """Return first and last day of a written period, the last one a day before its midnight."""
    *start, end = (date.fromisoformat(moment.removesuffix("T00:00:00")) for moment in period.split("/"))
    return (start[0] if start else None), end - timedelta(days=1)


def money(path):
    """Return each figure in money without dimensions, and how often the report tells it."""
    found = Counter()
    for fact in raw_facts(path):
        told = fact["dimensions"]
        unit = MONEY.fullmatch(told.get("unit", ""))
        if unit and told.keys() <= CORE:
            local = told["concept"].partition(":")[2]
            found[local, *days(told["period"]), unit[1], Decimal(fact["value"]), fact["decimals"]] += 1
    return found


@pytest.mark.parametrize("path", REPORTS, ids=lambda path: path.stem)
def test_every_figure_in_money_without_dimensions_becomes_a_fact(path):
    rejections = Rejections()
    [filing] = parse(path.read_bytes(), rejections, fetched_at=FETCHED)
    expected, raw = money(path), raw_facts(path)
    taken = Counter(
        (
            re.sub(r"ifrs-full:|\{.*\}", "", fact.concept),
            *(fact.period_start, fact.period_end, fact.unit, fact.value, fact.decimals),
        )
        for fact in filing.facts
        if re.fullmatch("[A-Z]{3}", fact.unit)
    )
    assert taken == Counter(expected.keys())
    others = [fact for fact in raw if fact["dimensions"].get("unit", "").endswith("/xbrli:shares")]
    assert len(filing.facts) == len(expected) + len(others)
    dimensional = [fact for fact in raw if not fact["dimensions"].keys() <= CORE]
    texts = [fact for fact in raw if "language" in fact["dimensions"]]
    assert rejections.counts == +Counter(dimensional=len(dimensional), not_a_number=len(texts))
    repeats = expected.total() - len(expected)
    assert len(filing.facts) + repeats + rejections.counts.total() == len(raw)
    print(f"{path.stem}: {len(raw)} facts, {len(taken)} in money, {repeats} repeats, {rejections.counts}")


@pytest.fixture(scope="module")
def served(module_service):
    """Return a service with Kainos' report and the real pages of the index, open to this test alone."""
    service = module_service
    pages = {f"filings-{page.name}": page.read_bytes() for page in INDEX.glob("*.json")}
    record = stated(lei=LEI, name="Kainos Group PLC", jurisdiction="GB", country="GB")
    service.ingest(as_csv(record), source_name="demo-gleif")
    service.ingest((packed({PATH: KAINOS.read_bytes(), **pages}), FETCHED), source_name="esef")
    service.publish()
    service.service_id = service.id_of(f"lei:{LEI}")
    service.while_closed = service.facts(service.service_id)
    service.closed_sources = ()
    service.await_edition(service.publish().edition)
    return service


def test_nothing_of_it_is_served_without_a_licence(served):
    assert served.while_closed == []


def test_every_mapped_figure_is_served_as_the_report_has_it(served):
    mapped = {
        entry.concept.partition(":")[2]: entry.line_item
        for entry in load_map()
        if entry.concept.startswith("ifrs-full:")
    }
    expected = {
        (mapped[local], None if start is None else str(start), str(end), unit): value
        for local, start, end, unit, value, _ in money(KAINOS)
        if local in mapped
    }
    rows = served.facts(served.service_id)
    in_money = {
        (row["line_item"], row["period_start"], row["period_end"], row["unit"]): row["value_reported"]
        for row in rows
        if row["unit"] == "GBP"
    }
    assert in_money == expected
    assert len(in_money) > 50
    assert {(row["available_at"], row["available_at_basis"]) for row in rows} == {("2022-08-02", "publisher")}
    assert {row["period_end"] for row in rows} == {"2020-03-31", "2021-03-31", "2022-03-31"}
    assert served.facts(served.service_id, as_of="2022-08-01") == []
    print(f"{len(rows)} rows, {len(in_money)} in money")


def test_two_years_in_one_report_make_metrics(served):
    """By hand, from the figures in thousands of pounds that the report prints."""
    expected = {
        "gross_margin": Fraction(140246, 302632),
        "operating_margin": Fraction(46015, 302632),
        "revenue_growth": Fraction(302632 - 234694, 234694),
        "asset_turnover": Fraction(302632 * 2, 207222 + 164462),
    }
    rows = {row["metric"]: row for row in served.get(f"/v1/metrics/{served.service_id}").exact["data"]}
    print(len(rows), "metrics:", {metric: str(row["value"]) for metric, row in rows.items()})
    for metric, value in expected.items():
        assert abs(Fraction(rows[metric]["value"]) - value) * 2 <= Fraction(1, 10**10)
        assert rows[metric]["period_end"] == "2022-03-31"
