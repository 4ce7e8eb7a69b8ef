"""The accounts of CVM statements: turn a row into concept, period, unit and value, or a reason why not.

The chart of accounts has one code for different things at banks, insurers and other companies. So a fixed
account is named by its code and by the commission's name of it. The name of a free account is written by the
filer and may hold anything, even a person's name: only a hash of it is stored. Costs are negative, as in the
form.
"""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import date
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from sankofa.entities.folding import fold
from sankofa.fundamentals.model import CONSOLIDATED, FiledFact
from sankofa.ingest.bytes.bounds import Limits, Rejections, exact
from sankofa.ingest.days import iso_day
from sankofa.ingest.filings.facts import FactKey

COLUMNS = (
    *("CD_CVM", "DT_REFER", "VERSAO", "DENOM_CIA", "GRUPO_DFP", "MOEDA", "ESCALA_MOEDA", "DT_FIM_EXERC"),
    *("CD_CONTA", "DS_CONTA", "VL_CONTA", "ST_CONTA_FIXA"),
)
OPTIONAL = (
    "DT_INI_EXERC",
    "COLUNA_DF",
)  # balance sheets lack the former, all but changes in equity the latter

_GROUP, _COMPANY = "DF Consolidado", "DF Individual"
_CURRENCIES = {"REAL": "BRL"}
_SCALES = {"UNIDADE": "", "MIL": "E3"}
_ACCOUNT = re.compile(r"[1-9](?:\.[0-9]{2,3}){0,8}")
_AMOUNT = re.compile(r"-?[0-9]{1,64}(?:\.[0-9]{1,64})?")
_INSTANT = re.compile(r"[12](?:\..*)?")  # balance sheets: assets, and liabilities with equity
_PER_SHARE = re.compile(r"3\.99(?:\..*)?")  # in reais per share, whatever scale the form has
_HEADINGS = frozenset({"3.99", "3.99.01", "3.99.02"})  # above the lines for each class of shares
_SHARE_CLASS = re.compile(r"ON|PN[A-H]?")
_HASH_DIGITS = 12


class Line(NamedTuple):
    """One row of a statement, as written, in the order of the columns above."""

    filer: str
    period: str
    version: str
    name: str
    group: str
    currency: str
    scale: str
    end: str
    account: str
    label: str
    amount: str
    is_fixed: str
    start: str
    column: str


def fact_of(line: Line, limits: Limits) -> tuple[FactKey, Decimal] | str:
    """Return the fact of a row, or the reason why it has none."""
    accounts = line.group.partition(" - ")[0]
    if accounts != _GROUP:
        return "separate_accounts" if accounts == _COMPANY else "unknown_scope"
    if line.column:
        return "dimensional"
    if line.account in _HEADINGS:
        return "heading"
    key, value = _key(line), _value(line, limits)
    if isinstance(key, str):
        return key
    return value if isinstance(value, str) else (key, value)


def filled(facts: Iterable[FiledFact], rejections: Rejections) -> Iterator[FiledFact]:
    """Yield facts without parts that are all zero although their total is not.

    The form has a zero for every blank field, such as the division of a result among owners.
    """
    totals: dict[tuple[str, date | None, date], Decimal | None] = {}
    parts = defaultdict(list)
    for fact in facts:
        account = fact.concept.partition(":")[2].partition("-")[0]
        totals[account, fact.period_start, fact.period_end] = fact.value
        parts[account.rpartition(".")[0], fact.period_start, fact.period_end].append(fact)
    for total, found in parts.items():
        if totals.get(total) and not any(part.value for part in found):
            rejections.add("left_blank", f"{found[0].concept} {found[0].period_end}", len(found))
        else:
            yield from found


def _key(line: Line) -> FactKey | str:
    concept = _concept(line.account, line.label, line.is_fixed)
    if concept is None:
        return "bad_concept"
    if line.currency not in _CURRENCIES:
        return "bad_unit"
    period = _period(line.start, line.end, is_instant=_INSTANT.fullmatch(line.account) is not None)
    if period is None:
        return "bad_date"
    if period[0] and period[0] > period[1]:
        return "period_reversed"
    per = "/shares" if _PER_SHARE.fullmatch(line.account) else ""
    return concept, *period, _CURRENCIES[line.currency] + per, CONSOLIDATED


def _value(line: Line, limits: Limits) -> Decimal | str:
    """Return the value in units. A result per share of zero is a field that was left blank."""
    if not _AMOUNT.fullmatch(line.amount):
        return "bad_value"
    if line.scale not in _SCALES:
        return "bad_scale"
    is_per_share = _PER_SHARE.fullmatch(line.account)
    value = exact(Decimal(line.amount + ("" if is_per_share else _SCALES[line.scale])), limits)
    if value is None:
        return "value_out_of_range"
    return "left_blank" if is_per_share and not value else value


@lru_cache(1 << 14)
def _concept(account: str, label: str, is_fixed: str) -> str | None:
    """Return code and name of a fixed account or a class of shares, and code and hash of a free account."""
    name = label.strip()
    if not _ACCOUNT.fullmatch(account) or not name or is_fixed not in ("S", "N"):
        return None
    if is_fixed == "S":
        return f"cvm:{account}-{''.join(map(str.capitalize, re.findall('[a-z0-9]+', fold(name))))}"
    heading, _, _ = account.rpartition(".")
    if heading in _HEADINGS and _SHARE_CLASS.fullmatch(name):
        return f"cvm:{heading}-{name}"
    return f"cvm-own:{account}-{hashlib.sha256(name.encode()).hexdigest()[:_HASH_DIGITS]}"


@lru_cache(1 << 12)
def _period(start: str, end: str, *, is_instant: bool) -> tuple[date | None, date] | None:
    """Return the first and the last day of a span, or None and the day of an instant."""
    first, last = iso_day(start), iso_day(end)
    is_odd = bool(start) if is_instant else first is None
    return None if last is None or is_odd else (first, last)
