"""Line items as hand-made filings state them: the IFRS concept, and whether it is of a day or of a year."""

from __future__ import annotations

LINES = {
    "revenue": ("ifrs-full:Revenue", False),
    "cost_of_sales": ("ifrs-full:CostOfSales", False),
    "operating_income": ("ifrs-full:ProfitLossFromOperatingActivities", False),
    "net_income": ("ifrs-full:ProfitLoss", False),
    "net_income_attributable_to_parent": ("ifrs-full:ProfitLossAttributableToOwnersOfParent", False),
    "total_assets": ("ifrs-full:Assets", True),
    "current_assets": ("ifrs-full:CurrentAssets", True),
    "current_liabilities": ("ifrs-full:CurrentLiabilities", True),
    "inventories": ("ifrs-full:Inventories", True),
    "equity": ("ifrs-full:Equity", True),
    "equity_attributable_to_parent": ("ifrs-full:EquityAttributableToOwnersOfParent", True),
    "borrowings": ("ifrs-full:Borrowings", True),
    "customer_deposits": ("ifrs-full:DepositsFromCustomers", True),
    "loans_to_customers": ("ifrs-full:LoansAndAdvancesToCustomers", True),
}
