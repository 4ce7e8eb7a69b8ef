"""Years of line items in hand-made filings, and how metrics of them are asked for."""

from __future__ import annotations

SCREEN = "/v1/screen"

# By line item: the IFRS concept, and whether it is of a day or of a year.
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


def reports(filer, period, filed, unit="KES", **amounts):
    """Let a filer report a year: line items by their IFRS concepts, flows and stocks each as they are."""
    for line, value in amounts.items():
        concept, is_stock = LINES[line]
        filer.says(
            value,
            filed=filed,
            concept=concept,
            period=(None, period[1]) if is_stock else period,
            unit=unit,
        )
    return filer


def screen(service, metric, **asked):
    response = service.get(SCREEN, metric=metric, **asked)
    assert response.status_code == 200, response.text
    return response.exact


def ranked(service, metric, **asked):
    """Return whom a screen shows, with which value, in its order."""
    rows = screen(service, metric, **asked)["data"]
    assert [row["rank"] for row in rows] == list(range(1, len(rows) + 1))
    return [(service.numbers[row["service_id"]], row["value"]) for row in rows]


def of_issuer(service, number, **asked):
    response = service.get(f"/v1/metrics/{service.ids[number]}", **asked)
    assert response.status_code == 200, response.text
    return {row["metric"]: row["value"] for row in response.exact["data"]}
