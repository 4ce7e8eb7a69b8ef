"""Headline items of a statement, read by the words and the order in which the filer prints its lines.

Where a total has parts (the share of outside owners), the reading must add up, or the item is not read.
"""

from __future__ import annotations

from decimal import Decimal

from golden import words

SMALLEST_RESULT = 1000  # less is an amount per share whose unit the filer calls a currency


def income(lines, column):
    """Yield item and line of the income statement."""
    amounts = [line for line in lines if _is_money(column) and column in line.values]
    if revenue := _revenue(amounts, column):
        yield "revenue", revenue
    for item, is_named in (
        ("gross_profit", words.is_gross_profit),
        ("operating_income", words.is_operating_income),
        ("profit_before_tax", words.is_profit_before_tax),
        ("income_tax", words.is_income_tax),
    ):
        if found := _first(amounts, is_named):
            yield item, found
    yield from _result(amounts, column)


def _revenue(amounts, column):
    """Return the line of all revenue: a printed total, else a sum of the first lines, else the first."""
    if total := _first(amounts, words.is_whole_revenue) or _first(amounts, words.is_total_revenue):
        following = amounts[amounts.index(total) + 1 :][:4]
        taxed = any(words.is_tax_on_sales(line.label) for line in following[:2])
        return (taxed and _first(following, words.is_revenue)) or total
    place = next((at for at, line in enumerate(amounts) if words.is_revenue(line.label)), None)
    if place is None:
        return None
    running = amounts[place].values[column]
    for at in range(place + 1, min(place + 9, len(amounts))):
        line = amounts[at]
        if at > place + 1 and line.values[column] == running:
            return line
        if words.is_tax_on_sales(line.label):
            running -= abs(line.values[column])
        else:
            running += line.values[column]
    return amounts[place]


def _result(amounts, column):
    """Yield the result of the group and of its owners: one line, or two that differ by the outside share."""
    results = [
        (place, line)
        for place, line in enumerate(amounts)
        if words.is_any_result(line.label)
        and not words.is_not_of_all_owners(line.label)
        and abs(line.values[column]) >= SMALLEST_RESULT
    ]
    outside = [
        (place, abs(line.values[column]))
        for place, line in enumerate(amounts)
        if words.is_outside_share(line.label)
        and not words.is_with_outside_share(line.label)
        and abs(line.values[column]) >= SMALLEST_RESULT
    ]
    own = [(place, line) for place, line in results if place not in {place for place, _ in outside}]
    if not outside:
        plain = [line for _, line in own if words.is_result(line.label)]
        if plain and all(line.values[column] == plain[0].values[column] for _, line in own):
            yield "net_income", plain[0]
            yield "net_income_attributable_to_parent", plain[0]
        return
    shares = {share for _, share in outside} | {sum(share for _, share in outside)}
    for _, group in own:
        for _, owners in own:
            differs = abs(group.values[column] - owners.values[column]) in shares
            if (
                differs
                and not words.is_of_owners(group.label)
                and amounts.index(owners) > amounts.index(group)
            ):
                yield "net_income", group
                yield "net_income_attributable_to_parent", owners
                return


def per_share(lines, column, owners):
    """Yield earnings per share, if they multiply with the shares beside them to the result of the owners."""
    end, quarters, currency = column
    for item, word in (("eps_basic", "basic"), ("eps_diluted", "diluted")):
        named = [line for line in lines if word in line.label.split()]
        values = [
            (line, value, unit)
            for line in named
            for (last, length, unit), value in line.values.items()
            if (last, length) == (end, quarters)
        ]
        shares = [value for _, value, _ in values if value > 10_000]
        for line, value, _ in reversed(values):
            if abs(value) < 1000 and any(_multiplies(value, count, owners) for count in shares):
                yield item, line, value, f"{currency}/shares"
                break


def _multiplies(each, count, total):
    """Return whether so much for each of so many is the total, but for the rounding of what each has."""
    return abs(each * count - total) <= max(count * Decimal("0.006"), abs(total) / 100)


def balance(lines, column):
    """Yield item and line of the balance sheet."""
    amounts = [line for line in lines if _is_money(column) and column in line.values]
    sides = {line.values[column] for line in amounts if words.is_both_sides(line.label)}
    assets = _first(amounts, words.is_total_assets) or next(
        (line for line in amounts if words.is_plain_total(line.label) and line.values[column] in sides), None
    )
    if assets:
        yield "total_assets", assets
    for item, is_named in (
        ("current_assets", words.is_current_assets),
        ("current_liabilities", words.is_current_liabilities),
        ("total_liabilities", words.is_total_liabilities),
        ("borrowings", words.is_total_debt),
    ):
        if found := _first(amounts, is_named):
            yield item, found
    cash = _first(amounts, words.is_cash)
    if cash and (cash.label != "cash" or sum(bool(words.is_any_cash(line.label)) for line in amounts) == 1):
        yield "cash_and_equivalents", cash
    yield from _debt(amounts)
    yield from _equity(amounts, column, assets)


def _debt(amounts):
    """Yield the parts of debt: which part a line is, its place before or after the current total says."""
    place = next((at for at, line in enumerate(amounts) if words.is_current_liabilities(line.label)), None)
    if place is None:
        return
    current, later = amounts[:place], amounts[place + 1 :]
    for item, is_named, side in (
        ("current_portion_of_long_term_borrowings", words.is_current_part, current),
        ("short_term_borrowings", words.is_short_term_debt, current),
        ("commercial_paper", words.is_commercial_paper, current),
        ("long_term_borrowings", words.is_long_term_debt, later),
    ):
        totals = [line for line in side if line.label.startswith("total ")]
        if found := _first(totals, is_named) or _first(side, is_named):
            yield item, found


def _equity(amounts, column, assets):
    """Yield equity with and without outside owners; the two must differ by what is printed as theirs."""
    totals = [
        (place, line)
        for place, line in enumerate(amounts)
        if words.is_equity(line.label) and not words.is_part_of_equity(line.label) and line is not assets
    ]
    outside = [
        (place, line.values[column])
        for place, line in enumerate(amounts)
        if words.is_outside_equity(line.label)
        and not words.is_with_outside_equity(line.label)
        and line.values[column]
    ]
    if not totals:
        return
    if not outside:
        yield "equity", totals[-1][1]
        yield "equity_attributable_to_parent", totals[-1][1]
        return
    for at, share in outside:
        for place, owners in totals:
            for _, group in totals:
                if place < at and group.values[column] - owners.values[column] == share:
                    yield "equity", group
                    yield "equity_attributable_to_parent", owners
                    return


def cash_flows(lines, column):
    """Yield item and line of the cash flow statement."""
    amounts = [line for line in lines if _is_money(column) and column in line.values]
    for item, is_named in (
        ("operating_cash_flow", words.is_operating_cash),
        ("investing_cash_flow", words.is_investing_cash),
        ("financing_cash_flow", words.is_financing_cash),
    ):
        whole = [line for line in amounts if is_named(line.label) and not words.is_part_of_cash(line.label)]
        parts = [line for line in amounts if "discontinued" in line.label and line.values[column]]
        added = [line for line in whole[1:] if _is_sum(line, amounts, column)]
        if whole and (added or not parts):
            yield item, (added or whole)[0]
    if found := _first(amounts, words.is_capital_expenditure):
        yield "capex", found


def _is_sum(line, amounts, column):
    """Return whether a line is the sum of the two before it: continuing and discontinued operations."""
    place = amounts.index(line)
    return place > 1 and line.values[column] == sum(one.values[column] for one in amounts[place - 2 : place])


def _first(amounts, is_named):
    return next((line for line in amounts if is_named(line.label)), None)


def _is_money(column):
    return len(column[2]) == 3
