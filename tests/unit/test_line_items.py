"""The line-item map: sound as it stands, and refused where it would not be."""

from __future__ import annotations

import csv
import hashlib
from pathlib import Path

import pytest

from sankofa.fundamentals.line_items import UnsoundMap, line_items, load_map, map_version, read

FILE = Path(__file__).parents[2] / "src" / "sankofa" / "fundamentals" / "line_items.csv"
HEADER = "line_item,rank,concept,kind,definition,unless,when\n"
EXPECTED = {
    "revenue",
    "cost_of_sales",
    "gross_profit",
    "operating_income",
    "finance_costs",
    "interest_expense",
    "profit_before_tax",
    "income_tax",
    "net_income",
    "net_income_attributable_to_parent",
    "eps_basic",
    "eps_diluted",
    "total_assets",
    "current_assets",
    "cash_and_equivalents",
    "inventories",
    "trade_receivables",
    "total_liabilities",
    "current_liabilities",
    "equity",
    "equity_attributable_to_parent",
    "short_term_borrowings",
    "long_term_borrowings",
    "operating_cash_flow",
    "capex",
    "dividends_paid",
    "depreciation_amortisation",
    "shares_outstanding",
    "weighted_shares_basic",
    "weighted_shares_diluted",
    "net_interest_income",
    "loans_to_customers",
    "customer_deposits",
    "insurance_revenue",
}


def rows():
    with FILE.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_a_concept_stands_in_a_line_item_once():
    places = [(row["line_item"], row["concept"]) for row in rows()]
    assert len(places) == len(set(places))


def test_a_concept_that_stands_for_two_totals_does_so_under_a_condition():
    """The group's total and the owners' share of it are the same only without outside owners."""
    by_concept = {}
    for row in rows():
        by_concept.setdefault(row["concept"], []).append(row)
    for concept, places in by_concept.items():
        assert sum(not row["unless"] for row in places) <= 1, concept


def test_a_condition_is_about_other_concepts_of_the_same_taxonomy():
    """A filer's own concepts stand beside those of us-gaap."""
    for row in rows():
        taxonomy = row["concept"].partition(":")[0]
        together = ("us-gaap:", "ext:") if taxonomy in ("us-gaap", "ext") else f"{taxonomy}:"
        conditions = [*row["unless"].split(), *row["when"].split()]
        assert row["concept"] not in conditions
        assert all(concept.startswith(together) for concept in conditions)


def test_ranks_run_from_one_without_a_gap():
    ranks = {}
    for row in rows():
        ranks.setdefault(row["line_item"], []).append(int(row["rank"]))
    assert all(given == list(range(1, len(given) + 1)) for given in ranks.values())


def test_what_an_analyst_expects_is_there_and_defined():
    items = {item.name: item for item in line_items()}
    assert items.keys() >= EXPECTED
    assert all(item.definition.endswith(".") for item in items.values())
    assert items["revenue"].kind == "monetary"
    assert items["eps_basic"].kind == "per_share"
    assert items["shares_outstanding"].kind == "shares"


def test_the_loaded_map_is_the_file():
    assert [(e.line_item, str(e.rank), e.concept, e.kind, *map(" ".join, e[4:])) for e in load_map()] == [
        (row["line_item"], row["rank"], row["concept"], row["kind"], row["unless"], row["when"])
        for row in rows()
    ]


def test_the_version_is_a_hash_of_what_is_mapped():
    columns = ("line_item", "rank", "concept", "kind", "unless", "when")
    lines = sorted(f"{','.join(row[column] for column in columns)}\n" for row in rows())
    assert map_version(load_map()) == hashlib.sha256("".join(lines).encode()).hexdigest()[:12]
    assert map_version(reversed(load_map())) == map_version(load_map())
    assert map_version(load_map()[1:]) != map_version(load_map())


@pytest.mark.parametrize(
    "text",
    [
        "line_item,rank,concept,kind\na,1,x:A,monetary\n",
        HEADER + "a,1,x:A,monetary,A.,,\na,2,x:A,monetary,,,\n",
        HEADER + "a,1,x:A,monetary,A.,,\na,3,x:B,monetary,,,\n",
        HEADER + "a,2,x:A,monetary,A.,,\na,1,x:B,monetary,,,\n",
        HEADER + "a,1,x:A,monetary,A.,,\nb,1,x:B,monetary,B.,,\na,2,x:C,monetary,,,\n",
        HEADER + "a,1,x:A,monetary,A.,,\na,2,x:B,shares,,,\n",
        HEADER + "a,1,x:A,money,A.,,\n",
        HEADER + "a,1,x:A,monetary,,,\n",
        HEADER + "a,1,x:A,monetary,A.,,\na,2,x:B,monetary,Again.,,\n",
        HEADER + "A b,1,x:A,monetary,A.,,\n",
        HEADER + "a,1,A,monetary,A.,,\n",
        HEADER + "a,one,x:A,monetary,A.,,\n",
        HEADER + "a,1,x:A,monetary,,\n",
        HEADER + "a,1,x:A,monetary,A.,B,\n",
        HEADER + "a,1,x:A,monetary,A.,\n",
    ],
)
def test_an_unsound_map_is_refused(text):
    with pytest.raises(UnsoundMap):
        read(text)
