"""Headline items of a company facts file, by the labels in the file and by what must add up.

The file shows no statements. So where several labels could be meant, the one counts that adds up with the
others of the same filing: assets less liabilities are equity, what belongs to owners and outsiders is the
result of all.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from datetime import date
from decimal import Decimal

from golden.data_sets import Stated
from golden.words import plain

FORMS = {"10-K", "10-Q", "20-F", "40-F", "6-K", "10-K/A", "10-Q/A", "20-F/A", "40-F/A", "6-K/A"}
TOLERANCE = Decimal("0.02")  # of earnings per share times shares, against the result

STOCKS = {
    "total_assets": r"assets",
    "current_assets": r"assets current|current assets",
    "current_liabilities": r"liabilities current|current liabilities",
    "total_liabilities": r"liabilities",
    "cash_and_equivalents": r"cash and cash equivalents(?: at carrying value)?",
    "borrowings": r"borrowings",
}
FLOWS = {
    "gross_profit": r"gross profit",
    "operating_income": r"operating income|profit from operating activities",
    "operating_cash_flow": r"net cash provided by (?:used in )?operating activities"
    r"|cash flows from (?:used in )?operating activities",
    "investing_cash_flow": r"net cash provided by (?:used in )?investing activities"
    r"|cash flows from (?:used in )?investing activities",
    "financing_cash_flow": r"net cash provided by (?:used in )?financing activities"
    r"|cash flows from (?:used in )?financing activities",
}
PER_SHARE = {
    "eps_basic": (
        r"earnings per share basic|basic earnings per share",
        r"basic|^weighted average shares|average number of ordinary",
    ),
    "eps_diluted": (r"earnings per share diluted|diluted earnings per share", r"dilut|adjusted weighted"),
}
_REVENUE = re.compile(
    r"(?:sales )?revenues?(?: net)?"
    r"|revenues? from contracts? with customers?(?: (?:ex|in)cluding assessed tax)?"
    r"|revenues net of interest expense|sales revenue (?:goods|services)(?: net)?"
    r"|revenue from sale of (?:goods|gold|services)"
).fullmatch
_EQUITY = re.compile(
    r"(?:stockholders )?equity(?: attributable to (?:parent|owners of parent))?"
    r"|stockholders equity including portion attributable to noncontrolling interest|total equity"
).fullmatch
_OUTSIDE_EQUITY = re.compile(
    r"noncontrolling interests?|minority interest|stockholders equity attributable to noncontrolling interest"
).fullmatch
_RESULT = re.compile(
    r"profit|net income|net income attributable to parent|profit attributable to owners of parent"
    r"|net income including portion attributable to noncontrolling interest|profit or loss"
).fullmatch
_OF_OWNERS = re.compile(r".*attributable to (?:owners of )?parent").fullmatch
_OUTSIDE_RESULT = re.compile(r"(?:net income|profit) attributable to noncontrolling interests?").fullmatch
_COST = re.compile(r"cost of (?:sales|revenue|goods and services sold|goods sold)").fullmatch


def stated(path):
    """Yield the headline items of a file: each period as the first filing that has it states it."""
    document = json.loads(path.read_text(), parse_float=Decimal, parse_int=Decimal)
    cik, name = f"{int(document['cik']):010d}", document["entityName"]
    seen = set()
    for (filed, accession), columns in sorted(_filings(document).items()):
        for (start, end, unit), facts in sorted(columns.items()):
            for item, concept, value, its_unit in _read(facts, start, end, unit, columns):
                key = (item, start, end, its_unit)
                if key not in seen:
                    seen.add(key)
                    yield Stated(
                        cik,
                        name,
                        item,
                        start,
                        end,
                        f"{value.normalize():f}",
                        its_unit,
                        concept,
                        accession,
                        filed,
                    )


def _filings(document):
    """Return label and value by filing, column and concept."""
    filings = defaultdict(lambda: defaultdict(dict))
    for taxonomy, tags in document["facts"].items():
        for tag, described in tags.items():
            words = described.get("label") or re.sub(r"(?<=[a-z])(?=[A-Z])", " ", tag)
            label = re.sub(r" deprecated$", "", plain(words))
            for unit, rows in described["units"].items():
                for row in rows:
                    if row["form"] in FORMS and row["val"] is not None:
                        column = (row.get("start") or "", row["end"], unit)
                        filings[row["filed"], row["accn"]][column][f"{taxonomy}:{tag}"] = (label, row["val"])
    return filings


def _read(facts, start, end, unit, columns):
    """Yield item, concept, value and unit of one column of a filing."""
    if not re.fullmatch("[A-Z]{3}", unit):
        return
    if not start:
        yield from _named(facts, STOCKS, unit)
        yield from _equity(facts, unit, has_outsiders=_has_outsiders(columns))
        return
    days = (date.fromisoformat(end) - date.fromisoformat(start)).days + 1
    if not (80 <= days <= 100 or 350 <= days <= 380):
        return
    yield from _named(facts, FLOWS, unit)
    yield from _revenue(facts, unit)
    results = dict(_results(facts, has_outsiders=_has_outsiders(columns)))
    for item, (concept, value) in results.items():
        yield item, concept, value, unit
    if "net_income_attributable_to_parent" in results:
        owners = results["net_income_attributable_to_parent"][1]
        yield from _per_share(start, end, unit, columns, owners)


def _named(facts, items, unit):
    """Yield the items that one label of the filing names; several concepts must agree on the value."""
    for item, pattern in items.items():
        found = _matching(facts, re.compile(pattern).fullmatch)
        if found and len({value for _, value in found}) == 1:
            yield item, *found[0], unit


def _revenue(facts, unit):
    """Yield the revenue from which cost of sales leaves the gross profit, else the largest of that name."""
    found = _matching(facts, _REVENUE)
    costs = {value for _, value in _matching(facts, _COST)}
    profits = {value for _, value in _matching(facts, re.compile("gross profit").fullmatch)}
    fitting = [one for one in found if any(one[1] - cost in profits for cost in costs)]
    if found:
        yield "revenue", *max(fitting or found, key=lambda one: one[1]), unit


def _equity(facts, unit, *, has_outsiders):
    """Yield equity of all and of the owners, if it is what liabilities leave of assets."""
    found, outside = _matching(facts, _EQUITY), _matching(facts, _OUTSIDE_EQUITY)
    assets, owed = (_matching(facts, re.compile(name).fullmatch) for name in ("assets", "liabilities"))
    if not (found and assets and owed):
        return
    left = assets[0][1] - owed[0][1]
    whole = [one for one in found if one[1] == left]
    if not whole:
        return
    yield "equity", *whole[0], unit
    share = outside[0][1] if outside else Decimal(0)
    owners = [one for one in found if one[1] == left - share]
    of_owners = [_OF_OWNERS(facts[concept][0]) is not None for concept, _ in owners]
    if any(of_owners) and (outside or not has_outsiders):
        yield "equity_attributable_to_parent", *owners[0], unit


def _has_outsiders(columns):
    """Return whether a filing states anything of outside owners."""
    return any(
        value
        for facts in columns.values()
        for is_named in (_OUTSIDE_EQUITY, _OUTSIDE_RESULT)
        for _, value in _matching(facts, is_named)
    )


def _results(facts, *, has_outsiders):
    """Yield the result of all and that of the owners, which differ by what outsiders have."""
    found, outside = _matching(facts, _RESULT), _matching(facts, _OUTSIDE_RESULT)
    share = outside[0][1] if outside else Decimal(0)
    for whole in found if share else ():
        for owners in found:
            is_pair = _OF_OWNERS(facts[owners[0]][0]) and not _OF_OWNERS(facts[whole[0]][0])
            if is_pair and abs(whole[1] - owners[1]) == abs(share):
                yield "net_income", whole
                yield "net_income_attributable_to_parent", owners
                return
    if share or len({value for _, value in found}) != 1:
        return
    of_owners = [_OF_OWNERS(facts[concept][0]) is not None for concept, _ in found]
    if not (has_outsiders and all(of_owners)):
        yield "net_income", found[0]
    if any(of_owners):  # else nothing is stated of the owners
        yield "net_income_attributable_to_parent", found[0]


def _per_share(start, end, unit, columns, owners):
    """Yield earnings per share that, times the shares of the same filing, are the result of the owners."""
    each = columns.get((start, end, f"{unit}/shares"), {}) | {
        concept: fact for concept, fact in columns[start, end, unit].items() if "per share" in fact[0]
    }
    shares = columns.get((start, end, "shares"), {})
    for item, (pattern, of_shares) in PER_SHARE.items():
        for concept, value in _matching(each, re.compile(pattern).fullmatch):
            counts = [count for _, count in _matching(shares, re.compile(of_shares).search)]
            if any(
                abs(value * count - owners) <= max(abs(owners) * TOLERANCE, count * Decimal("0.006"))
                for count in counts
            ):
                yield item, concept, value, f"{unit}/shares"
                break


def _matching(facts, is_named):
    return [(concept, value) for concept, (label, value) in sorted(facts.items()) if is_named(label)]
