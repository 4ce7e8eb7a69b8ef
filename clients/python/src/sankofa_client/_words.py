"""Closed sets of words that are too long for a signature.

Made by `generate.py` from the service's OpenAPI page: do not edit.
"""

from typing import Literal

Metric = Literal[
    "gross_margin",
    "operating_margin",
    "ebitda_margin",
    "pretax_margin",
    "net_margin",
    "free_cash_flow_margin",
    "return_on_equity",
    "return_on_assets",
    "return_on_capital_employed",
    "revenue_growth",
    "operating_income_growth",
    "net_income_growth",
    "asset_growth",
    "equity_growth",
    "current_ratio",
    "quick_ratio",
    "cash_ratio",
    "debt_to_equity",
    "liabilities_to_assets",
    "equity_ratio",
    "net_debt_to_ebitda",
    "interest_coverage",
    "cash_flow_to_debt",
    "asset_turnover",
    "inventory_turnover",
    "receivables_turnover",
    "cash_conversion",
    "capital_intensity",
    "research_intensity",
    "tax_burden",
    "dividend_payout",
    "cost_to_income",
    "loan_to_deposit",
    "net_interest_to_assets",
    "credit_loss_rate",
    "claims_ratio",
]
