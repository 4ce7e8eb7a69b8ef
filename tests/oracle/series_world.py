"""Generated documents of series from several sources, dated around a day, and what each states.

Values, days and series are so few that they meet: values come back after another, snapshots share a day,
two sources state one key, and what a publisher dates tomorrow is read today.
"""

from __future__ import annotations

import hashlib
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import NamedTuple
from zoneinfo import ZoneInfo

from oracle.series import Head, Statement
from oracle.series_histories import alfred_answer
from support.bank_tables import page, wide
from support.stated_macro import rates

# An aggregate of the Bank and the franc of several countries are of no single country.
AREAS = {"KEN": "KEN", "GHA": "GHA", "UGA": "UGA", "TZA": "TZA", "USA": "USA", "SSF": None}
CURRENCIES = {"USD": "USA", "KES": "KEN", "ZAR": "ZAF", "GBP": "GBR", "XOF": None}
INDICATORS = ("NY.GDP.MKTP.CD", "AU.DIT.ONE", "AU.DIT.TWO", "AU.DIT.TEN")
UNITS = {
    "GDP (current US$)": "USD",
    "Prices (annual %)": "percent",
    "Index (2010 = 100)": "index",
    "Firms": None,
}
PERIODS = {
    "annual": {str(year): date(year, 1, 1) for year in range(2018, 2025)},
    "quarterly": {f"2024Q{number}": date(2024, 3 * number - 2, 1) for number in range(1, 5)},
    "monthly": {f"2025M{number:02}": date(2025, number, 1) for number in range(1, 7)},
}
SUFFIXES = {"annual": "", "quarterly": ".Q", "monthly": ".M"}
BANKS = ("world-bank", "demo-world-bank", "demo-world-bank-again")
WRITTEN = ("1", "2", "2.0", "-0.5", "12345678901234567.123456789", None)
RATES = ("1.1", "2", "2.50", "0.000001", None)
FIRST_RATES = date(1999, 1, 4)
FRANKFURT = ZoneInfo("Europe/Berlin")
PAST, DAY = 25, timedelta(days=1)


class Told(NamedTuple):
    """One document, which group of series it is about, and what it states of them."""

    source: str
    group: str
    content: bytes
    fetched_at: datetime
    statements: list[Statement]
    series: dict[str, str] | None = None  # what the document does not say itself


def world(rng, today, banks):
    """Return documents in the order in which they arrive, which is any."""
    told = [*rate_history(rng, today, "ecb"), *rate_history(rng, today, "demo-fx")]
    groups = [(bank, code, often) for bank in BANKS for code in INDICATORS for often in PERIODS]
    for bank, indicator, frequency in rng.sample(groups, banks):
        told += bank_history(rng, today, bank, indicator, frequency)
    told += long_history(rng, today)
    for source, key, head in indexes():
        told += vintage_history(rng, today, source, key, head)
    once = {(one.source, one.content): one for one in told}
    return rng.sample(list(once.values()), len(once))


def bank_history(rng, today, source, indicator, frequency):
    """Return tables, which are whole, and pages of the API, which are not."""
    columns, suffix = PERIODS[frequency], SUFFIXES[frequency]
    for _ in range(rng.randrange(3, 9)):
        updated = today + rng.randrange(-PAST, 2) * DAY
        name, is_whole = rng.choice(list(UNITS)), rng.random() < 0.6
        areas = rng.sample(sorted(AREAS), rng.randrange(2, len(AREAS) + 1))
        values = {area: {column: rng.choice(WRITTEN) for column in columns} for area in areas}
        if is_whole:
            values = {
                area: {column: text for column, text in row.items() if text} for area, row in values.items()
            }
            content = wide(values, updated, indicator, list(columns), name)
        else:
            values = {area: dict(rng.sample(sorted(row.items()), 3)) for area, row in values.items()}
            content = page(values, updated, indicator, name)
        stated = {
            f"WB.{indicator}.{area}{suffix}": {columns[column]: exact(text) for column, text in row.items()}
            for area, row in values.items()
        }
        heads = {
            f"WB.{indicator}.{area}{suffix}": Head(
                "indicator", frequency, AREAS[area], UNITS[name], indicator, name
            )
            for area in values
        }
        fetched_at = moment(rng, updated, today)
        covers = f"WB.{indicator}." if is_whole else None
        said = Statement(updated, fetched_at, sha256(content), stated, is_whole, covers, heads)
        yield Told(source, indicator + suffix, content, fetched_at, [said])


def long_history(rng, today):
    """Return tables that others make of one indicator; they name no day, so they count from their fetch."""
    indicator, name = "NY.GDP.MKTP.CD", "GDP (current US$)"
    for _ in range(4):
        fetched_at = moment(rng, today - PAST * DAY, today)
        areas = rng.sample(sorted(AREAS), rng.randrange(1, len(AREAS) + 1))
        stated, heads, lines = {}, {}, ["Country Name,Country Code,Year,Value"]
        for area in areas:
            key = f"WB.{indicator}.{area}"
            row = {year: text for year in PERIODS["annual"] if (text := rng.choice(WRITTEN))}
            lines += [f"{area},{area},{year},{text}" for year, text in row.items()]
            if row:
                stated[key] = {PERIODS["annual"][year]: exact(text) for year, text in row.items()}
                heads[key] = Head("indicator", "annual", AREAS[area], "USD", indicator, name)
        content = "\n".join(lines).encode()
        said = Statement(
            fetched_at.date(),
            fetched_at,
            sha256(content),
            stated,
            True,
            f"WB.{indicator}.",
            heads,
            "first_seen",
        )
        if stated:
            yield Told("datahub-gdp", indicator, content, fetched_at, [said])


def rate_history(rng, today, source):
    """Return rates of the euro by day; a history since its first day is whole."""
    for _ in range(rng.randrange(5, 10)):
        fetched_at = moment(rng, today - PAST * DAY, today)
        is_whole = rng.random() < 0.4
        recent = [fetched_at.date() - number * DAY for number in range(-1, 12)]
        days = [*rng.sample(recent, rng.randrange(3, 10)), *([FIRST_RATES] if is_whole else [])]
        stating = rng.sample(sorted(CURRENCIES), rng.randrange(1, len(CURRENCIES) + 1))
        quoted = {day: {currency: rng.choice(RATES) for currency in stating} for day in days}
        content = rates(
            {str(day): {code: text for code, text in row.items() if text} for day, row in quoted.items()}
        )
        # A column is there for the dollar, and for each currency that has a rate on some day.
        columns = {"USD"} | {code for row in quoted.values() for code, text in row.items() if text}
        stated = {
            f"FX.EUR.{code}": {day: exact(row.get(code)) for day, row in quoted.items()} for code in columns
        }
        heads = {
            f"FX.EUR.{code}": Head("fx", "daily", CURRENCIES[code], code, None, None) for code in columns
        }
        seen = max(fetched_at.date(), fetched_at.astimezone(FRANKFURT).date())
        covers = "FX.EUR." if is_whole else None
        said = Statement(
            seen,
            fetched_at,
            sha256(content),
            stated,
            is_whole,
            covers,
            heads,
            "first_seen",
            is_released_daily=True,
        )
        yield Told(source, "FX.EUR", content, fetched_at, [said])


def indexes():
    """Yield series whose answers hold several vintages: source, key, head. The first source is not served."""
    yield (
        "alfred-gdp",
        "FRED.GDP",
        Head("indicator", "quarterly", "USA", "USD", "GDP", "Gross Domestic Product"),
    )
    yield (
        "demo-alfred-gdp",
        "FRED.GDP",
        Head("indicator", "quarterly", "USA", "USD", "GDP", "Invented product"),
    )
    for area in ("KEN", "GHA"):
        head = Head("cpi", "monthly", area, "index", f"{area}CPI", f"Consumer prices, {area}")
        yield f"demo-alfred-{area}", f"CPI.{area}", head
        yield f"demo-alfred-{area}-again", f"CPI.{area}", head._replace(unit="percent")


def vintage_history(rng, today, source, key, head):
    """Return answers of ALFRED about one series: each has several vintages, and they interleave."""
    series = {"key": key, "series_type": head.series_type, "frequency": head.frequency[0].upper()}
    series |= {"country_iso3": head.country, "unit": head.unit}
    series |= {"indicator": head.indicator, "indicator_name": head.indicator_name}
    firsts = sorted(PERIODS[head.frequency].values())
    for _ in range(rng.randrange(2, 5)):
        vintages = {
            today + offset * DAY: {
                first: rng.choice(WRITTEN)
                for first in sorted(rng.sample(firsts, rng.randrange(1, len(firsts))))
            }
            for offset in sorted(rng.sample(range(-PAST, 2), rng.randrange(2, 7)))
        }
        content, fetched_at = alfred_answer(vintages), moment(rng, max(vintages), today)
        statements = [
            Statement(
                day,
                fetched_at,
                sha256(content),
                {key: {first: exact(text) for first, text in row.items()}},
                is_whole=False,
                heads={key: head},
            )
            for day, row in vintages.items()
        ]
        yield Told(source, key, content, fetched_at, statements, series)


def moment(rng, earliest, today):
    """Return some minute from a day on, until today; what is dated tomorrow was fetched today."""
    day = min(earliest, today) + rng.randrange((today - min(earliest, today)).days + 1) * DAY
    return datetime.combine(day, time(rng.randrange(24), rng.randrange(60)), UTC)


def exact(text):
    return None if text is None else Decimal(text)


def sha256(content):
    return hashlib.sha256(content).digest()
