"""Open panels as files: the freely redistributable rows of one panel and edition."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from typing import get_args, get_type_hints

from sankofa.core.licences import LICENCES
from sankofa.signals.panel import Panel
from sankofa.signals.reads import open_from
from sankofa.storage.parquet import Columns

LICENCE = "CC-BY-4.0"
# Rows under this or a less strict licence can be redistributed, with the source named in each row.
OPEN_LICENCES = tuple(LICENCES)[: list(LICENCES).index(LICENCE) + 1]
_FIGURES = {int: "BIGINT", Decimal: "DECIMAL(38,10)"}


def columns(panel: Panel) -> Columns:
    """Return the columns of a panel's file, with the names and order of REST."""
    return (
        ("country", "VARCHAR"),
        (panel.breakdown, "VARCHAR"),
        ("month", "DATE"),
        *_figures(panel),
        ("methodology_ref", "VARCHAR"),
        ("source_ref", "VARCHAR"),
        ("license_class", "VARCHAR"),
        ("observed_at", "TIMESTAMP WITH TIME ZONE"),
    )


def _figures(panel: Panel) -> Iterator[tuple[str, str]]:
    for name, hint in get_type_hints(panel.figures).items():
        kinds = {hint, *get_args(hint)}
        yield name, next(figure for kind, figure in _FIGURES.items() if kind in kinds)


def select(panel: Panel) -> str:
    """Return the SELECT that shapes gathered rows for the file; a figure that does not fit raises."""
    expressions = {
        panel.breakdown: "breakdown",
        **{name: f"CAST(figures ->> '{name}' AS {kind})" for name, kind in _figures(panel)},
    }
    listed = ", ".join(f'{expressions.get(name, name)} AS "{name}"' for name, _ in columns(panel))
    return f"SELECT {listed} FROM gathered ORDER BY country, month, breakdown"  # noqa: S608  # our own names


def bind_values(panel: Panel, country: str, edition: int, day: date) -> dict[str, object]:
    """Return the values of the statement that gathers one country."""
    return {
        "panel": panel.key,
        "country": country,
        "edition": edition,
        "open_from": open_from(None, day),
        "licences": list(OPEN_LICENCES),
    }
