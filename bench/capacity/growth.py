"""What follows from the measured costs: how much one unit carries, and how many units a load needs."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

# Of three machines one may be lost: the other two then work at nine tenths.
UTILISATION = 0.6
MACHINE_CORES = 16
NETWORK_BYTES = 10e9 / 8  # a second, of one machine
DISK_BYTES = 8e12  # of one machine


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """One kind of answer, or the mean of several: processor seconds by part, and bytes sent."""

    api: float
    postgres: float
    bytes: float


def mean(kinds: Mapping[str, Kind], shares: Mapping[str, float]) -> Kind:
    """Return the mean request, given the share of each kind. Raise if the shares do not add up to one."""
    if not math.isclose(sum(shares.values()), 1.0):
        raise ValueError(f"shares must add up to 1, not {sum(shares.values())}")
    return Kind(
        api=sum(share * kinds[name].api for name, share in shares.items()),
        postgres=sum(share * kinds[name].postgres for name, share in shares.items()),
        bytes=sum(share * kinds[name].bytes for name, share in shares.items()),
    )


def cores(requests_per_second: float, seconds: float) -> int:
    """Return the cores that so many requests of so much processor time need."""
    return max(1, math.ceil(round(requests_per_second * seconds / UTILISATION, 9)))


def carried(seconds: float, available: float) -> float:
    """Return the requests a second that so many cores carry."""
    return UTILISATION * available / seconds


def machines(needed: float, each: float) -> int:
    """Return how many machines give what is needed."""
    return max(1, math.ceil(round(needed / each, 9)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """Something of which one carries a number of requests a second, and what comes after it."""

    name: str
    carries: float
    then: str


def exceeded(units: list[Unit], requests_per_second: float) -> list[Unit]:
    """Return the units of which one does not suffice, the first to break first."""
    found = [unit for unit in units if unit.carries < requests_per_second]
    return sorted(found, key=lambda unit: unit.carries)


def share_of_one(parallel: float, lanes: float) -> float:
    """Return the time of work on several lanes as a part of its time on one, if a part of it is parallel."""
    return (1 - parallel) + parallel / lanes


def parallel_part(share_with_two: float) -> float:
    """Return the parallel part of work, given its time on two lanes as a part of its time on one."""
    return 2 * (1 - share_with_two)


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """The first load of one dataset. Times are seconds of one lane."""

    name: str
    rows: float
    load: float  # for one row
    publish: float  # for one row
    splits: bool  # whether several processes can load it at the same time


def load_seconds(loads: list[Load], available: float) -> float:
    """Return the time in which all datasets are loaded side by side."""
    work = [load.rows * load.load for load in loads]
    longest = max((one for one, load in zip(work, loads, strict=True) if not load.splits), default=0.0)
    return max(longest, sum(work) / available)


def publish_seconds(loads: list[Load], available: float, parallel: float) -> float:
    """Return the time of the first edition, whose stages follow each other."""
    return sum(load.rows * load.publish for load in loads) * share_of_one(parallel, available)
