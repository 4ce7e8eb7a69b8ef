"""Metrics of real SEC filers, computed anew from the facts that the service serves: no value differs.

The script below states the formulas once more and reads nothing but what a caller could: the facts of
an issuer in all vintages, as of each day. It shares no code with the derivation.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from datetime import UTC, date, datetime, timedelta
from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction

import pytest

from support.real_sec import DATA

pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason=f"no real files at {DATA}; see SANKOFA_REAL_DATA")

NI, NI_OWNERS = (
    ("net_income", "net_income_attributable_to_parent"),
    (
        "net_income_attributable_to_parent",
        "net_income",
    ),
)
EQUITY, EQUITY_OWNERS = (
    ("equity", "equity_attributable_to_parent"),
    ("equity_attributable_to_parent", "equity"),
)
DEBT = (
    "borrowings",
    "current_borrowings+long_term_borrowings",
    "short_term_borrowings+current_portion_of_long_term_borrowings+long_term_borrowings",
    "short_term_borrowings+long_term_debt",
)
GROSS = ("gross_profit", "revenue-cost_of_sales")
REVENUE, ASSETS = ("revenue",), ("total_assets",)
RECEIVABLES = ("trade_receivables", "trade_and_other_receivables")
INTEREST, LIABILITIES = ("finance_costs", "interest_expense"), ("total_liabilities", "total_assets-equity")


def one(name):
    return [(1, (name,), 0)]


def mean(options):
    return [(Fraction(1, 2), options, 0), (Fraction(1, 2), options, 1)]


def growth(options):
    return [(1, options, 0), (-1, options, 1)], [(1, options, 1)]


OPERATING, CASH_FLOW = one("operating_income"), one("operating_cash_flow")
EBITDA = [*OPERATING, (1, ("depreciation_amortisation",), 0)]
CURRENT_LIABILITIES = one("current_liabilities")
SALES = [(1, REVENUE, 0)]
GENERAL = {
    "gross_margin": ([(1, GROSS, 0)], SALES),
    "operating_margin": (OPERATING, SALES),
    "ebitda_margin": (EBITDA, SALES),
    "free_cash_flow_margin": ([*CASH_FLOW, (-1, ("capex",), 0)], SALES),
    "return_on_capital_employed": (OPERATING, [(1, ASSETS, 0), (-1, ("current_liabilities",), 0)]),
    "operating_income_growth": growth(("operating_income",)),
    "current_ratio": (one("current_assets"), CURRENT_LIABILITIES),
    "quick_ratio": ([*one("current_assets"), (-1, ("inventories",), 0)], CURRENT_LIABILITIES),
    "cash_ratio": (one("cash_and_equivalents"), CURRENT_LIABILITIES),
    "debt_to_equity": ([(1, DEBT, 0)], [(1, EQUITY, 0)]),
    "net_debt_to_ebitda": ([(1, DEBT, 0), (-1, ("cash_and_equivalents",), 0)], EBITDA),
    "interest_coverage": (OPERATING, [(1, INTEREST, 0)]),
    "cash_flow_to_debt": (CASH_FLOW, [(1, DEBT, 0)]),
    "asset_turnover": (SALES, mean(ASSETS)),
    "inventory_turnover": (one("cost_of_sales"), mean(("inventories",))),
    "receivables_turnover": (SALES, mean(RECEIVABLES)),
    "cash_conversion": (CASH_FLOW, [(1, NI, 0)]),
    "capital_intensity": (one("capex"), SALES),
}
EVERYBODY = {
    "pretax_margin": (one("profit_before_tax"), SALES),
    "net_margin": ([(1, NI, 0)], SALES),
    "return_on_equity": ([(1, NI_OWNERS, 0)], mean(EQUITY_OWNERS)),
    "return_on_assets": ([(1, NI, 0)], mean(ASSETS)),
    "revenue_growth": growth(REVENUE),
    "net_income_growth": growth(NI),
    "asset_growth": growth(ASSETS),
    "equity_growth": growth(EQUITY),
    "liabilities_to_assets": ([(1, LIABILITIES, 0)], [(1, ASSETS, 0)]),
    "equity_ratio": ([(1, EQUITY, 0)], [(1, ASSETS, 0)]),
    "research_intensity": (one("research_and_development_expense"), SALES),
    "tax_burden": (one("income_tax"), one("profit_before_tax")),
    "dividend_payout": (one("dividends_paid"), [(1, NI_OWNERS, 0)]),
    "cost_to_income": (
        one("non_interest_expense"),
        [*one("net_interest_income"), *one("non_interest_income")],
    ),
    "loan_to_deposit": (one("loans_to_customers"), one("customer_deposits")),
    "net_interest_to_assets": (one("net_interest_income"), mean(ASSETS)),
    "credit_loss_rate": (one("credit_loss_expense"), mean(("loans_to_customers",))),
    "claims_ratio": (one("insurance_service_expenses"), one("insurance_revenue")),
}
OF_A_DAY = {
    *("total_assets", "current_assets", "cash_and_equivalents", "inventories", "trade_receivables"),
    *("trade_and_other_receivables", "total_liabilities", "current_liabilities", "equity"),
    *("equity_attributable_to_parent", "borrowings", "current_borrowings", "long_term_borrowings"),
    *("short_term_borrowings", "current_portion_of_long_term_borrowings", "long_term_debt"),
    *("loans_to_customers", "customer_deposits"),
}
OF_FINANCIALS = (
    {"customer_deposits", "loans_to_customers", "deposits_from_banks", "net_interest_income"},
    {
        *("insurance_revenue", "insurance_contract_liabilities"),
        *("insurance_service_expenses", "premiums_written"),
    },
)
ROUND = Context(prec=100, rounding=ROUND_HALF_EVEN)


class Facts:
    """What was known of an issuer on a day: each value in its newest vintage, and the fiscal years."""

    def __init__(self, rows, industry):
        self.industry = industry
        known = [row for row in rows if row["scope"] == "consolidated"]
        self.values = {}
        for row in sorted(known, key=lambda row: row["vintage"]):
            key = (row["line_item"], row["period_start"], row["period_end"], row["unit"])
            self.values[key] = (Fraction(row["value_reported"]), row["fact_id"])
        self.items = defaultdict(set)
        for item, start, end, _ in self.values:
            self.items[end].add((item, start))
        labelled = {(row["period_start"], row["period_end"]) for row in known if row["period_type"] == "FY"}
        self.years = sorted(
            (year for year in labelled if year[0] and 350 <= days(*year) <= 380), key=lambda y: y[::-1]
        )


def is_financial(facts, end):
    """Return whether it is a bank or an insurer, by its industry or by two things that only these state."""
    if facts.industry:
        return 6000 <= int(facts.industry) < 6200 or 6300 <= int(facts.industry) < 6400
    stated = {item for item, _ in facts.items[end]}
    return any(len(stated & signs) > 1 for signs in OF_FINANCIALS)


def industry_on(service, service_id, day):
    """Return the code of an issuer's industry that was known on a day."""
    (organisation,) = service.get(f"/v1/entities/{service_id}").exact["data"]
    return next(
        (
            one["code"]
            for one in organisation["industries"]
            if (one["since"] or "") <= day and (one["until"] is None or day < one["until"])
        ),
        None,
    )


def days(start, end):
    return (date.fromisoformat(end) - date.fromisoformat(start)).days + 1


def lines(formula):
    """Return the line items of the year itself that a formula may take."""
    return {
        part
        for side in formula
        for _, options, back in side
        if not back
        for option in options
        for part in option.replace("-", "+").split("+")
    }


def latest(facts, formula):
    """Return the last day of the last full year of which an input of a formula is known."""
    wanted = lines(formula)
    ends = [
        end
        for start, end in facts.years
        if any(
            item in wanted and begin == (None if item in OF_A_DAY else start)
            for item, begin in facts.items[end]
        )
    ]
    return max(ends, default=None)


def computed(facts, metric, end):
    """Return the exact value of a year and the ids of the facts that it is from, if there is one."""
    formula = (GENERAL | EVERYBODY)[metric]
    if metric in GENERAL and is_financial(facts, end):
        return None
    units = sorted({unit for _, _, last, unit in facts.values if last == end})
    for this in (year for year in facts.years if year[1] == end):
        before = (date.fromisoformat(this[0]) - timedelta(days=1)).isoformat()
        priors = [y for y in facts.years if y[1] == before and abs(days(*y) - days(*this)) <= 7] or [None]
        for prior in priors:
            for unit in units:
                found = amounts(facts, formula, (this, prior), unit)
                if found:
                    above, below = (sum(times * found[o, b][0] for times, o, b in side) for side in formula)
                    ids = {fact for _, several in found.values() for fact in several}
                    return (above / below, ids) if below > 0 else None
    return None


def amounts(facts, formula, years, unit):
    found = {}
    backs = defaultdict(set)
    for side in formula:
        for _, options, back in side:
            backs[options].add(back)
    for options, needed in backs.items():
        if any(years[back] is None for back in needed):
            return None
        for option in options:
            read = {back: added(facts, option, years[back], unit) for back in needed}
            if all(read.values()):
                found |= {(options, back): amount for back, amount in read.items()}
                break
        else:
            return None
    return found


def added(facts, option, year, unit):
    total, ids = Fraction(0), []
    for part in option.replace("-", "+-").split("+"):
        item = part.removeprefix("-")
        value = facts.values.get((item, None if item in OF_A_DAY else year[0], year[1], unit))
        if value is None:
            return None
        total += -value[0] if part.startswith("-") else value[0]
        ids.append(value[1])
    return total, ids


def rounded(exact):
    scaled = exact * 10**10
    return (
        ROUND.divide(Decimal(scaled.numerator), Decimal(scaled.denominator))
        .quantize(Decimal(1), context=ROUND)
        .scaleb(-10, context=ROUND)
    )


@pytest.mark.heavy
def test_every_metric_of_real_filers_follows_from_their_facts(filers):
    withdrawn = {
        row[0]
        for row in filers.rows(
            "SELECT service_id FROM serving.fundamentals_fact WHERE withdrawn_at IS NOT NULL"
        )
    }
    issuers = [row[0] for row in filers.rows("SELECT service_id FROM serving.issuer_coverage ORDER BY 1")]
    counted = Counter()
    today = datetime.now(UTC).date().isoformat()
    for service_id in issuers:
        if service_id in withdrawn:
            counted["issuers with a withdrawn value, left to the audit"] += 1
            continue
        rows = every_vintage(filers, service_id, today)
        now = Facts(rows, industry_on(filers, service_id, today))
        filed = sorted({row["available_at"] for row in rows})
        for day in {today, *filed[-8:]}:
            compare(filers, service_id, day, now, counted)
    print(f"{len(issuers)} issuers: {dict(counted)}")
    assert counted["values"] > 1_000
    assert counted["differences"] == 0


def every_vintage(service, service_id, day):
    """Return all rows as of a day, with the labels that they had then."""
    rows, cursor = [], {}
    while True:
        body = service.get(f"/v1/fundamentals/{service_id}", vintages="all", as_of=day, **cursor).exact
        rows += body["data"]
        if not body["next_cursor"]:
            return rows
        cursor = {"cursor": body["next_cursor"]}


def compare(service, service_id, day, now, counted):
    """Compare what is served on a day with what the facts of that day and of all days give."""
    served = {
        row["metric"]: (row["period_end"], row["value"], set(row["inputs"]))
        for row in service.get(f"/v1/metrics/{service_id}", as_of=day).exact["data"]
    }
    then = Facts(every_vintage(service, service_id, day), industry_on(service, service_id, day))
    for metric, formula in (GENERAL | EVERYBODY).items():
        end = latest(then, formula)
        known, final = (computed(facts, metric, end) if end else None for facts in (then, now))
        expected = None
        if known and final and known == final:
            expected = (end, rounded(final[0]), final[1])
        counted["values" if expected else "no value"] += 1
        if served.get(metric) != expected:
            counted["differences"] += 1
            print(service_id, day, metric, served.get(metric), expected)
