"""The usage of keys as it is billed: charged requests by key and UTC day, with their sums by month."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from itertools import groupby
from typing import NamedTuple, cast

from sankofa.core.errors import NotFound
from sankofa.storage.postgres import Connection
from sankofa.storage.queries import named

_SQL = named(__package__, "usage.sql")


class UsedDay(NamedTuple):
    """The charged requests of one key on one UTC day."""

    key_id: str
    day: date
    requests: int
    is_final: bool  # if not, the number can still grow


class UsedMonth(NamedTuple):
    """The sum of the listed days of one key in one month."""

    key_id: str
    month: str
    requests: int
    is_final: bool


class Usage(NamedTuple):
    """The usage of some days."""

    settled_at: datetime | None  # when PostgreSQL last had all counts; None if it never had
    days: list[UsedDay]
    months: list[UsedMonth]
    open_tallies: list[
        str
    ]  # processes that counted on a day that is over, and did not report that they ended


def read_usage(connection: Connection, first: date, last: date, key_id: str | None = None) -> Usage:
    """Return the usage from one day to another, of all keys or of one. Days without requests are left out."""
    values = {"first": first, "last": last, "key_id": key_id}
    with connection.transaction():
        connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        if key_id and not cast("tuple[bool]", connection.execute(_SQL["is_issued"], values).fetchone())[0]:
            raise NotFound(f"no key has the id {key_id}")
        settled = connection.execute(_SQL["settled_at"]).fetchone()
        rows = connection.execute(_SQL["days"], values).fetchall()
        open_tallies = connection.execute(_SQL["open_tallies"], values).fetchall()
    days = [UsedDay(*row) for row in rows]  # type: ignore[arg-type]  # the statement's own columns
    return Usage(
        settled_at=cast("datetime", settled[0]) if settled else None,
        days=days,
        months=_months(days),
        open_tallies=[str(tally) for (tally,) in open_tallies],
    )


def _months(days: Sequence[UsedDay]) -> list[UsedMonth]:
    """Return the sums by month of days in order of key and day."""
    months = []
    for (key_id, month), used in groupby(days, key=lambda one: (one.key_id, f"{one.day:%Y-%m}")):
        of_month = list(used)
        requests = sum(one.requests for one in of_month)
        months.append(UsedMonth(key_id, month, requests, all(one.is_final for one in of_month)))
    return months
