"""The section of `docs/scale.md` on capacity, made from the measured figures."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from bench.capacity import first_load, growth, measured, network
from bench.capacity.growth import MACHINE_CORES, NETWORK_BYTES, UTILISATION, Kind, Unit
from bench.capacity.measured import one_worker, value
from bench.capacity.tables import table
from bench.sizes import CONNECTIONS
from sankofa.access.tiers import Tiers

PAGE = Path(__file__).parents[2] / "docs" / "scale.md"
CORES = 2  # of the machine on which the runs were made
# An assumption: there is no traffic yet from which it could be measured.
SHARES = {"uncached": 0.1, "hit": 0.6, "304": 0.3}
RATES = (1_000, 10_000, 100_000)
FACTS = 1e9
REGIONS = 3
LEASED_FROM = 2  # requests a second of a key in one process, from which it gets leases (ADR 0066)
_SEEDS = range(3)

_TEXT = Path(__file__).with_name("section.txt").read_text(encoding="utf-8")


def section() -> str:
    """Return the whole section."""
    mean = growth.mean(kinds(), SHARES)
    units = sorted(_units(), key=lambda unit: unit.carries)
    per_second = Tiers().professional.per_minute / 60
    return _TEXT.format(
        bytes=one_worker("hit").bytes,
        requests=_requests(),
        costs=_costs(),
        connections=CONNECTIONS,
        cores=CORES,
        agreement=_agreement(),
        utilisation=100 * UTILISATION,
        mix=", ".join(f"{100 * share:.0f} % {answer}" for answer, share in SHARES.items()),
        units=table(
            ("one unit", "requests/s", "then"),
            [(unit.name, f"{unit.carries:,.0f}", unit.then) for unit in units],
        ),
        machine=MACHINE_CORES,
        steps=_steps(),
        times=_plain_bytes() / mean.bytes,
        leased_from=LEASED_FROM,
        per_second=per_second,
        processes=per_second / LEASED_FROM,
        workers=growth.cores(RATES[1], mean.api),
        leased=growth.carried(value("usage_with_leases") / 1e6, 1),
        without=growth.carried(value("usage_without_leases") / 1e6, 1),
        terabytes=FACTS * value("bytes_of_a_fact") / 1e12,
        index=FACTS * value("index_bytes_of_a_fact") / 1e9,
        billion=first_load.edition_hours(FACTS, 32),
        copies=REGIONS * FACTS * value("bytes_of_a_fact") / 1e12,
        wal=value("wal_of_a_fact"),
        loads=first_load.hours(),
        parallel=100 * first_load.parallel(),
        sharding=growth.DISK_BYTES / value("bytes_of_a_fact") / 1e9,
        disk=growth.DISK_BYTES / 1e12,
    )


def kinds() -> dict[str, Kind]:
    """Return the kinds of answers with their costs; bodies are sent as gzip."""
    sent = {"uncached": value("gzip_bytes"), "hit": value("gzip_bytes"), "304": one_worker("304").bytes}
    added = {"uncached": value("gzip_uncached") / 1e6}
    return {
        answer: Kind(
            api=one_worker(answer).api_us / 1e6 + added.get(answer, 0.0),
            postgres=one_worker(answer).postgres_us / 1e6 if answer == "uncached" else 0.0,
            bytes=sent[answer],
        )
        for answer in SHARES
    }


@cache
def simulated(run: measured.Run) -> float:
    """Return the rate that the model gives for the conditions of a run, with the costs of one worker."""
    rates = [
        network.rate(
            one_worker(run.answer).demand,
            workers=run.workers,
            connections=CONNECTIONS,
            cores=CORES - run.other_cores,
            seed=seed,
        )
        for seed in _SEEDS
    ]
    return sum(rates) / len(rates)


def _plain_bytes() -> float:
    return sum(share * one_worker(answer).bytes for answer, share in SHARES.items())


def _requests() -> str:
    rows = (
        (
            run.answer,
            f"{run.api_us:,.0f}",
            f"{run.postgres_us:,.0f}",
            f"{run.redis_us:,.0f}",
            f"{run.bytes:,.0f}",
        )
        for run in map(one_worker, SHARES)
    )
    return table(("answer", "API", "PostgreSQL", "Redis", "bytes sent"), rows)


def _costs() -> str:
    rows = (
        (cost.meaning, f"{cost.value:,g} {cost.unit}".strip(), f"`{cost.command}`")
        for cost in measured.costs().values()
    )
    return table(("other costs", "measured", "by"), rows)


def _agreement() -> str:
    rows = []
    for run in measured.runs():
        rate = simulated(run)
        ratio = f"{rate / run.requests_per_second:.2f}"
        numbers = (f"{run.requests_per_second:,.0f}", f"{rate:,.0f}", ratio, f"{run.other_cores:.2f}")
        rows.append((run.answer, str(run.workers), *numbers))
    return table(
        ("answer", "workers", "measured requests/s", "model", "ratio", "cores of other programs"), rows
    )


def _units() -> list[Unit]:
    mean = growth.mean(kinds(), SHARES)
    without, leased = (growth.carried(value(f"usage_{name}_leases") / 1e6, 1) for name in ("without", "with"))
    return [
        Unit(
            name=f"API on {MACHINE_CORES} cores",
            carries=growth.carried(mean.api, MACHINE_CORES),
            then="more machines",
        ),
        Unit(
            name=f"PostgreSQL on {MACHINE_CORES} cores",
            carries=growth.carried(mean.postgres, MACHINE_CORES),
            then="replicas",
        ),
        Unit(name="usage store without leases", carries=without, then="leases"),
        Unit(
            name="usage store with leases", carries=leased, then="two stores, each with its keys: not built"
        ),
        Unit(
            name="10 Gbit/s without gzip",
            carries=UTILISATION * NETWORK_BYTES / _plain_bytes(),
            then="gzip, an edge, more machines",
        ),
        Unit(
            name="10 Gbit/s with gzip",
            carries=UTILISATION * NETWORK_BYTES / mean.bytes,
            then="an edge, more machines",
        ),
    ]


def _steps() -> str:
    mean = growth.mean(kinds(), SHARES)
    leased, without = value("usage_with_leases") / 1e6, value("usage_without_leases") / 1e6
    rows = []
    for rate in RATES:
        api, postgres = growth.cores(rate, mean.api), growth.cores(rate, mean.postgres)
        gigabits = rate * mean.bytes * 8 / 1e9, rate * _plain_bytes() * 8 / 1e9
        broken = "; ".join(unit.name for unit in growth.exceeded(_units(), rate))
        rows.append(
            (
                f"{rate:,}",
                f"{api:,} ({growth.machines(api, MACHINE_CORES)})",
                f"{postgres:,} ({growth.machines(postgres, MACHINE_CORES)})",
                f"{rate * leased:.2f} ({rate * without:.2f})",
                f"{gigabits[0]:.1f} ({gigabits[1]:.1f})",
                broken or "nothing",
            )
        )
    head = (
        "requests/s",
        "API cores (machines)",
        "PostgreSQL cores (machines)",
        "cores of the usage store with leases (without)",
        "Gbit/s with gzip (without)",
        "one does not suffice, the first to break first",
    )
    return table(head, rows)
