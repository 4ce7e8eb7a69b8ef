"""The books: years of statements that balance, one function per sector.

Amounts are integers in the issuer's own scale (units, thousands, millions) and shares of an amount are
basis points rounded down, so every identity is exact:
assets = liabilities + equity, closing cash = opening cash + the three cash flows,
closing equity = opening equity + profit - dividends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from demo.lines import BANK, GENERAL, INSURER

Statement = dict[str, int]


class Habits(NamedTuple):
    """How a business runs, in basis points of its top line unless said otherwise."""

    cost: int  # what the top line costs directly
    margin: int  # what is left after running costs
    debt: int
    equity: int  # in the first year; later years follow from the results
    payout: int = 3_000  # dividends, of the profit
    interest: int = 900  # of the debt


def part(amount: int, points: int) -> int:
    """Return that many basis points of an amount."""
    return amount * points // 10_000


def years(sector: str, tops: list[int], habits: Habits, wobble: Callable[[], int]) -> list[Statement]:
    """Return a year of statements for each top line but the first, which only opens the books."""
    books = BOOKS[sector](tops, habits, wobble)
    before = next(books)
    statements = []
    for now in books:
        _add_cash_flows(before, now)
        statements.append(now)
        before = now
    return statements


def _general(tops: list[int], habits: Habits, wobble: Callable[[], int]) -> Iterator[Statement]:
    equity = 0
    for top in tops:
        cost = part(top, habits.cost + wobble())
        operating = top - cost - part(top, 10_000 - habits.cost - habits.margin + wobble())
        debt = part(top, habits.debt)
        costs = part(debt, habits.interest)
        year = _result(operating - costs, habits)
        equity = _roll(equity, top, year, habits)
        current, noncurrent = part(top, 1_800), debt + part(top, 300)
        stock, owed, cash = (
            part(top, 1_200 + wobble()),
            part(top, 1_400 + wobble()),
            part(top, 800 + wobble()),
        )
        assets = current + noncurrent + equity
        fixed = assets - stock - owed - cash
        yield year | {
            "revenue": top,
            "cost_of_sales": cost,
            "gross_profit": top - cost,
            "operating_profit": operating,
            "finance_costs": costs,
            "assets": assets,
            "current_assets": stock + owed + cash,
            "noncurrent_assets": fixed,
            "fixed": fixed,
            "plant": part(fixed, 8_000),
            "inventories": stock,
            "receivables": owed,
            "cash": cash,
            "liabilities": current + noncurrent,
            "current_liabilities": current,
            "noncurrent_liabilities": noncurrent,
            "borrowings": debt,
            "equity": equity,
        }


def _bank(tops: list[int], habits: Habits, wobble: Callable[[], int]) -> Iterator[Statement]:
    equity = 0
    for top in tops:
        interest = part(top, habits.cost + wobble())
        fees = part(top, 2_000 + wobble())
        losses = part(top, 800 + wobble())
        expenses = top - interest + fees - losses - part(top, habits.margin + wobble())
        year = _result(top - interest + fees - losses - expenses, habits)
        equity = _roll(equity, top, year, habits)
        loans = top * 7
        deposits, debt = part(loans, 12_000 + wobble()), part(top, habits.debt)
        liabilities = deposits + debt + part(top, 300)
        yield year | {
            "revenue": top + fees,
            "interest_income": top,
            "interest_expense": interest,
            "net_interest_income": top - interest,
            "fee_income": fees,
            "impairment": losses,
            "operating_expenses": expenses,
            "assets": liabilities + equity,
            "loans": loans,
            "cash": part(deposits, 1_500 + wobble()),
            "plant": part(top, 2_500),
            "fixed": part(top, 2_500),
            "deposits": deposits,
            "borrowings": debt,
            "liabilities": liabilities,
            "equity": equity,
        }


def _insurer(tops: list[int], habits: Habits, wobble: Callable[[], int]) -> Iterator[Statement]:
    equity = 0
    for top in tops:
        claims = part(top, habits.cost + wobble())
        promised, debt = part(top, 18_000 + wobble()), part(top, habits.debt)
        income, costs = part(promised, 900), part(debt, habits.interest)
        expenses = top - claims + income - costs - part(top, habits.margin + wobble())
        year = _result(top - claims + income - costs - expenses, habits)
        equity = _roll(equity, top, year, habits)
        liabilities = promised + debt + part(top, 300)
        cash, owed, plant = part(top, 2_000 + wobble()), part(top, 1_500 + wobble()), part(top, 800)
        yield year | {
            "revenue": top + income,
            "insurance_revenue": top,
            "insurance_expenses": claims,
            "insurance_result": top - claims,
            "investment_income": income,
            "operating_expenses": expenses,
            "finance_costs": costs,
            "assets": liabilities + equity,
            "investments": liabilities + equity - cash - owed - plant,
            "cash": cash,
            "receivables": owed,
            "plant": plant,
            "fixed": plant,
            "insurance_liabilities": promised,
            "borrowings": debt,
            "liabilities": liabilities,
            "equity": equity,
        }


BOOKS = {GENERAL.name: _general, BANK.name: _bank, INSURER.name: _insurer}


def _result(before_tax: int, habits: Habits) -> Statement:
    """Tax a profit (never a loss) and pay dividends out of what is left."""
    tax = part(max(before_tax, 0), 3_000)
    profit = before_tax - tax
    return {
        "profit_before_tax": before_tax,
        "income_tax": tax,
        "profit": profit,
        "dividends_paid": part(max(profit, 0), habits.payout),
    }


def _roll(equity: int, top: int, year: Statement, habits: Habits) -> int:
    """Carry equity forward; the first year opens it."""
    return equity + year["profit"] - year["dividends_paid"] if equity else part(top, habits.equity)


def _add_cash_flows(before: Statement, now: Statement) -> None:
    """Explain the change in cash: long-lived assets, lenders and owners, and operations as the rest."""
    investing = before["fixed"] - now["fixed"] - part(before["fixed"], 800)
    financing = now["borrowings"] - before["borrowings"] - now["dividends_paid"]
    now["investing_cash_flow"] = investing
    now["capital_expenditure"] = part(max(-investing, 0), 9_000)
    now["financing_cash_flow"] = financing
    now["operating_cash_flow"] = now["cash"] - before["cash"] - investing - financing
