"""The full look-ahead audit: recount all rows of the current edition, and the digests of all editions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import NamedTuple, cast

from sankofa.core.errors import Refused
from sankofa.quality.figures import Held
from sankofa.quality.measures import LOOK_AHEAD, measures_of
from sankofa.quality.publish import BEFORE_ALL, CHUNK_KEYS, COUNTED, HISTORY, SQL, count, list_keys
from sankofa.storage.postgres import Connection, connect, sql, within
from sankofa.storage.queries import named

_SQL = named(__package__, "audit.sql")
_AUDIT = "look_ahead_audit"
_SECONDS = 7_200


class Checked(NamedTuple):
    """The result of an audit for one dataset."""

    sku: str
    checked: int
    faults: dict[str, int]  # by measure


class Audit(NamedTuple):
    """The result of an audit."""

    edition: int
    datasets: list[Checked]
    differing: list[tuple[str, str, int | None, int | None]]  # dataset, part, recounted, stored

    @property
    def is_clean(self) -> bool:
        """Whether the audit found no fault."""
        return not self.differing and not any(one.faults for one in self.datasets)


def audit(dsn: str, progress: Callable[[int, int], None] = lambda _done, _total: None) -> Audit:
    """Check the whole current edition and record the result. It is served from the next edition on."""
    with connect(dsn) as connection, within(connection, _SECONDS):
        row = connection.execute("SELECT serving.current_edition()").fetchone()
        edition = cast("tuple[int]", row)[0]
        if not edition:
            raise Refused("no edition is published yet: there is nothing to audit")
        _count_everything(connection, edition, progress)
        counts: defaultdict[str, dict[str, int]] = defaultdict(dict)
        for sku, part, n in cast("list[tuple[str, str, int]]", connection.execute(_SQL["counts"]).fetchall()):
            counts[sku][part] = n
        found = [_judged(sku, Held(by_country={"": held})) for sku, held in sorted(counts.items())]
        for one in found:
            good = one.checked - sum(one.faults.values())
            result = {"edition": edition, "sku": one.sku, "measure": _AUDIT, "good": good}
            connection.execute(SQL["record_result"], result | {"measured": one.checked, "sample": None})
        differing = connection.execute(_SQL["differing_totals"], {"edition": edition}).fetchall()
    return Audit(edition, found, cast("list[tuple[str, str, int | None, int | None]]", differing))


def _count_everything(connection: Connection, edition: int, progress: Callable[[int, int], None]) -> None:
    connection.execute(_SQL["tables"])
    total = list_keys(connection, "held", sql.Identifier("audited"), edition=edition)
    connection.execute("ANALYZE audited")
    connection.execute(HISTORY["follows"], {"edition": edition})
    after = BEFORE_ALL
    for done in range(0, total, CHUNK_KEYS):
        progress(done, total)
        with connection.transaction():
            connection.execute("SET LOCAL work_mem = '256MB'")
            connection.execute("SET LOCAL jit = off")
            connection.execute(_SQL["chunk"], {"after": after, "size": CHUNK_KEYS})
            connection.execute("ANALYZE touched")
            connection.execute(HISTORY["turns_of_all"])
            for _, statements in COUNTED.values():
                connection.execute(statements["turns"])
            connection.execute("ANALYZE turn")
            count(connection, edition)
            connection.execute(_SQL["add_parts"])
            after = str(cast("tuple[str]", connection.execute(_SQL["last_of_chunk"]).fetchone())[0])
    progress(total, total)


def _judged(sku: str, held: Held) -> Checked:
    """Sum the look-ahead checks."""
    checks = [one for one in measures_of(sku) if one.slug in LOOK_AHEAD]
    figures = [(check, figure) for check in checks for figure in check.figures(held)]
    faults = {check.slug: (figure.of or 0) - figure.good for check, figure in figures}
    checked = sum(figure.of or 0 for _, figure in figures)
    return Checked(sku, checked, {slug: n for slug, n in faults.items() if n})
