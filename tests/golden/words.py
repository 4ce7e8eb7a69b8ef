"""The words by which statements name their headline lines, after the label was made plain."""

from __future__ import annotations

import re

_RESULT = "(?:net )?(?:income|earnings|profit|loss|income or loss|earnings or loss|profit or loss)"
_SALES = (
    "(?:net |operating |consolidated |gross |net operating )*(?:revenues?|sales|turnover|sales to customers)"
)
_MORE = "(?: (?:and|including) (?:other )?(?:operating )?(?:revenues?|sales|income|other))*"
_OWNERS = "(?:stockholders?|shareholders?|shareowners?|share owners?|owners?|members?|partners?|unitholders?)"
_NET_CASH = (
    "(?:total |net )*cash (?:flows? )?(?:inflow |outflow )?(?:provided|used|from|generated|required)?.*?"
)


def plain(label):
    """Return a label in lower case, without what stands in brackets, marks and numbers."""
    text = label.lower().replace("\u2019", "'").replace("&amp;", "and").replace("&", " and ")
    text = re.sub(r"\([^)]*\)", " ", text)
    text = re.sub(r"['`]", "", text)
    text = re.sub(r"non-?controlling", "noncontrolling", text)
    text = re.sub(r"[^a-z]+", " ", text).strip()
    text = re.sub(
        r"\bloss income\b", "income", re.sub(r"\b(income|earnings|profit)(?: or)? loss\b", r"\1", text)
    )
    text = re.sub(r"^(?:less|plus|add|memo)\b ?", "", text)
    text = re.sub(r" (?:note|notes|see note|footnote)(?: [a-z])?$", "", text).strip()
    return "net loss" if text == "net" else text


def _is(pattern):
    return re.compile(rf"(?:{pattern})").fullmatch


# Income statement.
is_total_revenue = _is(
    rf"total {_SALES}{_MORE}(?: net)?(?: of interest expense)?|{_SALES}{_MORE} total"
    rf"|total (?:net )?revenues? net of interest expense|total revenues net"
)
is_whole_revenue = _is("total (?:net )?(?:revenues?|sales)|(?:net )?(?:revenues?|sales) total")
is_revenue = _is(rf"{_SALES}{_MORE}(?: net)?")
is_tax_on_sales = re.compile(r"excise|value added|sales tax|taxes on (?:sales|revenue)").search
is_gross_profit = _is("gross (?:profit|margin)(?: total)?")
is_operating_income = _is(
    "(?:total |consolidated )?operating (?:income|profit|earnings|loss)(?: total)?"
    "|(?:income|earnings|profit|loss) from operations"
)
is_profit_before_tax = _is(
    f"{_RESULT}(?: from continuing operations)? before (?:provision for |benefit from )?"
    "(?:income )?tax(?:es)?"
    "(?: expense| provision)?(?: on income)?"
)
is_income_tax = _is(
    "(?:total )?(?:provision|benefit) for (?:income )?tax(?:es)?(?: on income)?|income tax(?:es)?"
    "(?: expense| provision| benefit)?(?: total)?|(?:provision )?for income taxes|taxes on income"
    "|total income taxes"
)
is_result = _is("(?:consolidated |total )?net (?:income|earnings|profit|loss)(?: for the (?:period|year))?")
is_any_result = re.compile(
    r"^(?:consolidated |total )?net (?:income|earnings|profit|loss)\b"
    r"|^(?:income|earnings|loss) (?:including|before|prior to) .*(?:noncontrolling|minority)"
).search
is_not_of_all_owners = re.compile(
    r"common|(?<!after dividends on )preferred"
    r"|per |share$|share |dilut|basic|continuing|discontinued|available|applicable"
    r"|participating|tax"
    r"|extraordinary|cumulative"
).search
is_of_owners = re.compile(r"attributable to|allocat|\bcontrolling interests$|^after dividends").search
is_outside_share = re.compile(r"noncontrolling|minority|^(?:preferred )?dividends? .*subsidiar").search
is_with_outside_share = re.compile(r"including|before|prior to").search
# Balance sheet.
is_total_assets = _is("total assets|assets total")
is_plain_total = _is("total")
is_both_sides = _is(
    "total (?:liabilities|liability).*(?:equity|deficit|deficiency|capital|investment|interests?)"
    "|(?:liabilities|total capitalization) and .*total|total capitalization and liabilities"
)
is_total_liabilities = _is("total liabilities|liabilities total")
is_current_assets = _is("total current assets|current assets total|assets current total")
is_current_liabilities = _is("total current liabilities|current liabilities total|liabilities current total")
is_cash = _is("cash|cash and (?:cash )?equivalents?|cash cash equivalents|cash and cash equivalents at cost")
is_any_cash = re.compile(r"\bcash\b").search
is_equity = _is(
    rf"(?:total )?(?:[a-z ]+ )?{_OWNERS} "
    r"(?:equity|investment|capital|deficit|deficiency|interest|equity deficit)(?: total)?"
    rf"|total (?:[a-z ]+ )?(?:equity|capital|deficit)|(?:total )?equity(?: total)?"
)
is_part_of_equity = re.compile(
    r"common|preferred|preference|before|excluding|other|liabilities|including|temporary|mezzanine|paid in"
    r"|working|capital stock|lease|regulatory"
).search
is_outside_equity = re.compile(r"noncontrolling|minority").search
is_with_outside_equity = re.compile(r"including|before|excluding|liabilities").search
is_total_debt = _is("total (?:debt|borrowings|indebtedness|notes payable and other borrowings)")
is_long_term_debt = _is(
    "(?:total )?(?:other )?long term (?:debt|borrowings)(?: net| less .*| net of .*| excluding .*"
    "| due after .*| noncurrent| non current)?"
)
is_current_part = _is(
    "current (?:portion|maturities|installments|instalments) of long term (?:debt|borrowings)"
    "|long term debt (?:due|payable) within one year|long term debt current(?: portion)?"
)
is_short_term_debt = _is("(?:total )?short term (?:debt|borrowings)")
is_commercial_paper = _is("commercial paper")
# Cash flow statement.
is_operating_cash = _is(
    rf"{_NET_CASH}operating activities(?: net| total)?|operating activities(?: net)? total"
)
is_investing_cash = _is(rf"{_NET_CASH}(?:investing|investment) activities(?: net| total)?")
is_financing_cash = _is(rf"{_NET_CASH}financing activities(?: net| total)?")
is_part_of_cash = re.compile(
    r"discontinued|continuing|before|excluding|adjust|reconcil|changes? in|effect"
).search
is_capital_expenditure = _is(
    "capital expenditures|(?:purchases?|additions?|acquisitions?|payments?) (?:of|to|for) property"
    "(?: plant)?(?: and)? equipment"
)
