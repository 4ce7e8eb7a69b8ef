"""Open panels as files: the freely redistributable rows of one panel, of all editions."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import get_args, get_type_hints

from sankofa.core.licences import OPEN_LICENCES
from sankofa.signals.panel import Panel
from sankofa.storage.parquet import Columns

_FIGURES = {int: "BIGINT", Decimal: "DECIMAL(38,10)"}


def columns(panel: Panel) -> Columns:
    """Return the columns of a panel's file: those of REST in its order, with the editions after the month."""
    return (
        ("country", "VARCHAR"),
        (panel.breakdown, "VARCHAR"),
        ("month", "DATE"),
        ("published_in", "INTEGER"),  # readers fetch neighbouring columns together: long texts come last
        ("closed_in", "INTEGER"),
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
    return f"SELECT {listed} FROM gathered ORDER BY country, month, breakdown, published_in"  # noqa: S608  # our own names


def bind_values(panel: Panel, country: str, edition: int) -> dict[str, object]:
    """Return the values of the statement that gathers one country."""
    return {
        "panel": panel.key,
        "country": country,
        "edition": edition,
        "licences": list(OPEN_LICENCES),
    }
