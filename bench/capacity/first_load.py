"""The first load of the real world, from measured times of a row."""

from __future__ import annotations

from bench.capacity import growth
from bench.capacity.growth import Load
from bench.capacity.measured import value
from bench.capacity.tables import table

MACHINES = (2, 32)  # cores


def datasets() -> list[Load]:
    """Return the datasets of the real world with the measured times of a row."""
    return [
        Load(
            name="facts of the SEC",
            rows=110e6,
            load=(value("load_python") + value("load_postgres")) / 1e6,
            publish=value("publish_of_a_fact") / 1e6,
            splits=True,
        ),
        Load(
            name="LEI records",
            rows=3e6,
            load=1 / value("register_load"),
            publish=value("register_publish") / 1e6,
            splits=False,
        ),
        Load(
            name="releases of tenders",
            rows=30e6,
            load=1 / value("tender_load"),
            publish=value("tender_publish") / 1e6,
            splits=False,
        ),
        Load(
            name="observations of series",
            rows=20e6,
            load=1 / value("series_load"),
            publish=value("series_publish") / 1e6,
            splits=False,
        ),
    ]


def parallel() -> float:
    """Return the part of a publish that all workers share."""
    return growth.parallel_part(value("share_with_two_workers"))


def edition_hours(facts: float, cores: int) -> float:
    """Return the hours of a first edition of so many facts."""
    return facts * value("publish_of_a_fact") / 1e6 * growth.share_of_one(parallel(), cores) / 3600


def hours() -> str:
    """Return the table of times."""
    loads = datasets()
    rows = [(load.name, f"{load.rows / 1e6:,.0f} M", *_times([load])) for load in loads]
    rows.append(("all, loaded side by side", "", *_times(loads)))
    steps = (f"{step}, {cores} cores" for step in ("load", "first edition") for cores in MACHINES)
    return table(("dataset", "rows", *steps), rows)


def _times(loads: list[Load]) -> list[str]:
    return [
        *(_shown(growth.load_seconds(loads, cores)) for cores in MACHINES),
        *(_shown(growth.publish_seconds(loads, cores, parallel())) for cores in MACHINES),
    ]


def _shown(seconds: float) -> str:
    return f"{seconds / 3600:.1f} h" if seconds >= 3600 else f"{max(1, seconds / 60):.0f} min"
