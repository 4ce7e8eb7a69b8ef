"""The first three issuers of every world: fixed stories with round numbers, the ones the docs tell.

0  Nyalumera Foods Holdings PLC (Kenya, KES, annual, December). Revenue of FY2022 is 1,150 million in the
   filing of 2023-03-16 and 1,100 million in the comparatives of 2024-03-15: a correction that runs
   through to profit, earnings per share, assets and equity.
1  Kwezolira Telecoms Holdings Limited (South Africa, ZAR, half-yearly, June). Revenue of FY2023 is 2,000
   million in the filing of 2023-09-13, 1,800 million in the amended filing of 2023-10-30 and 2,000
   million again in the comparatives of 2024-09-13: three vintages. Halves carry 45 percent of the year.
2  Zumarela Bank Limited (Nigeria, NGN, quarterly, December). A bank; the dividends paid in FY2021 are
   withdrawn (nil) in the comparatives of FY2022. Quarters carry 24, 25 and 25 percent of the year.
"""

from __future__ import annotations

from demo.lines import BANK, GENERAL, IFRS, Sector
from demo.profiles import ANNUAL_FILINGS, Cadence, Profile, Revision, reported
from demo.statements import Habits, years

MILLION = 1_000_000


def _steady(sector: Sector, cadence: Cadence, newest: int, step: int, habits: Habits) -> list[dict[str, int]]:
    """Return books whose top line rises by one step a year to `newest`, every ratio unmoved."""
    count = ANNUAL_FILINGS[cadence] + 2
    return years(sector.name, [newest - step * back for back in reversed(range(count))], habits, lambda: 0)


SHOWCASE = (
    Profile(
        number=0,
        name="Nyalumera Foods Holdings PLC",
        country="KE",
        currency="KES",
        sector=GENERAL,
        taxonomy=IFRS,
        cadence=Cadence.ANNUAL,
        year_end=12,
        scale=MILLION,
        shares=100 * MILLION,
        lines=reported(GENERAL, 0),
        statements=_steady(
            GENERAL,
            Cadence.ANNUAL,
            newest=1_300,
            step=100,
            habits=Habits(cost=6_000, margin=1_500, debt=2_000, equity=6_000, payout=5_000, interest=1_000),
        ),
        quarters=(25, 25, 25),
        revisions={6: Revision(GENERAL.corrected, first=50)},
        lags=[75] * 8,
        interim_lag=45,
    ),
    Profile(
        number=1,
        name="Kwezolira Telecoms Holdings Limited",
        country="ZA",
        currency="ZAR",
        sector=GENERAL,
        taxonomy=IFRS,
        cadence=Cadence.HALF_YEARLY,
        year_end=6,
        scale=MILLION,
        shares=200 * MILLION,
        lines=reported(GENERAL, 1),
        statements=_steady(
            GENERAL,
            Cadence.HALF_YEARLY,
            newest=2_400,
            step=200,
            habits=Habits(cost=5_000, margin=2_000, debt=3_000, equity=7_000, payout=4_000, interest=1_000),
        ),
        quarters=(20, 25, 25),
        revisions={5: Revision(GENERAL.reclassified, amended=-200)},
        lags=[75] * 7,
        interim_lag=47,
    ),
    Profile(
        number=2,
        name="Zumarela Bank Limited",
        country="NG",
        currency="NGN",
        sector=BANK,
        taxonomy=IFRS,
        cadence=Cadence.QUARTERLY,
        year_end=12,
        scale=MILLION,
        shares=1_000 * MILLION,
        lines=reported(BANK, 0),
        statements=_steady(
            BANK,
            Cadence.QUARTERLY,
            newest=100_000,
            step=5_000,
            habits=Habits(cost=4_000, margin=2_500, debt=8_000, equity=13_000, payout=4_000),
        ),
        quarters=(24, 25, 25),
        revisions={4: Revision(("dividends_paid",), withdrawn=True)},
        lags=[80] * 7,
        interim_lag=40,
    ),
)
