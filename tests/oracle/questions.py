"""What callers ask, with a liking for the days on which an answer changes; and what is taken down."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from random import Random
from typing import NamedTuple, get_args

from oracle.events import FactId, Takedown
from oracle.model import Model
from oracle.months import DAY
from oracle.rows import Mode

PERIOD_TYPES = ["FY", "H1", "H2", "Q1", "Q2", "Q3", "Q4", "9M", "TTM"]
LONG_AGO = date(1993, 1, 1)
UNKNOWN_SUBJECT = "cik:0000000001"


class Question(NamedTuple):
    """The arguments of `Model.answer` by name."""

    subject: str
    edition: int | None
    as_of: date | None
    vintages: Mode
    period_type: str | None
    items: str


def questions(model: Model, subjects: list[str], seed: int, count: int) -> Iterator[Question]:
    """Questions about what the model has published so far."""
    rng = Random(seed)
    for _ in range(count):
        subject = rng.choice(subjects) if rng.random() < 0.98 else UNKNOWN_SUBJECT
        edition = rng.choice([None, rng.randint(1, len(model.published))])
        yield Question(
            subject,
            edition,
            _as_of(rng, model, subject, edition or len(model.published)),
            rng.choice(get_args(Mode)),
            _any_case(rng, rng.choice(PERIOD_TYPES)) if rng.random() < 0.4 else None,
            _items(rng, model, subject, edition or len(model.published)),
        )


def _items(rng: Random, model: Model, subject: str, edition: int) -> str:
    history = model.history(model.survivor(subject, edition), edition)
    if not history or rng.random() < 0.7:
        return rng.choice(["standard", "all"])
    figures = [rng.choice(history).figure for _ in range(rng.randint(1, 3))]
    return ",".join({rng.choice([figure["line_item"], figure["concept"]]) for figure in figures})


def _as_of(rng: Random, model: Model, subject: str, edition: int) -> date | None:
    tomorrow = model.published[-1] + DAY
    history = model.history(model.survivor(subject, edition), edition)
    if not history or rng.random() < 0.2:
        return rng.choice([None, LONG_AGO, tomorrow])
    vintage = rng.choice(history).vintage
    turns = [vintage.sighting.filed, vintage.withdrawn_at or vintage.sighting.filed]
    day = rng.choice(turns) + rng.choice([-1, 0, 0, 1, rng.randint(-200, 200)]) * DAY
    return min(day, tomorrow)


def _any_case(rng: Random, text: str) -> str:
    return "".join(rng.choice([letter.upper(), letter.lower()]) for letter in text)


def fact_takedown(model: Model, subjects: list[str], rng: Random) -> Takedown:
    """Take down one fact that the newest edition serves."""
    edition = len(model.published)
    while True:
        rows = model.answer(rng.choice(subjects), edition, vintages="all", items="all")
        if rows:
            row = rng.choice(rows)
            return Takedown(
                FactId(
                    row["source"],
                    row["accession"],
                    row["concept"],
                    row["period_start"],
                    row["period_end"],
                    row["stated_unit"],
                    row["value_reported"],
                )
            )


def issuer_takedown(model: Model, subjects: list[str], rng: Random) -> Takedown:
    """Take down one issuer that the newest edition serves."""
    return Takedown(rng.choice([subject for subject in subjects if model.answer(subject) is not None]))
