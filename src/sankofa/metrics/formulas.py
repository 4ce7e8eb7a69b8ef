"""Metrics-v1: every ratio with its formula and inputs. Code, catalogue and methodology page come from here.

The rules for all of them are in `derive.py`: one currency, one full year and its adjacent one, and no
value without a denominator above zero. An amount that was not reported is missing, never zero.
"""

from __future__ import annotations

import hashlib

from sankofa.metrics.terms import (
    BANK,
    INSURER,
    MARKERS,
    Amount,
    Expression,
    Metric,
    average,
    flow,
    stock,
    this_year,
    year_before,
)

METHODOLOGY = "metrics-v1"
_DERIVATION = 3  # raised when metrics of the same formulas are derived in another way

AMOUNTS: dict[str, Amount] = {
    "revenue": flow("revenue"),
    "cost of sales": flow("cost_of_sales"),
    "gross profit": flow("gross_profit", "revenue - cost_of_sales"),
    "operating income": flow("operating_income"),
    "depreciation and amortisation": flow("depreciation_amortisation"),
    "interest": flow("finance_costs", "interest_expense"),
    "profit before tax": flow("profit_before_tax"),
    "income tax": flow("income_tax"),
    "net income": flow("net_income", "net_income_attributable_to_parent"),
    "net income of the owners": flow("net_income_attributable_to_parent", "net_income"),
    "research and development": flow("research_and_development_expense"),
    "operating cash flow": flow("operating_cash_flow"),
    "capital expenditure": flow("capex"),
    "dividends": flow("dividends_paid"),
    "net interest income": flow("net_interest_income"),
    "non-interest income": flow("non_interest_income"),
    "non-interest expense": flow("non_interest_expense"),
    "credit losses": flow("credit_loss_expense"),
    "insurance revenue": flow("insurance_revenue"),
    "insurance service expenses": flow("insurance_service_expenses"),
    "total assets": stock("total_assets"),
    "current assets": stock("current_assets"),
    "cash": stock("cash_and_equivalents"),
    "inventories": stock("inventories"),
    "receivables": stock("trade_receivables", "trade_and_other_receivables"),
    "total liabilities": stock("total_liabilities", "total_assets - equity"),
    "current liabilities": stock("current_liabilities"),
    "equity": stock("equity", "equity_attributable_to_parent"),
    "equity of the owners": stock("equity_attributable_to_parent", "equity"),
    "debt": stock(
        "borrowings",
        "current_borrowings + long_term_borrowings",
        "short_term_borrowings + current_portion_of_long_term_borrowings + long_term_borrowings",
        "short_term_borrowings + long_term_debt",
    ),
    "loans to customers": stock("loans_to_customers"),
    "customer deposits": stock("customer_deposits"),
}

_FINANCIALS = (BANK, INSURER)


def _now(name: str) -> Expression:
    return this_year(name, AMOUNTS[name])


def _mean(name: str) -> Expression:
    return average(name, AMOUNTS[name])


def _growth(slug: str, name: str, misleads_for: tuple[str, ...] = ()) -> Metric:
    before = year_before(name, AMOUNTS[name])
    definition = f"By how much {name} rose or fell, as a share of the year before."
    return Metric(slug, "growth", definition, _now(name) - before, before, misleads_for)


METRICS: tuple[Metric, ...] = (
    Metric(
        "gross_margin",
        "margins",
        "What is left of revenue after the cost of what was sold.",
        _now("gross profit"),
        _now("revenue"),
        _FINANCIALS,
    ),
    Metric(
        "operating_margin",
        "margins",
        "What is left of revenue after all cost of operations.",
        _now("operating income"),
        _now("revenue"),
        _FINANCIALS,
    ),
    Metric(
        "ebitda_margin",
        "margins",
        "Operating income before depreciation and amortisation, as a share of revenue.",
        _now("operating income") + _now("depreciation and amortisation"),
        _now("revenue"),
        _FINANCIALS,
    ),
    Metric(
        "pretax_margin",
        "margins",
        "What is left of revenue before income tax.",
        _now("profit before tax"),
        _now("revenue"),
    ),
    Metric(
        "net_margin",
        "margins",
        "What is left of revenue after everything.",
        _now("net income"),
        _now("revenue"),
    ),
    Metric(
        "free_cash_flow_margin",
        "margins",
        "Cash from operations less capital expenditure, as a share of revenue.",
        _now("operating cash flow") - _now("capital expenditure"),
        _now("revenue"),
        _FINANCIALS,
    ),
    Metric(
        "return_on_equity",
        "returns",
        "What the owners' equity earned.",
        _now("net income of the owners"),
        _mean("equity of the owners"),
    ),
    Metric(
        "return_on_assets",
        "returns",
        "What all assets earned.",
        _now("net income"),
        _mean("total assets"),
    ),
    Metric(
        "return_on_capital_employed",
        "returns",
        "What long-term capital earned before interest and tax.",
        _now("operating income"),
        _now("total assets") - _now("current liabilities"),
        _FINANCIALS,
    ),
    _growth("revenue_growth", "revenue"),
    _growth("operating_income_growth", "operating income", _FINANCIALS),
    _growth("net_income_growth", "net income"),
    _growth("asset_growth", "total assets"),
    _growth("equity_growth", "equity"),
    Metric(
        "current_ratio",
        "liquidity",
        "What is current on one side over what is current on the other.",
        _now("current assets"),
        _now("current liabilities"),
        _FINANCIALS,
    ),
    Metric(
        "quick_ratio",
        "liquidity",
        "The same without inventories, which must first be sold.",
        _now("current assets") - _now("inventories"),
        _now("current liabilities"),
        _FINANCIALS,
    ),
    Metric(
        "cash_ratio",
        "liquidity",
        "The part of current liabilities that cash at hand would pay.",
        _now("cash"),
        _now("current liabilities"),
        _FINANCIALS,
    ),
    Metric(
        "debt_to_equity",
        "leverage",
        "Borrowings over equity.",
        _now("debt"),
        _now("equity"),
        _FINANCIALS,
    ),
    Metric(
        "liabilities_to_assets",
        "leverage",
        "The part of assets that is owed to others.",
        _now("total liabilities"),
        _now("total assets"),
    ),
    Metric(
        "equity_ratio",
        "leverage",
        "The part of assets that equity carries.",
        _now("equity"),
        _now("total assets"),
    ),
    Metric(
        "net_debt_to_ebitda",
        "leverage",
        "Years of income before depreciation that would pay the borrowings that cash does not cover.",
        _now("debt") - _now("cash"),
        _now("operating income") + _now("depreciation and amortisation"),
        _FINANCIALS,
    ),
    Metric(
        "interest_coverage",
        "coverage",
        "How many times operating income pays the interest.",
        _now("operating income"),
        _now("interest"),
        _FINANCIALS,
    ),
    Metric(
        "cash_flow_to_debt",
        "coverage",
        "The part of the borrowings that a year's cash from operations would pay.",
        _now("operating cash flow"),
        _now("debt"),
        _FINANCIALS,
    ),
    Metric(
        "asset_turnover",
        "efficiency",
        "Revenue for one unit of assets.",
        _now("revenue"),
        _mean("total assets"),
        _FINANCIALS,
    ),
    Metric(
        "inventory_turnover",
        "efficiency",
        "How many times a year inventories were sold.",
        _now("cost of sales"),
        _mean("inventories"),
        _FINANCIALS,
    ),
    Metric(
        "receivables_turnover",
        "efficiency",
        "How many times a year customers paid what they owed.",
        _now("revenue"),
        _mean("receivables"),
        _FINANCIALS,
    ),
    Metric(
        "cash_conversion",
        "cash",
        "Cash from operations for one unit of net income.",
        _now("operating cash flow"),
        _now("net income"),
        _FINANCIALS,
    ),
    Metric(
        "capital_intensity",
        "cash",
        "Capital expenditure as a share of revenue.",
        _now("capital expenditure"),
        _now("revenue"),
        _FINANCIALS,
    ),
    Metric(
        "research_intensity",
        "cash",
        "Research and development as a share of revenue.",
        _now("research and development"),
        _now("revenue"),
    ),
    Metric(
        "tax_burden",
        "cash",
        "Income tax as a share of profit before tax.",
        _now("income tax"),
        _now("profit before tax"),
    ),
    Metric(
        "dividend_payout",
        "cash",
        "Dividends paid as a share of the owners' net income.",
        _now("dividends"),
        _now("net income of the owners"),
    ),
    Metric(
        "cost_to_income",
        "banks and insurers",
        "A bank's expense other than interest, as a share of its income.",
        _now("non-interest expense"),
        _now("net interest income") + _now("non-interest income"),
    ),
    Metric(
        "loan_to_deposit",
        "banks and insurers",
        "Loans to customers over their deposits.",
        _now("loans to customers"),
        _now("customer deposits"),
    ),
    Metric(
        "net_interest_to_assets",
        "banks and insurers",
        "Net interest income for one unit of assets.",
        _now("net interest income"),
        _mean("total assets"),
    ),
    Metric(
        "credit_loss_rate",
        "banks and insurers",
        "The year's charge for credit losses, as a share of loans to customers.",
        _now("credit losses"),
        _mean("loans to customers"),
    ),
    Metric(
        "claims_ratio",
        "banks and insurers",
        "Claims and other cost of insurance, as a share of insurance revenue.",
        _now("insurance service expenses"),
        _now("insurance revenue"),
    ),
)

BY_SLUG = {metric.slug: metric for metric in METRICS}
# The line items that the derivation reads.
LINE_ITEMS = frozenset(item for metric in METRICS for item in metric.inputs) | frozenset().union(
    *MARKERS.values()
)


def reference(slug: str) -> str:
    """Return the `methodology_ref` of a metric."""
    return f"{METHODOLOGY}#{slug}"


def version() -> str:
    """Return the version of the set: a short hash of all that decides a value. Texts are not part of it."""
    deciding = [f"derivation {_DERIVATION}"] + [
        f"{metric.slug}|{metric.above.terms}|{metric.above.over}|{metric.below.terms}|{metric.below.over}"
        f"|{sorted(item for kind in metric.misleads_for for item in MARKERS[kind])}"
        for metric in METRICS
    ]
    return hashlib.sha256("\n".join(deciding).encode()).hexdigest()[:12]
