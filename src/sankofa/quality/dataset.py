"""The tables of counts and measures of datasets."""

from __future__ import annotations

from sankofa.core.dataset import Dataset, ServingTable

KEYS = ServingTable(
    name="quality_key",
    columns={
        "tally_key": "Hash of what is counted; it names nobody.",
        "newest_at": "The last day on which anything of it became available.",
        "sku": "The dataset it counts for.",
        "country": "ISO 3166-1 alpha-2; empty where there is none, or it is not known.",
        "counts": "Numbers by part; quality/measures.py says what each part is.",
    },
    identity=("tally_key",),
    key="tally_key",
    cluster=("tally_key",),
)
TOTALS = ServingTable(
    name="quality_total",
    columns={
        "total_id": "Hash of dataset and country.",
        "newest_at": "The last day on which anything became available.",
        "sku": "The dataset.",
        "country": "ISO 3166-1 alpha-2; empty where there is none, or it is not known.",
        "counts": "Numbers by part, none of them 0.",
    },
    identity=("total_id",),
    key="total_id",
    cluster=("sku", "country"),
)
RESULTS = ServingTable(
    name="quality_result",
    columns={
        "result_id": "Hash of dataset and measure.",
        "good": "How many of those looked at count.",
        "measured": "How many were looked at.",
        "measured_at": "When.",
        "sku": "The dataset.",
        "measure": "The measure.",
    },
    identity=("result_id",),
    key="sku",
    cluster=("sku", "measure"),
)
# Written by the floors, of one edition each; listed here so that an unfinished build is undone as a whole.
OVERRIDES = ServingTable(
    name="quality_override",
    columns={
        "sku": "The dataset.",
        "measure": "The measure whose floor was not reached.",
    },
    identity=("measure",),
    key="sku",
    cluster=("sku", "measure"),
)

DATASET = Dataset(
    name="quality",
    package=__package__,
    about="What is counted and measured of datasets.",
    tables=(KEYS, TOTALS, RESULTS, OVERRIDES),
)
