"""Panels: figures worked out by hand, exactness, and that everything about a panel is written down."""

from __future__ import annotations

import itertools
import re
from datetime import date
from decimal import Decimal
from fractions import Fraction

import msgspec
import pytest

from sankofa.ask.glossary import FIELDS
from sankofa.core.exact import rounded
from sankofa.core.licences import LICENCES, most_restrictive
from sankofa.ingest.sources import sources
from sankofa.signals.arithmetic import concentration, median, percentile
from sankofa.signals.award_lead_time import AWARD_LEAD_TIME
from sankofa.signals.compute import Cell, signals
from sankofa.signals.panel import Member
from sankofa.signals.panels import PANELS
from sankofa.signals.procurement_demand import PROCUREMENT_DEMAND
from sankofa.signals.reads import open_from
from sankofa.signals.single_bidder_share import SINGLE_BIDDER_SHARE
from sankofa.signals.supplier_concentration import SUPPLIER_CONCENTRATION
from sankofa.signals.tender_value import TENDER_VALUE
from support.repository import ROOT

_origins = itertools.count(1)
MAY = Cell("ZA", date(2024, 5, 1))


def member(events=1, *, party=None, amount="0", joint=False):
    return Member(party, Decimal(amount), events, (next(_origins),), joint)


def earlier(months, cell=MAY):
    return Cell(cell.country, date(cell.month.year, cell.month.month - months, 1))


def figures(panel, counted, cell=MAY):
    """Return the figures of a panel's rows in one cell, by category or currency."""
    rows = signals(panel, by_cell(counted), {cell})
    return {signal.breakdown: msgspec.structs.asdict(signal.figures) for signal in rows}


def by_cell(counted):
    cells = {cell for cell, _ in counted}
    return {cell: {name: counts for (at, name), counts in counted.items() if at == cell} for cell in cells}


def test_demand_worked_out_by_hand():
    """Four processes of one category, three of another, one of none: eight in all.

    Works: buyers A, A, B and one withheld. Of the three with a buyer, 2/3 and 1/3: 4/9 + 1/9 = 5/9.
    Works had 1, 2 and 3 in the months before, 2 on average: 4 / 2 - 1 = 1.
    """
    counted = {
        (MAY, "Works"): [member(2, party="A"), member(party="B"), member()],
        (MAY, "Goods"): [member(3)],
        (MAY, None): [member()],
        **{(earlier(n), "Works"): [member(n, party="A")] for n in (1, 2, 3)},
        (earlier(1), "Goods"): [member(5)],
    }
    assert figures(PROCUREMENT_DEMAND, counted) == {
        "Works": {
            "releases": 4,
            "category_share": Decimal("0.5"),
            "buyer_concentration": Decimal("0.5555555556"),
            "momentum": Decimal(1),
        },
        "Goods": {
            "releases": 3,
            "category_share": Decimal("0.375"),
            "buyer_concentration": None,
            "momentum": None,
        },
    }


@pytest.mark.parametrize("missing", [1, 2, 3])
def test_momentum_is_unknown_unless_the_category_has_processes_in_all_three_months(missing):
    counted = {(earlier(n), "Works"): [member()] for n in (0, 1, 2, 3)}
    assert figures(PROCUREMENT_DEMAND, counted)["Works"]["momentum"] == 0
    # The month itself is known: the country asked for other things then.
    counted[earlier(missing), "Goods"] = counted.pop((earlier(missing), "Works"))
    assert figures(PROCUREMENT_DEMAND, counted)["Works"]["momentum"] is None


def test_months_before_january_are_in_the_year_before():
    january = Cell("ZA", date(2024, 1, 1))
    counted = {(Cell("ZA", date(2023, month, 1)), "Works"): [member()] for month in (10, 11, 12)}
    counted[january, "Works"] = [member(2)]
    assert figures(PROCUREMENT_DEMAND, counted, january)["Works"]["momentum"] == 1
    counted = {(Cell("KE", cell.month), name): counts for (cell, name), counts in counted.items()}
    counted[january, "Works"] = [member(2)]
    assert figures(PROCUREMENT_DEMAND, counted, january)["Works"]["momentum"] is None, "of another country"


def test_demand_rests_on_the_whole_month_and_on_the_months_before_only_if_they_count():
    counted = {
        (MAY, "Works"): [member()],
        (MAY, "Goods"): [member()],
        (MAY, None): [member()],
        **{(earlier(n), "Works"): [member()] for n in (1, 2, 3)},
        (earlier(1), "Goods"): [member()],
    }
    rests_on = {
        signal.breakdown: signal.origins for signal in signals(PROCUREMENT_DEMAND, by_cell(counted), {MAY})
    }
    origins = {place: set(counts[0].origins) for place, counts in counted.items()}
    may = origins[MAY, "Works"] | origins[MAY, "Goods"] | origins[MAY, None]
    before = set().union(*(origins[earlier(n), "Works"] for n in (1, 2, 3)))
    assert rests_on == {"Works": may | before, "Goods": may}


def test_suppliers_worked_out_by_hand():
    """A won 2 awards worth 30, B one worth 10, somebody withheld one worth 60; A and B one of 5 together.

    By value 9/16 + 1/16 = 0.625; by number 4/9 + 1/9 = 5/9. The sum is of all, each once.
    """
    rand = [
        member(2, party="A", amount="30"),
        member(party="B", amount="10.00"),
        member(amount="60.000000000051"),
        member(amount="5", joint=True),
    ]
    counted = {(MAY, "ZAR"): rand, (MAY, "USD"): [member(amount="5")]}
    assert figures(SUPPLIER_CONCENTRATION, counted) == {
        "ZAR": {
            "awards": 5,
            "joint_awards": 1,
            "awards_in_concentration": 3,
            "suppliers": 2,
            "total_value": Decimal("105.0000000001"),
            "concentration_by_value": Decimal("0.625"),
            "concentration_by_count": Decimal("0.5555555556"),
        },
        "USD": {
            "awards": 1,
            "joint_awards": 0,
            "awards_in_concentration": 0,
            "suppliers": 0,
            "total_value": 5,
            "concentration_by_value": None,
            "concentration_by_count": None,
        },
    }
    rests_on = {
        signal.breakdown: signal.origins
        for signal in signals(SUPPLIER_CONCENTRATION, by_cell(counted), {MAY})
    }
    assert rests_on["USD"] == set(counted[MAY, "USD"][0].origins), "the rand awards have no part in it"


def test_lead_times_worked_out_by_hand():
    """Days 3, 3, 10, 40: the middle two are 3 and 10; nine tenths of four are reached with the fourth."""
    counted = {(MAY, "Works"): [member(amount="40"), member(2, amount="3"), member(amount="10")]}
    assert figures(AWARD_LEAD_TIME, counted)["Works"] == {
        "awards": 4,
        "median_days": Decimal("6.5"),
        "p90_days": 40,
    }


@pytest.mark.parametrize(("count", "place"), [(1, 1), (9, 9), (10, 9), (11, 10), (20, 18), (100, 90)])
def test_nine_tenths_are_reached_with_the_nearest_rank(count, place):
    members = [member(amount=str(number)) for number in range(1, count + 1)]
    assert percentile(members, 90) == place
    assert median(members) == Fraction(count + 1, 2)


def test_single_bidders_worked_out_by_hand():
    counted = {(MAY, "Works"): [member(amount="1"), member(2, amount="4")], (MAY, None): [member(amount="1")]}
    assert figures(SINGLE_BIDDER_SHARE, counted) == {
        "Works": {"awards": 3, "single_bidder": 1, "single_bidder_share": Decimal("0.3333333333")}
    }


def test_values_of_tenders_worked_out_by_hand():
    counted = {(MAY, "KES"): [member(2, amount="0.1"), member(amount="12345678901234567.89")]}
    assert figures(TENDER_VALUE, counted) == {
        "KES": {
            "tenders": 3,
            "total_value": Decimal("12345678901234568.09"),
            "median_value": Decimal("0.1"),
        }
    }


@pytest.mark.parametrize(
    ("exact", "nearest"),
    [
        (Fraction(1, 2048), "0.0004882812"),  # 0.00048828125: a tie, and 2 is even
        (Fraction(3, 2048), "0.0014648438"),  # 0.00146484375: a tie, and 8 is even
        (Fraction(-1, 2048), "-0.0004882812"),
        (Fraction(2, 3), "0.6666666667"),
    ],
)
def test_a_tie_goes_to_the_even_digit(exact, nearest):
    assert rounded(exact) == Decimal(nearest)


def test_a_share_that_ends_in_a_tie_is_served_so():
    counted = {(MAY, "Works"): [member()], (MAY, None): [member(2047)]}
    assert figures(PROCUREMENT_DEMAND, counted)["Works"]["category_share"] == Decimal("0.0004882812")


def test_nobody_among_whom_to_share_has_no_concentration():
    assert concentration([]) is None
    assert concentration([7]) == 1


def test_every_licence_class_of_a_source_has_its_place_and_others_are_stricter():
    assert {source.license_class for source in sources().values()} <= set(LICENCES)
    assert most_restrictive(["CC-BY-4.0", "synthetic", "CC0-1.0"]) == "CC-BY-4.0"
    assert most_restrictive(["unverified", "of our own making"]) == "of our own making"


@pytest.mark.parametrize(
    ("as_of", "day", "first_open"),
    [
        (None, "2024-03-01", "2024-03-01"),  # February ended the day before
        (None, "2024-02-29", "2024-02-01"),  # on its last day an edition cannot have had all of it
        ("2024-02-29", "2024-06-15", "2024-03-01"),
        ("2024-02-28", "2024-06-15", "2024-02-01"),
        ("2024-12-31", "2024-12-31", "2024-12-01"),  # the edition's day is the earlier bound
        ("2024-06-30", "2024-03-01", "2024-03-01"),
        ("0001-01-01", "2024-03-01", "0001-01-01"),
    ],
)
def test_a_month_is_closed_once_it_has_ended_by_as_of_and_before_the_edition(as_of, day, first_open):
    asked = date.fromisoformat(as_of) if as_of else None
    assert open_from(asked, date.fromisoformat(day)) == date.fromisoformat(first_open)


def test_there_are_panels_enough_and_their_figures_survive_being_kept():
    assert len(PANELS) >= 4
    encoder = msgspec.json.Encoder(decimal_format="number")
    value = Decimal("12345678901234567890123456789012345678.0123456789")
    kept = TENDER_VALUE.figures(3, value, Decimal("1E-10"))
    assert msgspec.json.decode(encoder.encode(kept), type=TENDER_VALUE.figures) == kept


@pytest.mark.parametrize("panel", PANELS.values(), ids=lambda panel: panel.key)
def test_a_panel_is_described_in_the_docs_word_for_word(panel):
    page = (ROOT / "docs" / "methodology" / "signals.md").read_text(encoding="utf-8")
    sections = dict(re.findall(r"^## `([a-z0-9-]+)`\n(.*?)(?=^## |\Z)", page, re.MULTILINE | re.DOTALL))
    assert set(sections) == set(PANELS)
    said = " ".join(sections[panel.key].split())
    for words in (panel.title, panel.purpose, panel.method, f"`{panel.methodology_ref}`"):
        assert words in said
    for name in panel.figures.__struct_fields__:
        assert f"{panel.row.__name__}.{name}" in FIELDS or name in FIELDS
        assert f"`{name}`" in panel.method
