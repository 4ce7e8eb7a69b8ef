"""The result of a verification as a measure: whether stored data still matches its seals."""

from __future__ import annotations

from sankofa.datasets import SKUS
from sankofa.quality.measures import VERIFIED
from sankofa.quality.publish import SQL
from sankofa.storage.postgres import connect


def record_verification(dsn: str, edition: int, checked: int, findings: int) -> None:
    """Record the result of verifying all editions up to `edition`; served from the next edition on.

    Digests chain all datasets together, so each dataset gets the same result.
    """
    good = max(checked - findings, 0)
    with connect(dsn) as connection, connection.transaction():
        for sku in SKUS:
            result = {"edition": edition, "sku": sku, "measure": VERIFIED, "good": good}
            connection.execute(SQL["record_result"], result | {"measured": checked, "sample": None})
