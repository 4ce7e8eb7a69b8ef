"""The leak checker: which figures of your own table could not be known on the day you say you knew them.

    report = leaks.check(table, client=client)
    print(report)

Each row is held against every vintage that the service knows of its figure:

as_known        the figure was public by that day
known_later     it was first public after it: a leak, `days_early` long
never_reported  other figures were reported for the period, and never this one
not_held        the service holds nothing of it, which says nothing about the row
empty           the row has no figure
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import TYPE_CHECKING

from sankofa_client._claims import Claim, Columns, claims
from sankofa_client._errors import NotFound
from sankofa_client._leak_report import Finding, LookAhead, Report
from sankofa_client._verdicts import History, judge

if TYPE_CHECKING:
    from sankofa_client._async_client import AsyncClient
    from sankofa_client._client import Client

__all__ = ["Columns", "Finding", "LookAhead", "Report", "check", "check_async"]


def check(
    table: object, *, client: Client, columns: Columns = Columns(), rounded_to: Decimal | int | None = None
) -> Report:
    """Measure the look-ahead in a table: Polars, pandas, Arrow, a mapping of columns or a list of mappings.

    All rows are held against one edition. Figures must agree digit for digit; `rounded_to=1000` compares both
    sides rounded to thousands. An `as_of` around the call is lifted: what came later is what is looked for.
    """
    asked = list(claims(table, columns))
    histories: dict[str, History] = {}
    with client.as_of(None), client.pinned():
        for service_id in _issuers(asked):
            try:
                histories[service_id] = History(client.fundamentals(service_id, vintages="all"))
            except NotFound:
                histories[service_id] = History(())
        return _report(asked, histories, rounded_to, client.scope.edition)


async def check_async(
    table: object,
    *,
    client: AsyncClient,
    columns: Columns = Columns(),
    rounded_to: Decimal | int | None = None,
) -> Report:
    """Measure the look-ahead in a table; `check` says how."""
    asked = list(claims(table, columns))
    histories: dict[str, History] = {}
    with client.as_of(None):
        async with client.pinned():
            for service_id in _issuers(asked):
                try:
                    rows = client.fundamentals(service_id, vintages="all")
                    histories[service_id] = History([fact async for fact in rows])
                except NotFound:
                    histories[service_id] = History(())
            return _report(asked, histories, rounded_to, client.scope.edition)


def _issuers(asked: Iterable[Claim]) -> Iterable[str]:
    return dict.fromkeys(claim.service_id for claim in asked if claim.value is not None)


def _report(
    asked: list[Claim],
    histories: Mapping[str, History],
    rounded_to: Decimal | int | None,
    edition: int | None,
) -> Report:
    unit = None if rounded_to is None else Decimal(rounded_to)
    nothing = History(())
    findings = [judge(claim, histories.get(claim.service_id, nothing), unit) for claim in asked]
    return Report(findings=findings, edition=edition)
