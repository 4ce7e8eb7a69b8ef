"""The whole look-ahead audit: everything that the current edition holds, and all editions, counted anew."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import NamedTuple, cast

from sankofa.core.errors import Refused
from sankofa.quality.measures import LOOK_AHEAD, Held, measures_of
from sankofa.quality.publish import HISTORY, SQL, count, enter, kinds_of_chunk, tallied_chunks
from sankofa.storage.postgres import Connection, connect, within

_AUDIT = "look_ahead_audit"
_SECONDS = 7_200


class Checked(NamedTuple):
    """What an audit found of one dataset."""

    sku: str
    checked: int
    faults: dict[str, int]  # by measure


class Audit(NamedTuple):
    """What an audit found."""

    edition: int
    datasets: list[Checked]
    differing: list[tuple[str, str, int | None, int | None]]  # dataset, part, counted anew, kept

    @property
    def is_clean(self) -> bool:
        """Whether nothing is wrong."""
        return not self.differing and not any(one.faults for one in self.datasets)


def audit(dsn: str, progress: Callable[[int, int], None] = lambda _done, _total: None) -> Audit:
    """Check the current edition as a whole, and record the result; the next edition on, it is served."""
    with connect(dsn) as connection, within(connection, _SECONDS):
        row = connection.execute("SELECT serving.current_edition()").fetchone()
        edition = cast("tuple[int]", row)[0]
        if not edition:
            raise Refused("no edition is published yet: there is nothing to audit")
        _count_everything(connection, edition, progress)
        counts: defaultdict[str, dict[str, int]] = defaultdict(dict)
        for sku, part, n in cast(
            "list[tuple[str, str, int]]", connection.execute(SQL["touched_counts"]).fetchall()
        ):
            counts[sku][part] = n
        found = [_judged(sku, Held(by_country={"": held})) for sku, held in sorted(counts.items())]
        for one in found:
            good = one.checked - sum(one.faults.values())
            result = {"edition": edition, "sku": one.sku, "measure": _AUDIT, "good": good}
            connection.execute(SQL["record_result"], result | {"measured": one.checked, "sample": None})
        differing = connection.execute(SQL["differing_totals"], {"edition": edition}).fetchall()
    return Audit(edition, found, cast("list[tuple[str, str, int | None, int | None]]", differing))


def _count_everything(connection: Connection, edition: int, progress: Callable[[int, int], None]) -> None:
    connection.execute(SQL["part_tables"])
    connection.execute(SQL["tallied_table"])
    connection.execute(SQL["tally_all"], {"edition": edition})
    connection.execute(HISTORY["follows"], {"edition": edition})
    chunks = tallied_chunks(connection)
    for done, chunk in enumerate(chunks):
        progress(done, len(chunks))
        with connection.transaction():
            connection.execute("SET LOCAL work_mem = '256MB'")
            connection.execute("SET LOCAL jit = off")
            enter(connection, chunk)
            connection.execute(HISTORY["turns_of_all"])
            connection.execute("ANALYZE turn")
            count(connection, kinds_of_chunk(connection), edition)
            connection.execute(SQL["add_parts"])
    progress(len(chunks), len(chunks))


def _judged(sku: str, held: Held) -> Checked:
    """Add up the look-ahead checks."""
    checks = [one for one in measures_of(sku) if one.slug in LOOK_AHEAD]
    figures = [(check, figure) for check in checks for figure in check.figures(held)]
    faults = {check.slug: (figure.of or 0) - figure.good for check, figure in figures}
    checked = sum(figure.of or 0 for _, figure in figures)
    return Checked(sku, checked, {slug: n for slug, n in faults.items() if n})
