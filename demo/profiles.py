"""Who an issuer is: where it lives, what it does, how it reports, how its business runs, what it revised."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from demo.chance import Chance
from demo.lines import BANK, GENERAL, IFRS, INSURER, US_GAAP, Line, Sector
from demo.names import COUNTRIES, legal_name, word
from demo.statements import Habits, Statement, part, years

OPTIONAL_LINES = 6


class Cadence(Enum):
    """How often an issuer reports."""

    ANNUAL = "annual"
    HALF_YEARLY = "half-yearly"
    QUARTERLY = "quarterly"


ANNUAL_FILINGS = {Cadence.ANNUAL: 8, Cadence.HALF_YEARLY: 7, Cadence.QUARTERLY: 7}


class Revision(NamedTuple):
    """A year whose first figures did not stand, in those of the lines that the issuer reports.

    `first` is added to the lines in the year's own filing, `amended` in an amended filing of that year
    (None: there is none); the next year's comparatives show the lines as they are in the books, or
    as nil where they are `withdrawn`.
    """

    lines: tuple[str, ...]
    first: int = 0
    amended: int | None = None
    withdrawn: bool = False


class Profile(NamedTuple):
    """One issuer. `statements[0]` is the year before its first filing, known only from comparatives."""

    number: int  # place in the world, from 0
    name: str
    country: str
    currency: str
    sector: Sector
    taxonomy: str
    cadence: Cadence
    year_end: int  # month
    scale: int  # what one unit of the statements is worth: 1, 1,000 or 1,000,000
    shares: int
    lines: tuple[Line, ...]
    statements: list[Statement]
    quarters: tuple[int, int, int]  # what the first three quarters earn, percent of the year
    revisions: dict[int, Revision]  # by place in `statements`
    lags: list[int]  # days from each year end to its filing
    interim_lag: int

    @property
    def last_year(self) -> int:
        """Return the newest fiscal year, which ends before 2026 and is filed by then."""
        return 2024 if self.year_end == 12 else 2025  # noqa: PLR2004 - December


def drawn(seed: int, index: int) -> Profile:
    """Draw issuer `index` of a world; no other issuer matters to it."""
    chance = Chance(f"sankofa demo world {seed} issuer {index}")
    country = chance.pick(COUNTRIES)
    sector = chance.pick((GENERAL,) * 14 + (BANK,) * 4 + (INSURER,) * 2)
    cadence = chance.pick((Cadence.ANNUAL,) * 10 + (Cadence.HALF_YEARLY,) * 7 + (Cadence.QUARTERLY,) * 3)
    scale = chance.pick((1, 1_000, 1_000, 1_000_000))
    lines = reported(sector, chance.below(len(sector.optional)))
    filings = ANNUAL_FILINGS[cadence]
    statements = years(
        sector.name,
        _tops(chance, filings + 2, chance.between(100, 999) * 10 ** chance.between(7, 9) // scale),
        Habits(
            cost=chance.between(3_500, 6_500),
            margin=chance.between(400, 2_000),
            debt=chance.between(800, 3_000),
            equity=13_000 if sector is BANK else chance.between(4_500, 8_000),
            payout=chance.between(0, 50) * 100,
            interest=chance.between(500, 1_400),
        ),
        lambda: chance.between(-200, 200),
    )
    return Profile(
        number=index,
        name=legal_name(word(seed, index), sector, country, chance.below(1_000)),
        country=country.code,
        currency="USD" if chance.percent(12) else country.currency,
        sector=sector,
        taxonomy=US_GAAP if chance.percent(15) else IFRS,
        cadence=cadence,
        year_end=chance.pick((12, 12, 12, 12, 6, 6, 3, 3, 9, 2)),
        scale=scale,
        shares=chance.between(10, 999) * 1_000_000,
        lines=lines,
        statements=statements,
        quarters=(chance.between(20, 26), chance.between(22, 27), chance.between(22, 27)),
        revisions=_revisions(chance, sector, lines, statements),
        lags=[_lag(chance) for _ in range(filings - 1)] + [chance.between(55, 88)],
        interim_lag=chance.between(35, 60),
    )


def reported(sector: Sector, turn: int) -> tuple[Line, ...]:
    """Return the lines an issuer reports: the core, and six optional ones from place `turn` around."""
    around = sector.optional[turn:] + sector.optional[:turn]
    return sector.core + around[:OPTIONAL_LINES]


def _tops(chance: Chance, count: int, first: int) -> list[int]:
    """Grow a top line by -4 to +22 percent a year."""
    tops = [first + chance.below(first // 10)]
    while len(tops) < count:
        tops.append(part(tops[-1], chance.between(9_600, 12_200)))
    return tops


def _lag(chance: Chance) -> int:
    """Draw the days to a filing: one in twenty is late."""
    return chance.between(130, 240) if chance.percent(5) else chance.between(55, 88)


def _revisions(
    chance: Chance, sector: Sector, lines: tuple[Line, ...], statements: list[Statement]
) -> dict[int, Revision]:
    """Draw at most one revision of each sort, each of another year that still has a successor."""
    revisions = {}
    sorts = ("corrected", "reclassified", "amended", "reversed", "withdrawn")
    for year, sort, odds in zip(
        chance.shuffled(range(1, len(statements) - 1)), sorts, (25, 35, 15, 15, 20), strict=False
    ):
        amount = part(statements[year]["revenue"], chance.between(100, 600)) * chance.pick((1, 1, 1, -1))
        if not chance.percent(odds):
            continue
        revisions[year] = {
            "corrected": Revision(sector.corrected, first=amount),
            "reclassified": Revision(sector.reclassified, first=amount),
            "amended": Revision(sector.reclassified, first=amount, amended=0),
            "reversed": Revision(sector.reclassified, amended=-abs(amount)),
            "withdrawn": Revision((lines[-1].name,), withdrawn=True),
        }[sort]
    return revisions
