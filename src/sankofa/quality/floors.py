"""The floors that a build must reach before it becomes current, checked on the keys it touched."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple, cast

from sankofa.core.errors import BelowFloor
from sankofa.core.exact import rounded
from sankofa.quality.figures import Held
from sankofa.quality.measures import Measure, measures_of
from sankofa.quality.publish import SQL
from sankofa.storage.postgres import Connection


class Shortfall(NamedTuple):
    """A floor that the touched keys of a build do not reach."""

    sku: str
    measure: Measure
    value: Fraction
    floor: Fraction
    faults: int
    looked_at: int

    def message(self, keys: list[str]) -> str:
        """Return a one-line message with the first faulty keys."""
        such_as = f", such as {', '.join(keys)}" if keys else ""
        return (
            f"{self.sku} {self.measure.slug} is {rounded(self.value)}, below its floor of"
            f" {rounded(self.floor)}: {self.faults} of {self.looked_at} at fault{such_as}"
        )


@dataclass(frozen=True, slots=True)
class Floors:
    """Stops a build below a floor, unless the operator gave a reason to override it."""

    override: str = ""

    def __call__(self, connection: Connection, edition: int) -> None:
        """Raise BelowFloor, or record each floor that is overridden."""
        below = shortfalls(connection)
        if below and not self.override:
            raise BelowFloor(_refusal(connection, below, edition))
        for one in below:
            self._record(connection, one, edition)

    def _record(self, connection: Connection, below: Shortfall, edition: int) -> None:
        message = {"edition": edition, "sku": below.sku, "measure": below.measure.slug}
        with connection.transaction():
            connection.execute(SQL["show_override"], message)
            value = {"value": rounded(below.value), "floor": rounded(below.floor), "reason": self.override}
            connection.execute(SQL["record_override"], message | value)


def shortfalls(connection: Connection) -> list[Shortfall]:
    """Return the floors that the touched keys do not reach."""
    counts: defaultdict[str, dict[str, int]] = defaultdict(dict)
    for sku, part, n in cast(
        "list[tuple[str, str, int]]", connection.execute(SQL["touched_counts"]).fetchall()
    ):
        counts[sku][part] = n
    return [
        Shortfall(sku, measure, value, measure.floor, held.total(measure.fault), figure.of or 0)
        for sku, touched in sorted(counts.items())
        for held in [Held(by_country={"": touched})]
        for measure in measures_of(sku)
        if measure.fault and measure.floor is not None
        for figure in measure.figures(held)
        if (value := figure.exact) is not None and value < measure.floor
    ]


def _refusal(connection: Connection, below: list[Shortfall], edition: int) -> str:
    lines = []
    for one in below:
        values = {"sku": one.sku, "fault": one.measure.fault}
        lines.append(one.message([str(row[0]) for row in connection.execute(SQL["faulty_keys"], values)]))
    return (
        f"edition {edition} is not published. {'; '.join(lines)}. Find out why (docs/methodology/quality.md"
        " says what each measure is), mend it and publish again; or, if it must go out as it is, publish"
        ' with --override "the reason", which is recorded'
    )
