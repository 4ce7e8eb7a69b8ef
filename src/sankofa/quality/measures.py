"""The measures of a dataset: each is a function of counts, with a unit and possibly a floor.

Counts are additive, so those of a whole dataset follow from the keys that an edition touched. The same
functions check the keys of a build before it becomes current, and answer requests about an edition.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from sankofa.datasets import SKUS
from sankofa.fundamentals.dataset import DATASET as FUNDAMENTALS
from sankofa.macro.dataset import DATASET as INDICATORS
from sankofa.quality import figures
from sankofa.tenders.dataset import DATASET as TENDERS

METHODOLOGY = "quality-v1"
UNMEASURED: Literal["UNMEASURED"] = "UNMEASURED"
FUND, TENDER, MACRO = FUNDAMENTALS.name, TENDERS.name, INDICATORS.name
VERIFIED = "verified"

Status = Literal["pass", "fail", "no_floor", "UNMEASURED"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """One measure."""

    slug: str
    unit: str
    method: str
    figures: figures.Figures
    skus: tuple[str, ...] = tuple(SKUS)
    floor: Fraction | None = None
    fault: str = ""  # the part that counts faults, if a build below the floor must not become current

    @property
    def methodology_ref(self) -> str:
        """The address of the method's description."""
        return f"{METHODOLOGY}#{self.slug}"

    def status(self, value: Fraction | None) -> Status:
        """Return the result of comparing a number with the floor: no floor or no number is no result."""
        if value is None:
            return UNMEASURED
        if self.floor is None:
            return "no_floor"
        return "pass" if value >= self.floor else "fail"


_BY_COUNTRY = "In all, and by country (`none`: of no country, or of one not known)."

MEASURES = (
    *(
        Measure(
            slug=f"coverage_{dataset.counted.plural}",
            unit=dataset.counted.plural,
            skus=(sku,),
            method=f"{dataset.counted.coverage} {_BY_COUNTRY}",
            figures=figures.coverage,
        )
        for sku, dataset in SKUS.items()
        if dataset.counted
    ),
    Measure(
        slug="coverage_countries",
        unit="countries",
        method="Countries of which the edition holds anything.",
        figures=figures.countries,
    ),
    Measure(
        slug="completeness",
        unit="share",
        skus=(FUND, TENDER),
        method="By line item of an issuer, or by what a process may show (buyer, tender_value, category, "
        "deadline, award, supplier): the share of those that are covered of which a caller is shown it, in "
        "all and by country. A value that was withdrawn does not count, nor a buyer or supplier that is "
        "withheld. Where nobody has it there is no row.",
        figures=figures.completeness,
    ),
    Measure(
        slug="completeness",
        unit="share",
        skus=(MACRO,),
        method="By indicator: the share of the countries covered that have it. By country: the share of "
        "the indicators that any country has which this one has. Values that were withdrawn do not count.",
        figures=figures.indicators,
    ),
    Measure(
        slug="mapped_facts",
        unit="share",
        skus=(FUND,),
        method="The share of facts that go by a line item, in all and by source. The others go by the name "
        "of their concept (`items=all`).",
        figures=figures.mapped,
    ),
    Measure(
        slug="mapped_by_issuer",
        unit="share",
        skus=(FUND,),
        method="Of each issuer, the share of facts that go by a line item, in whole percent, rounded down. "
        f"`median`: the median of all issuers. `below_{figures.FEW_MAPPED}`: the share of issuers that have "
        f"less than {figures.FEW_MAPPED} %.",
        figures=figures.mapped_by_issuer,
    ),
    Measure(
        slug="join_rate",
        unit="share",
        skus=(FUND,),
        method="The share of issuers that have an LEI, a ticker, an ISIN, a country or an industry: an "
        "identifier counts if the crosswalk has it and no day on which it ended. `lei.register` and "
        "`isin.register` leave out what only a third party says (ENT-5).",
        figures=figures.joined,
    ),
    Measure(
        slug="labelled_periods",
        unit="share",
        skus=(FUND,),
        method="The share of facts whose period has a type and a fiscal year under the newest filings. Then "
        "the shares that have none, by reason: `not_declared` (no filing declares or implies a fiscal "
        "year), `off_calendar` (it does not end with a quarter of the fiscal year), `odd_length` (neither a "
        "year nor nine, six or three months), `short_year` (a transition period).",
        figures=figures.labelled,
    ),
    Measure(
        slug="freshness",
        unit="days",
        method="Days from the last day on which anything that the edition holds became available to the "
        f"day it was published. {_BY_COUNTRY}",
        figures=figures.freshness,
    ),
    Measure(
        slug="fresh_share",
        unit="share",
        skus=(FUND,),
        method=f"The share of issuers whose newest period is younger than {figures.FRESH_MONTHS} months. Of "
        "each issuer that is the last period of a line item that had ended when it was filed; one that has "
        "none is not fresh. Ages are differences of calendar months: a period that ended in March is three "
        f"months old all June. {_BY_COUNTRY}",
        figures=figures.fresh_issuers,
    ),
    Measure(
        slug="fresh_share",
        unit="share",
        skus=(TENDER,),
        method="The share of portals whose newest release is younger than "
        f"{figures.FRESH_MONTHS_OF_PORTAL} months, by the date that the release states. Ages are differences "
        "of calendar months.",
        figures=figures.fresh_portals,
    ),
    Measure(
        slug="fresh_share",
        unit="share",
        skus=(MACRO,),
        method="The share of series whose newest value is of a period that ended less than so many months "
        f"ago: {', '.join(f'{months} ({name})' for name, months in figures.FRESH_MONTHS_OF_SERIES.items())}. "
        "A is by year, Q by quarter, M by month, D by day. Ages are differences of calendar months. In all, "
        "and by frequency.",
        figures=figures.fresh_series,
    ),
    Measure(
        slug="sources_on_time",
        unit="share",
        floor=Fraction(1),
        method="The share of sources that are not stale, of those with declared moments: in all, "
        "and each by itself. A source is stale if two moments passed at which it was due, and it brought "
        "what is expected at neither. Paused sources count. Registers of organisations count for "
        f"{FUND}. `/v1/freshness` tells it for this moment, and not for when the edition was published.",
        figures=figures.on_time,
    ),
    Measure(
        slug="newest_age",
        unit="months",
        skus=(FUND,),
        method=f"The median age of the newest periods of issuers, as `fresh_share` counts it. {_BY_COUNTRY}",
        figures=figures.age_of_issuers,
    ),
    Measure(
        slug="newest_age",
        unit="months",
        skus=(TENDER,),
        method="The age of the newest release of each portal, and the median of all portals.",
        figures=figures.age_of_portals,
    ),
    Measure(
        slug="newest_age",
        unit="months",
        skus=(MACRO,),
        method="The median age of the newest values of series, in all and by frequency.",
        figures=figures.age_of_series,
    ),
    Measure(
        slug="provenance_completeness",
        unit="share",
        floor=Fraction(1),
        method="The share of rows, of every vintage, that name a document by its hash, a licence, the "
        "moment it was fetched, the day the value became available and what evidences that day.",
        fault="unsourced",
        figures=figures.spared("unsourced", "rows"),
    ),
    Measure(
        slug="look_ahead_dates",
        unit="share",
        floor=Fraction(1),
        method="No row is available after `as_of`: the share of rows whose `available_at` is no earlier "
        "than the ledger evidences. Of a fact that is the day of its filing; of an observation that "
        "of the snapshot, or its own day where the publisher releases it on that; of a release the "
        "portal's date, or the day it was fetched.",
        fault="early",
        figures=figures.spared("early", "rows"),
    ),
    Measure(
        slug="look_ahead_history",
        unit="share",
        floor=Fraction(1),
        method="Earlier answers are not changed by later filings: of the rows known before the first "
        "document that an edition newly holds of a key, the share that stand in it as in the "
        "edition before, over all editions. Not compared: an edition with other rules, decisions, "
        "takedowns or sources; an organisation that became or ceased to be one with another; a "
        "series that another source serves.",
        fault="rewritten",
        figures=figures.spared("rewritten", "compared"),
    ),
    Measure(
        slug="future_independence",
        unit="share",
        floor=Fraction(1),
        method="No field of an earlier answer is changed by later filings: the same comparison as "
        "`look_ahead_history`, of every field that is served, such as period type, fiscal year, unit and "
        "revision, and not only of values and vintages. Not compared: the document that a row cites, "
        "and labels that begin on or after the day of that first document.",
        fault="foreseen",
        figures=figures.spared("foreseen", "compared"),
    ),
    Measure(
        slug="look_ahead_first_vintage",
        unit="share",
        floor=Fraction(1),
        method="Vintage 1 is what was reported first: the share of rows whose vintages follow one another "
        "in the order in which they became available, and of which the first has the value that its "
        "`fact_id` was made from (facts and observations).",
        fault="misnumbered",
        figures=figures.spared("misnumbered", "rows"),
    ),
    Measure(
        slug="look_ahead_newest_period",
        unit="share",
        floor=Fraction(1),
        method=f"No restatement hides a newer period. Of {FUND}: the share of years of metrics that follow "
        f"one another in the order in which they were published, each until the next. Of {MACRO} "
        f"and {TENDER}: the share of rows that hold until the next vintage begins, or were "
        "withdrawn before it.",
        fault="hiding",
        figures=figures.spared("hiding", "spans"),
    ),
    Measure(
        slug="look_ahead_audit",
        unit="share",
        floor=Fraction(1),
        method="The five look-ahead checks over everything that the edition holds, and over all editions, "
        "counted anew from the ledger by `sankofa audit`: the share of what was checked that is "
        "free of faults. Served from the next edition on.",
        figures=figures.found("look_ahead_audit"),
    ),
    Measure(
        slug=VERIFIED,
        unit="share",
        floor=Fraction(1),
        method="The share of rows, documents and files, of all datasets together, that `sankofa verify "
        "--every` found as they were sealed when it last ran. Served from the next edition on.",
        figures=figures.found(VERIFIED),
    ),
    Measure(
        slug="withheld_share",
        unit="share",
        skus=(FUND, TENDER),
        method="The share of those who file, or whom releases mention, that are withheld because nothing "
        "establishes that they are organisations.",
        figures=figures.share("withheld", "parties"),
    ),
    Measure(
        slug="false_withhold_rate",
        unit="share",
        skus=(FUND, TENDER),
        method="The share of organisations of a labelled sample that are withheld. It has no floor: the "
        "check is meant to err on that side.",
        figures=figures.found("false_withhold_rate"),
    ),
    Measure(
        slug="hashed_ids_share",
        unit="share",
        skus=(TENDER,),
        method="Of the ids of releases, and of their processes, tenders, awards and contracts, the share "
        "that are hashes because the portal's own id could hold a name: over every vintage, in all and by "
        "country.",
        figures=figures.hashed_ids,
    ),
    Measure(
        slug="extraction_accuracy",
        unit="share",
        floor=Fraction(99, 100),
        method="The share of values of a labelled sample, read from documents by hand, that the edition "
        f"holds in the same way. Of {FUND}, without such a sample: the share of the golden statements "
        "(`golden`), headline figures of real filers that were read apart from the line-item map. They were "
        "compared under the version of the map that the edition was made with, or nothing was measured.",
        figures=figures.accuracy,
    ),
    Measure(
        slug="rejections_share",
        unit="share",
        method="Rows of documents that were refused, with a reason, divided by all rows that were read. In "
        "all, by source and by reason.",
        figures=figures.rejections,
    ),
    Measure(
        slug="repairs_per_row",
        unit="fields per row",
        method="Fields that were mended or left out of rows that were taken, divided by these rows. A row "
        "has many fields, so this is no share and may be above 1. In all, by source and by reason; "
        "`ingest/bytes/repairs.toml` says what each repair does.",
        figures=figures.repairs,
    ),
    Measure(
        slug="floor_overrides",
        unit="floors",
        method="Floors that this edition was published below, on an operator's word. The reasons are "
        "recorded.",
        figures=figures.overrides,
    ),
)


# The checks that `sankofa audit` repeats over all rows.
LOOK_AHEAD = frozenset(
    {
        "look_ahead_dates",
        "look_ahead_history",
        "future_independence",
        "look_ahead_first_vintage",
        "look_ahead_newest_period",
    }
)


def measures_of(sku: str) -> tuple[Measure, ...]:
    """Return the measures of a dataset."""
    return tuple(measure for measure in MEASURES if sku in measure.skus)
