"""The list of datasets. Everything that exists once per dataset is derived from it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Literal

from sankofa.entities.dataset import DATASET as ENTITIES
from sankofa.fundamentals.dataset import DATASET as FUNDAMENTALS
from sankofa.macro.dataset import DATASET as MACRO
from sankofa.metrics.dataset import DATASET as METRICS
from sankofa.signals.dataset import DATASET as SIGNALS
from sankofa.tenders.dataset import DATASET as TENDERS

# In the order of the documentation. Counts about them (catalogue, quality, files) are in their own
# domain. An edition publishes and seals them in the order of its walks (`surfaces/publishing.py`).
DATASETS = (ENTITIES, FUNDAMENTALS, TENDERS, MACRO, METRICS, SIGNALS)
SKUS = {dataset.name: dataset for dataset in DATASETS if dataset.counted}
BULK = {bulk.name: dataset for dataset in DATASETS for bulk in dataset.bulk}


def either(names: Iterable[str]) -> str:
    """Return names joined as in prose: "A, B or C"."""
    *others, last = names
    return f"{', '.join(others)} or {last}"


if TYPE_CHECKING:
    SoldName = str
else:
    SoldName = Literal[tuple(SKUS)]  # in served rows: the OpenAPI page lists the names
