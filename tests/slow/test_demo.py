"""The demo world, read back from the documents it writes."""

from __future__ import annotations

import hashlib
import io
import json
import re
import subprocess
import sys
import zipfile
from collections import Counter, defaultdict
from datetime import UTC, date, datetime
from decimal import Decimal
from itertools import pairwise
from pathlib import Path

import pytest

from demo import companyfacts
from demo.lines import IFRS, SECTORS, US_GAAP
from demo.world import FACTS_PER_ISSUER, World

ROOT = Path(__file__).parents[2]
LINE_ITEMS = ROOT / "src/sankofa/fundamentals/line_items.csv"
COMPANY_FORM = re.compile(r" (PLC|Limited|Ltd|S\.A\.|S\.A\.E\.)$")

# Sums that hold within a filing, in either taxonomy: the first is the total of the others.
IDENTITIES = [
    ({"Assets": 1}, {"Liabilities": 1, "Equity": 1}),
    ({"Assets": 1}, {"Liabilities": 1, "StockholdersEquity": 1}),
    ({"Assets": 1}, {"CurrentAssets": 1, "NoncurrentAssets": 1}),
    ({"Liabilities": 1}, {"CurrentLiabilities": 1, "NoncurrentLiabilities": 1}),
    ({"GrossProfit": 1}, {"Revenue": 1, "CostOfSales": -1}),
    ({"GrossProfit": 1}, {"Revenues": 1, "CostOfRevenue": -1}),
    ({"ProfitLossBeforeTax": 1}, {"ProfitLossFromOperatingActivities": 1, "FinanceCosts": -1}),
    ({"ProfitLoss": 1}, {"ProfitLossBeforeTax": 1, "IncomeTaxExpenseContinuingOperations": -1}),
    ({"InterestRevenueExpense": 1}, {"RevenueFromInterest": 1, "InterestExpense": -1}),
    (
        {"InsuranceServiceResult": 1},
        {"InsuranceRevenue": 1, "InsuranceServiceExpensesFromInsuranceContractsIssued": -1},
    ),
]


def rows(content: bytes):
    """Every fact of a companyfacts file: concept, unit and the row."""
    for concepts in json.loads(content, parse_float=Decimal)["facts"].values():
        for concept, body in concepts.items():
            for unit, facts in body["units"].items():
                for fact in facts:
                    yield concept, unit, fact


def history(content: bytes, concept: str, end: str, start: str | None = None):
    """What was said of one value: day filed, form, value, in order of filing."""
    return sorted(
        (fact["filed"], fact["form"], fact["val"])
        for named, _, fact in rows(content)
        if named == concept and fact["end"] == end and fact.get("start") == start
    )


@pytest.fixture(scope="module")
def files():
    """The companyfacts files of 200 issuers."""
    world = World(seed=1, facts=200 * FACTS_PER_ISSUER)
    return [companyfacts.companyfacts(world, issuer) for issuer in range(world.issuers)]


def digests(world: World):
    return [hashlib.sha256(document.content).hexdigest() for document in companyfacts.documents(world)]


@pytest.mark.parametrize("facts", [5_000, 15_000])
def test_the_same_seed_and_size_give_the_same_bytes(facts):
    assert digests(World(seed=7, facts=facts)) == digests(World(seed=7, facts=facts))


def test_the_bytes_are_those_of_every_other_machine():
    """A change here changes every document of the world: say so in the changelog."""
    every = hashlib.sha256()
    for document in companyfacts.documents(World(seed=1, facts=5_000)):
        every.update(document.content)
    assert every.hexdigest() == "a343ac3bfebb459a82c6e0229dbaa1e5981ac22355e7e74befbdb41b05e19cbc"


def test_another_seed_gives_other_issuers_but_the_same_showcase():
    one, two = digests(World(seed=1)), digests(World(seed=2))
    assert one[:3] == two[:3]
    assert not set(one[3:]) & set(two[3:])


def test_a_smaller_world_is_the_beginning_of_a_larger_one():
    small, large = World(facts=5_000), World(facts=15_000)
    with zipfile.ZipFile(io.BytesIO(companyfacts.part(large, 0).content)) as archive:
        for document in companyfacts.documents(small):
            assert archive.read(document.name) == document.content


@pytest.mark.parametrize("facts", [250, 1_300, 5_000, 12_345, 200_000])
def test_the_size_is_within_ten_percent_of_the_asked_number(facts):
    world = World(facts=facts)
    assert abs(world.facts - facts) <= facts / 10
    assert sum(document.facts for document in companyfacts.documents(world)) == world.facts


def test_every_issuer_says_exactly_the_stated_number_of_facts(files):
    assert {sum(1 for _ in rows(content)) for content in files} == {FACTS_PER_ISSUER}


def test_a_large_world_is_zips_of_a_thousand_issuers():
    world = World(facts=1_001 * FACTS_PER_ISSUER)
    first, second = companyfacts.documents(world)
    assert (first.name, first.facts) == ("companyfacts-00000.zip", 1_000 * FACTS_PER_ISSUER)
    with zipfile.ZipFile(io.BytesIO(second.content)) as archive:
        assert archive.namelist() == ["CIK9000001000.json"]
        assert archive.infolist()[0].date_time == (2026, 1, 5, 6, 0, 0)


def test_files_have_the_shape_of_companyfacts(files):
    for index, content in enumerate(files):
        body = json.loads(content)
        assert list(body) == ["cik", "entityName", "facts"]
        assert body["cik"] == 9_000_000_000 + index
        assert set(body["facts"]) <= {IFRS, US_GAAP}
        seen = set()
        for concept, unit, fact in rows(content):
            assert set(fact) - {"start", "frame"} == {"end", "val", "accn", "fy", "fp", "form", "filed"}
            assert re.fullmatch(r"\d{10}-\d\d-\d{6}", fact["accn"])
            assert re.fullmatch(r"[A-Z]{3}(/shares)?|shares", unit)
            assert isinstance(fact["val"], int | Decimal | None)
            assert fact.get("start", "") < fact["end"] < fact["filed"] < "2026-01-05"
            key = (concept, unit, fact.get("start"), fact["end"], fact["accn"])
            assert key not in seen
            seen.add(key)


def test_a_frame_marks_at_most_one_row_of_a_concept(files):
    for content in files:
        frames = Counter((concept, fact["frame"]) for concept, _, fact in rows(content) if "frame" in fact)
        assert set(frames.values()) == {1}


def test_statements_add_up_within_every_filing(files):
    held: Counter[int] = Counter()
    for content in files:
        said = defaultdict(dict)
        for concept, _, fact in rows(content):
            said[fact["accn"], fact["end"], fact["fp"]][concept] = fact["val"]
        for values in said.values():
            for number, (total, terms) in enumerate(IDENTITIES):
                known = [values.get(concept) for concept in (*total, *terms)]
                if None not in known:
                    assert sum(sign * values[c] for c, sign in terms.items()) == known[0], (total, terms)
                    held[number] += 1
    assert len(held) == len(IDENTITIES), "an identity was never tested"


def test_cash_flows_explain_the_change_in_cash(files):
    flows = [f"CashFlowsFromUsedIn{kind}Activities" for kind in ("Operating", "Investing", "Financing")]
    checked = 0
    for content in files:
        newest = {}
        for concept, _, fact in rows(content):
            if fact["fp"] == "FY" and fact["val"] is not None:
                newest[concept, fact["end"]] = fact["val"]
        ends = sorted(end for concept, end in newest if concept == "CashAndCashEquivalents")
        for before, now in pairwise(ends):
            moved = [newest.get((flow, now)) for flow in flows]
            if None not in moved:
                cash = [newest["CashAndCashEquivalents", end] for end in (before, now)]
                assert cash[1] - cash[0] == sum(moved)
                checked += 1
    assert checked > 100


def test_years_are_eight_or_nine_and_grow_plausibly(files):
    for content in files:
        spans = {}
        for concept, _, fact in rows(content):
            if concept in {"Revenue", "Revenues"} and fact["fp"] == "FY":
                spans[fact["start"], fact["end"]] = fact["val"]
        assert len(spans) in {8, 9}
        assert all(
            364 <= (date.fromisoformat(end) - date.fromisoformat(start)).days <= 365 for start, end in spans
        )
        revenues = [spans[span] for span in sorted(spans)]
        assert all(0.8 < now / before < 1.5 for before, now in pairwise(revenues))


def test_the_world_holds_comparatives_revisions_amendments_nils_and_late_filings(files):
    said = defaultdict(list)
    late = filed = 0
    for index, content in enumerate(files):
        for concept, unit, fact in rows(content):
            key = (index, concept, unit, fact.get("start"), fact["end"])
            said[key].append((fact["filed"], fact["form"], fact["val"]))
            if (
                concept == "Assets"
                and fact["form"] in {"20-F", "10-K"}
                and fact["end"][:4] == str(fact["fy"])
            ):
                filed += 1
                late += (date.fromisoformat(fact["filed"]) - date.fromisoformat(fact["end"])).days > 120
    values = [[value for _, _, value in sorted(told)] for told in said.values()]
    repeated = [told for told in values if len(told) > 1]
    revised = [told for told in repeated if len(set(told)) > 1]
    assert len(repeated) > 0.25 * len(values)
    assert 0.02 < len(revised) / len(repeated) < 0.12
    assert any(len(told) == 3 and told[0] == told[2] != told[1] for told in values)
    assert any(told[-1] is None for told in values)
    assert {form for told in said.values() for _, form, _ in told} >= {
        "20-F",
        "20-F/A",
        "6-K",
        "10-K",
        "10-Q",
    }
    assert 0.02 < late / filed < 0.08


def test_issuers_differ_in_country_money_sector_rhythm_and_year_end():
    profiles = [World(facts=200 * FACTS_PER_ISSUER).profile(index) for index in range(200)]
    assert len({profile.country for profile in profiles}) == 12
    assert len({profile.currency for profile in profiles}) == 13
    assert {profile.sector.name for profile in profiles} == {"general", "bank", "insurer"}
    assert len({profile.cadence for profile in profiles}) == 3
    assert {profile.year_end for profile in profiles} == {2, 3, 6, 9, 12}
    assert {profile.scale for profile in profiles} == {1, 1_000, 1_000_000}


def test_every_name_is_different_and_ends_as_a_company():
    world = World(facts=2_000 * FACTS_PER_ISSUER)
    names = [world.profile(index).name for index in range(world.issuers)]
    assert len(set(names)) == len(names)
    assert [name for name in names if not COMPANY_FORM.search(name)] == []


def test_showcase_0_restates_its_revenue_of_2022(files):
    year = ("2022-12-31", "2022-01-01")
    first, restated = ("2023-03-16", "20-F"), ("2024-03-15", "20-F")
    assert json.loads(files[0])["entityName"] == "Nyalumera Foods Holdings PLC"
    assert history(files[0], "Revenue", *year) == [(*first, 1_150_000_000), (*restated, 1_100_000_000)]
    assert history(files[0], "ProfitLoss", *year) == [(*first, 151_000_000), (*restated, 101_000_000)]
    assert history(files[0], "Equity", "2022-12-31") == [(*first, 548_000_000), (*restated, 498_000_000)]
    assert history(files[0], "CostOfSales", *year) == [(*first, 660_000_000), (*restated, 660_000_000)]
    assert history(files[0], "BasicEarningsLossPerShare", *year) == [
        (*first, Decimal("1.51")),
        (*restated, Decimal("1.01")),
    ]


def test_showcase_1_says_2000_then_1800_then_2000(files):
    assert json.loads(files[1])["entityName"] == "Kwezolira Telecoms Holdings Limited"
    assert history(files[1], "Revenue", "2023-06-30", "2022-07-01") == [
        ("2023-09-13", "20-F", 2_000_000_000),
        ("2023-10-30", "20-F/A", 1_800_000_000),
        ("2024-09-13", "20-F", 2_000_000_000),
    ]
    assert history(files[1], "Revenue", "2022-12-31", "2022-07-01") == [
        ("2023-02-16", "6-K", 900_000_000),
        ("2024-02-16", "6-K", 900_000_000),
    ]


def test_showcase_2_is_a_bank_that_withdraws_its_dividends(files):
    assert json.loads(files[2])["entityName"] == "Zumarela Bank Limited"
    dividends = history(files[2], "DividendsPaidClassifiedAsFinancingActivities", "2021-12-31", "2021-01-01")
    assert dividends == [("2022-03-21", "20-F", 5_950_000_000), ("2023-03-21", "20-F", None)]
    assert history(files[2], "Revenue", "2024-09-30", "2024-01-01") == [("2024-11-11", "6-K", 88_800_000_000)]
    assert history(files[2], "DepositsFromCustomers", "2024-12-31") == [
        ("2025-03-21", "20-F", 840_000_000_000)
    ]


def test_each_later_filing_is_news():
    world = World()
    one, two = (companyfacts.later_filing(world, 0, number) for number in (1, 2))
    assert (one.name, one.facts) == ("CIK9000000000-later-1.json", 6)
    assert one.fetched_at == datetime(2026, 1, 7, 6, tzinfo=UTC)
    assert history(one.content, "Revenue", "2024-12-31", "2024-01-01") == [
        ("2026-01-06", "6-K", 1_299_000_000)
    ]
    assert history(two.content, "Revenue", "2024-12-31", "2024-01-01") == [
        ("2026-01-07", "6-K", 1_298_000_000)
    ]
    assert history(two.content, "Revenue", "2025-03-31", "2025-01-01") == [("2026-01-07", "6-K", 327_000_000)]
    known = {fact["accn"] for _, _, fact in rows(companyfacts.companyfacts(world, 0))}
    new = [{fact["accn"] for _, _, fact in rows(document.content)} for document in (one, two)]
    assert [len(numbers) for numbers in new] == [1, 1]
    assert new[0] != new[1]
    assert known.isdisjoint(new[0] | new[1])


def test_an_issuer_outside_the_world_is_refused():
    with pytest.raises(IndexError, match="issuers 0 to 19"):
        World().issuer(20)


def test_the_command_writes_the_documents_and_a_manifest(tmp_path):
    command = [sys.executable, "-m", "demo", "--facts", "15000", "--jobs", "2", "--out", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True)
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    assert (manifest["facts"], manifest["issuers"], manifest["license_class"]) == (15_000, 60, "synthetic")
    entry, *others = manifest["documents"]
    assert [
        (other["name"], other["source"], other["format"], other["fetched_at"]) for other in others[:5]
    ] == [
        ("gleif-000.csv", "demo-gleif", "gleif", "2026-01-05T06:00:00Z"),
        ("gleif-delta.json", "demo-gleif", "gleif", "2026-01-06T06:00:00Z"),
        ("listings-2020.csv", "demo-listings", "listings", "2020-01-06T06:00:00Z"),
        ("listings-000.csv", "demo-listings", "listings", "2026-01-05T06:00:00Z"),
        ("cik-lei-000.csv", "demo-cik-lei", "cik-lei", "2026-01-05T06:00:00Z"),
    ]
    content = (tmp_path / entry["name"]).read_bytes()
    assert content == companyfacts.part(World(facts=15_000), 0).content
    assert entry == {
        "name": "companyfacts-00000.zip",
        "source": "demo-companyfacts",
        "format": "sec-companyfacts",
        "fetched_at": "2026-01-05T06:00:00Z",
        "sha256": hashlib.sha256(content).hexdigest(),
        "facts": 15_000,
    }


def test_nine_in_ten_concepts_are_line_items_of_the_service():
    if not LINE_ITEMS.exists():
        pytest.skip(f"{LINE_ITEMS.name} does not exist yet")
    mapped = set(re.findall(r"[\w-]+:\w+", LINE_ITEMS.read_text(encoding="utf-8")))
    used = {
        f"{taxonomy}:{line.concept(taxonomy)}"
        for sector in SECTORS
        for line in sector.core + sector.optional
        for taxonomy in (IFRS, US_GAAP)
    }
    assert len(used & mapped) >= 0.9 * len(used), f"not mapped: {sorted(used - mapped)}"
