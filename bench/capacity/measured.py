"""The measured figures that the model starts from, each with the command that measured it."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from bench.capacity.network import Demand

_FILE = Path(__file__).with_name("measured.toml")


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A run of `python -m bench.workers`; times are µs of processor for one request."""

    answer: str
    workers: int
    requests_per_second: float
    api_us: float
    postgres_us: float
    redis_us: float
    load_us: float  # of the load generator
    other_cores: float  # that other programs used meanwhile
    bytes: float

    @property
    def demand(self) -> Demand:
        """The processor time of a request, in seconds."""
        return Demand(
            api=self.api_us / 1e6,
            postgres=self.postgres_us / 1e6,
            redis=self.redis_us / 1e6,
            load=self.load_us / 1e6,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """One figure."""

    name: str
    value: float
    meaning: str
    unit: str
    command: str


@cache
def runs() -> list[Run]:
    """Return the measured throughputs."""
    return [Run(**run) for run in _content()["run"]]


@cache
def costs() -> dict[str, Cost]:
    """Return the other figures by name."""
    return {cost["name"]: Cost(**cost) for cost in _content()["cost"]}


def value(name: str) -> float:
    """Return one figure."""
    return costs()[name].value


def one_worker(answer: str) -> Run:
    """Return the run of one worker with this kind of answer."""
    return next(run for run in runs() if run.answer == answer and run.workers == 1)


def _content() -> dict[str, list[dict[str, object]]]:
    return tomllib.loads(_FILE.read_text(encoding="utf-8"))
