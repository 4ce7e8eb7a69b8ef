"""Generated issuers that publish, complete, restate, withdraw and restate again, filing by filing."""

from __future__ import annotations

from datetime import date, timedelta

from oracle.metrics import Statement

FLOWS = ("revenue", "net_income", "net_income_attributable_to_parent")
STOCKS = ("total_assets", "equity", "equity_attributable_to_parent", "current_assets", "current_liabilities")
OF_BANKS = ("customer_deposits", "loans_to_customers")
CONCEPTS = {
    "revenue": "ifrs-full:Revenue",
    "net_income": "ifrs-full:ProfitLoss",
    "net_income_attributable_to_parent": "ifrs-full:ProfitLossAttributableToOwnersOfParent",
    "total_assets": "ifrs-full:Assets",
    "equity": "ifrs-full:Equity",
    "equity_attributable_to_parent": "ifrs-full:EquityAttributableToOwnersOfParent",
    "current_assets": "ifrs-full:CurrentAssets",
    "current_liabilities": "ifrs-full:CurrentLiabilities",
    "customer_deposits": "ifrs-full:DepositsFromCustomers",
    "loans_to_customers": "ifrs-full:LoansAndAdvancesToCustomers",
}


def history(rng):
    """Return an issuer's filings in the order of their days: lists of statements of one day each."""
    years = fiscal_years(rng)
    is_bank = rng.random() < 0.08
    lines = [line for line in (*FLOWS, *STOCKS) if rng.random() < 0.8]
    lines += OF_BANKS if is_bank else []
    filings = []
    for number, year in enumerate(years):
        filed = year[1] + timedelta(days=rng.randrange(40, 130))
        said = [statement(rng, filed, year, line) for line in lines if rng.random() < 0.85]
        if number and rng.random() < 0.6:
            said += [statement(rng, filed, years[number - 1], line) for line in lines if rng.random() < 0.25]
        if rng.random() < 0.05:
            said += [statement(rng, filed, year, line, unit="USD") for line in lines if rng.random() < 0.9]
        filings.append(said)
    for _ in range(rng.choice((0, 1, 1, 2, 3, 4))):
        year = rng.choice(years)
        filed = year[1] + timedelta(days=rng.randrange(20, 900))
        amended = [*lines, *OF_BANKS] if rng.random() < 0.1 else lines
        filings.append([statement(rng, filed, year, line) for line in amended if rng.random() < 0.3])
    days = {}
    for said in filings:
        for one in said:
            days.setdefault(one.filed, {})[one[1:5]] = one  # a day has one filing, and says a thing once
    return [list(days[day].values()) for day in sorted(days)]


def fiscal_years(rng):
    """Return some years one after the other; now and then one is missing or odd in length."""
    first = rng.randrange(2012, 2016)
    years, start = [], date(first, 1, 1)
    weeks = rng.random() < 0.15
    for _ in range(rng.randrange(1, 5)):
        end = start + timedelta(days=363 if weeks else 0) if weeks else date(start.year, 12, 31)
        if rng.random() < 0.05:
            end = start + timedelta(days=rng.choice((348, 349, 357, 372, 379, 380)))
        if rng.random() < 0.93:
            years.append((start, end))
        start = end + timedelta(days=1)
    return years or [(date(first, 1, 1), date(first, 12, 31))]


def statement(rng, filed, year, line, unit="KES"):
    """Return what is said of a line; few different values, so that some are repeated and some return."""
    value = None if rng.random() < 0.06 else rng.choice((0, -1, 1, 2, 3, 7, 10, 10**15 + 1))
    return Statement(filed, line, None if line in (*STOCKS, *OF_BANKS) else year[0], year[1], unit, value)
