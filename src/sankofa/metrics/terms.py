"""The terms of formulas: amounts of a year or of the one before, their sums, and one sum over another."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

BANK, INSURER = "banks", "insurers"
# Beginnings of codes of the Standard Industrial Classification: depository and other credit institutions;
# insurance carriers.
INDUSTRIES = {BANK: ("60", "61"), INSURER: ("63",)}
# Where no industry is known, an issuer that reports several of these for a year is a bank or an insurer in
# that year. One alone proves nothing: a maker of machines may lend to its customers.
MARKERS = {
    BANK: frozenset(
        {"customer_deposits", "loans_to_customers", "deposits_from_banks", "net_interest_income"}
    ),
    INSURER: frozenset(
        {
            "insurance_revenue",
            "insurance_contract_liabilities",
            "insurance_service_expenses",
            "premiums_written",
        }
    ),
}


MARKERS_NEEDED = 2


def kinds_of(sic: str | None, reported_items: set[str]) -> set[str]:
    """Return whether an issuer is a bank or an insurer: by its industry, or without one by its line items."""
    if sic is not None:
        return {kind for kind, beginnings in INDUSTRIES.items() if sic.startswith(beginnings)}
    return {kind for kind, markers in MARKERS.items() if len(markers & reported_items) >= MARKERS_NEEDED}


@dataclass(frozen=True, slots=True)
class Part:
    """A line item that is added or subtracted."""

    line_item: str
    sign: int = 1


@dataclass(frozen=True, slots=True)
class Amount:
    """An amount that a formula needs, as the first of several options that a filer reported in full.

    A flow is reported for the year, a stock on its last day.
    """

    options: tuple[tuple[Part, ...], ...]
    is_stock: bool

    @property
    def line_items(self) -> frozenset[str]:
        """Every line item of its options."""
        return frozenset(part.line_item for option in self.options for part in option)

    def description(self) -> str:
        """Return the options as text for the methodology page."""
        return " or else ".join(_describe(option) for option in self.options)


def flow(*options: str) -> Amount:
    """Return an amount of the year; an option is a line item, or several with + and - between them."""
    return Amount(tuple(_parts(option) for option in options), is_stock=False)


def stock(*options: str) -> Amount:
    """Return an amount on the last day of the year."""
    return Amount(tuple(_parts(option) for option in options), is_stock=True)


def _parts(option: str) -> tuple[Part, ...]:
    first, *others = option.split()
    signs, items = others[::2], others[1::2]
    return Part(first), *(
        Part(item, 1 if sign == "+" else -1) for sign, item in zip(signs, items, strict=True)
    )


def _describe(option: tuple[Part, ...]) -> str:
    first, *others = option
    text = first.line_item + "".join(f" {'+' if part.sign > 0 else '-'} {part.line_item}" for part in others)
    return f"({text})" if others else text


@dataclass(frozen=True, slots=True)
class Term:
    """An amount of this year (0) or of the year before (1), multiplied by `times`."""

    name: str
    amount: Amount
    years_back: int
    times: int = 1


@dataclass(frozen=True, slots=True)
class Expression:
    """A sum of terms, divided by a whole number."""

    terms: tuple[Term, ...]
    text: str
    over: int = 1

    def __add__(self, other: Expression) -> Expression:
        return Expression(self.terms + other.terms, f"{self.text} + {other.text}")

    def __sub__(self, other: Expression) -> Expression:
        taken = tuple(Term(term.name, term.amount, term.years_back, -term.times) for term in other.terms)
        return Expression(self.terms + taken, f"{self.text} - {other.text}")


class Needed(NamedTuple):
    """An amount that a metric needs, in this year (0), the year before (1) or both."""

    name: str
    amount: Amount
    years_back: tuple[int, ...]


@dataclass(frozen=True)
class Metric:
    """A ratio: what is above the line, what is below it, and for whom it would mislead."""

    slug: str
    family: str
    definition: str
    above: Expression
    below: Expression
    misleads_for: tuple[str, ...] = ()

    @cached_property
    def deciding(self) -> frozenset[str]:
        """Every line item that may decide its value, or that there is none."""
        return frozenset(self.inputs).union(*(MARKERS[kind] for kind in self.misleads_for))

    @property
    def formula(self) -> str:
        """The formula in words of the page."""
        above, below = (
            f"({side.text})" if len(side.terms) > 1 and side.over == 1 else side.text
            for side in (self.above, self.below)
        )
        return f"{above} / {below}"

    @cached_property
    def needed(self) -> tuple[Needed, ...]:
        """Its amounts, each with the years that it is needed for."""
        found: dict[str, Needed] = {}
        for term in (*self.above.terms, *self.below.terms):
            years = found[term.name].years_back if term.name in found else ()
            found[term.name] = Needed(term.name, term.amount, tuple(sorted({*years, term.years_back})))
        return tuple(found.values())

    @cached_property
    def weights(self) -> tuple[tuple[tuple[int, int, int], ...], ...]:
        """Its terms above and below the line: a factor, the place in `needed`, and that of the year there."""
        places = {needed.name: place for place, needed in enumerate(self.needed)}
        return tuple(
            tuple(
                (term.times, place, self.needed[place].years_back.index(term.years_back))
                for term in side.terms
                for place in (places[term.name],)
            )
            for side in (self.above, self.below)
        )

    @cached_property
    def inputs(self) -> tuple[str, ...]:
        """Every line item that it may rest on, sorted."""
        return tuple(sorted({item for needed in self.needed for item in needed.amount.line_items}))

    @cached_property
    def current(self) -> tuple[frozenset[str], frozenset[str]]:
        """The flows and the stocks of the year itself among its inputs: the first of these publishes it."""
        flows, stocks = set[str](), set[str]()
        for _, amount, years_back in self.needed:
            if 0 in years_back:
                (stocks if amount.is_stock else flows).update(amount.line_items)
        return frozenset(flows), frozenset(stocks)


def this_year(name: str, amount: Amount) -> Expression:
    """Return an amount of the year."""
    return Expression((Term(name, amount, 0),), name)


def year_before(name: str, amount: Amount) -> Expression:
    """Return the same amount of the year before."""
    return Expression((Term(name, amount, 1),), f"{name} of the year before")


def average(name: str, amount: Amount) -> Expression:
    """Return the mean of a stock at the two ends of the year."""
    return Expression((Term(name, amount, 0), Term(name, amount, 1)), f"average {name}", over=2)
