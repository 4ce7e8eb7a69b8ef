"""What each sector reports: the lines of its statements, and what two taxonomies call them.

Lines stand in order of importance: where a filing repeats only some, it repeats the first ones.
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

IFRS = "ifrs-full"
US_GAAP = "us-gaap"


class Kind(Enum):
    """What a line measures, which decides its unit and whether it has a start."""

    FLOW = "money over a period"
    BALANCE = "money on a day"
    PER_SHARE = "money per share over a period"
    SHARES = "shares on a day"


class Line(NamedTuple):
    """One line of a statement."""

    name: str
    kind: Kind
    ifrs: str
    us_gaap: str

    def concept(self, taxonomy: str) -> str:
        """Return the tag that this line has in a taxonomy."""
        return self.ifrs if taxonomy == IFRS else self.us_gaap


class Sector(NamedTuple):
    """What every issuer of a sector reports, what only some do, and which lines are revised together.

    `reclassified` lines move by one amount and leave the result as it is; `corrected` lines carry
    a wrong top line through to the result and the balance sheet.
    """

    name: str
    core: tuple[Line, ...]
    optional: tuple[Line, ...]
    reclassified: tuple[str, ...]
    corrected: tuple[str, ...]


F, B = Kind.FLOW, Kind.BALANCE

REVENUE = Line("revenue", F, "Revenue", "Revenues")
PROFIT = Line("profit", F, "ProfitLoss", "NetIncomeLoss")
ASSETS = Line("assets", B, "Assets", "Assets")
EQUITY = Line("equity", B, "Equity", "StockholdersEquity")
LIABILITIES = Line("liabilities", B, "Liabilities", "Liabilities")
CASH = Line("cash", B, "CashAndCashEquivalents", "CashAndCashEquivalentsAtCarryingValue")
EPS = Line("eps", Kind.PER_SHARE, "BasicEarningsLossPerShare", "EarningsPerShareBasic")
BEFORE_TAX = Line(
    "profit_before_tax",
    F,
    "ProfitLossBeforeTax",
    "IncomeLossFromContinuingOperationsBeforeIncomeTaxesExtraordinaryItemsNoncontrollingInterest",
)
TAX = Line("income_tax", F, "IncomeTaxExpenseContinuingOperations", "IncomeTaxExpenseBenefit")
OPERATING_CASH = Line(
    "operating_cash_flow",
    F,
    "CashFlowsFromUsedInOperatingActivities",
    "NetCashProvidedByUsedInOperatingActivities",
)
INVESTING_CASH = Line(
    "investing_cash_flow",
    F,
    "CashFlowsFromUsedInInvestingActivities",
    "NetCashProvidedByUsedInInvestingActivities",
)
FINANCING_CASH = Line(
    "financing_cash_flow",
    F,
    "CashFlowsFromUsedInFinancingActivities",
    "NetCashProvidedByUsedInFinancingActivities",
)
CAPEX = Line(
    "capital_expenditure",
    F,
    "PurchaseOfPropertyPlantAndEquipmentClassifiedAsInvestingActivities",
    "PaymentsToAcquirePropertyPlantAndEquipment",
)
DIVIDENDS = Line("dividends_paid", F, "DividendsPaidClassifiedAsFinancingActivities", "PaymentsOfDividends")
SHARES = Line("shares", Kind.SHARES, "NumberOfSharesOutstanding", "CommonStockSharesOutstanding")
BORROWINGS = Line("borrowings", B, "Borrowings", "LongTermDebt")
PLANT = Line("plant", B, "PropertyPlantAndEquipment", "PropertyPlantAndEquipmentNet")
FINANCE_COSTS = Line("finance_costs", F, "FinanceCosts", "InterestExpense")
RECEIVABLES = Line("receivables", B, "TradeAndOtherCurrentReceivables", "AccountsReceivableNetCurrent")
EXPENSES = Line("operating_expenses", F, "OperatingExpense", "OperatingExpenses")

HEADLINE = (REVENUE, PROFIT, ASSETS, EQUITY, LIABILITIES, CASH)
CASH_FLOWS = (INVESTING_CASH, FINANCING_CASH, CAPEX, DIVIDENDS)

GENERAL = Sector(
    "general",
    (
        *HEADLINE,
        Line("cost_of_sales", F, "CostOfSales", "CostOfRevenue"),
        Line("gross_profit", F, "GrossProfit", "GrossProfit"),
        Line("operating_profit", F, "ProfitLossFromOperatingActivities", "OperatingIncomeLoss"),
        BEFORE_TAX,
        EPS,
        Line("current_assets", B, "CurrentAssets", "AssetsCurrent"),
        Line("current_liabilities", B, "CurrentLiabilities", "LiabilitiesCurrent"),
        OPERATING_CASH,
        TAX,
        FINANCE_COSTS,
    ),
    (
        Line("noncurrent_assets", B, "NoncurrentAssets", "AssetsNoncurrent"),
        Line("noncurrent_liabilities", B, "NoncurrentLiabilities", "LiabilitiesNoncurrent"),
        BORROWINGS,
        *CASH_FLOWS,
        SHARES,
        Line("inventories", B, "Inventories", "InventoryNet"),
        RECEIVABLES,
        PLANT,
    ),
    reclassified=("revenue", "cost_of_sales"),
    corrected=(
        "revenue",
        "gross_profit",
        "operating_profit",
        "profit_before_tax",
        "profit",
        "eps",
        "receivables",
        "current_assets",
        "assets",
        "equity",
    ),
)

BANK = Sector(
    "bank",
    (
        *HEADLINE,
        Line("interest_income", F, "RevenueFromInterest", "InterestAndDividendIncomeOperating"),
        Line("interest_expense", F, "InterestExpense", "InterestExpense"),
        Line("net_interest_income", F, "InterestRevenueExpense", "InterestIncomeExpenseNet"),
        Line("loans", B, "LoansAndAdvancesToCustomers", "LoansAndLeasesReceivableNetReportedAmount"),
        Line("deposits", B, "DepositsFromCustomers", "Deposits"),
        BEFORE_TAX,
        EPS,
        Line(
            "impairment",
            F,
            "ImpairmentLossImpairmentGainAndReversalOfImpairmentLossDeterminedInAccordanceWithIFRS9",
            "ProvisionForLoanAndLeaseLosses",
        ),
        Line("fee_income", F, "FeeAndCommissionIncome", "NoninterestIncome"),
        TAX,
    ),
    (
        EXPENSES._replace(us_gaap="NoninterestExpense"),
        OPERATING_CASH,
        *CASH_FLOWS,
        SHARES,
        BORROWINGS,
        PLANT,
    ),
    reclassified=("revenue", "interest_income", "interest_expense"),
    corrected=(
        "revenue",
        "interest_income",
        "net_interest_income",
        "profit_before_tax",
        "profit",
        "eps",
        "loans",
        "assets",
        "equity",
    ),
)

INSURER = Sector(
    "insurer",
    (
        *HEADLINE,
        Line("insurance_revenue", F, "InsuranceRevenue", "PremiumsEarnedNet"),
        Line(
            "insurance_expenses",
            F,
            "InsuranceServiceExpensesFromInsuranceContractsIssued",
            "PolicyholderBenefitsAndClaimsIncurredNet",
        ),
        Line("insurance_result", F, "InsuranceServiceResult", "UnderwritingIncomeLoss"),
        Line(
            "insurance_liabilities",
            B,
            "InsuranceContractsIssuedThatAreLiabilities",
            "LiabilityForFuturePolicyBenefits",
        ),
        Line("investments", B, "FinancialAssets", "Investments"),
        BEFORE_TAX,
        EPS,
        Line("investment_income", F, "InvestmentIncome", "NetInvestmentIncome"),
        EXPENSES,
        TAX,
    ),
    (
        FINANCE_COSTS,
        OPERATING_CASH,
        *CASH_FLOWS,
        SHARES,
        BORROWINGS,
        PLANT,
        RECEIVABLES._replace(us_gaap="PremiumsReceivableAtCarryingValue"),
    ),
    reclassified=("revenue", "insurance_revenue", "insurance_expenses"),
    corrected=(
        "revenue",
        "insurance_revenue",
        "insurance_result",
        "profit_before_tax",
        "profit",
        "eps",
        "receivables",
        "assets",
        "equity",
    ),
)

SECTORS = (GENERAL, BANK, INSURER)
