"""Append series to the ledger: snapshots, and the values in which they differ.

Safe to repeat: a known document appends nothing. Safe in any order: a snapshot is compared with
the one before it in order of availability, whenever it arrives, and the one after it is compared again.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from sankofa.core.countries import country
from sankofa.drift.screen import Scale
from sankofa.macro.model import Snapshot
from sankofa.storage.postgres import Connection
from sankofa.storage.queries import named

_SQL = named(__package__, "record.sql") | named(__package__, "compare.sql") | named(__package__, "drift.sql")
EXTENT = _SQL["extent"]  # number of keys, and the last day of the newest period


def stage(connection: Connection, source: str, snapshots: Iterable[Snapshot]) -> int:
    """Copy a document's snapshots into this session's staging tables and return the number of values."""
    connection.execute(_SQL["stage"])
    heads: list[tuple[object, ...]] = []
    values = 0
    with connection.cursor() as cursor, cursor.copy(_SQL["copy_observations"]) as copy:
        copy.set_types(("int4", "date", "date", "numeric"))
        for number, snapshot in enumerate(snapshots):
            heads.append(_head(number, source, snapshot))
            for start, end, value in snapshot.observations:
                copy.write_row((number, start, end, value))
            values += len(snapshot.observations)
    with connection.cursor() as cursor, cursor.copy(_SQL["copy_snapshots"]) as copy:
        for head in heads:
            copy.write_row(head)
    connection.execute(_SQL["analyze"])
    return values


def register(connection: Connection) -> None:
    """Insert new series descriptions and commit immediately, so that concurrent ingests share their ids."""
    connection.execute(_SQL["register_heads"])


def append(connection: Connection, document_id: int) -> int:
    """Append the staged values that are new to the ledger and return their number."""
    values = {"document_id": document_id}
    connection.execute(_SQL["room"])
    for name in ("register_series", "append_coverage", "match"):
        connection.execute(_SQL[name], values)
    connection.execute("ANALYZE matched")
    connection.execute(_SQL["append_snapshots"], values)
    connection.execute("ANALYZE new_snapshot")
    for name in ("append_unnamed", "append_missed", "append_plain", "compared"):
        connection.execute(_SQL[name], values)
    for name in ("by_index", "hold", "place", "by_plan"):
        connection.execute(_SQL[name])
    connection.execute("ANALYZE held_observation, placed")
    connection.execute(_SQL["append_compared"], values)
    return cast("tuple[int]", connection.execute(_SQL["count_appended"]).fetchone())[0]


def touch(connection: Connection, batch_id: int) -> None:
    """Record the series with new values in the batch."""
    connection.execute(_SQL["touch_series"], {"batch_id": batch_id})


def compare(connection: Connection, scale: Scale) -> int:
    """Fill `moved` with the changes of known values, and return the number of known values."""
    connection.execute(_SQL["by_hash"])
    return cast("tuple[int]", connection.execute(_SQL["compare"], scale._asdict()).fetchone())[0]


def _head(number: int, source: str, snapshot: Snapshot) -> tuple[object, ...]:
    head = snapshot.head
    place = country(head.country_iso3) if head.country_iso3 else None
    return (
        number,
        source,
        head.key,
        head.frequency,
        head.indicator or "",
        head.series_type,
        place.alpha2 if place else None,
        head.country_iso3,
        head.unit,
        head.indicator_name,
        snapshot.available_at,
        snapshot.available_at_basis,
        snapshot.is_whole,
        snapshot.is_released_daily,
        snapshot.covers,
    )
