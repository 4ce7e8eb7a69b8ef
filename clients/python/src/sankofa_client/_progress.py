"""How far a walk over pages is: a line on a terminal once it takes long, and nothing anywhere else."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_SECONDS = 1.0  # before the line is shown


@contextmanager
def counting(name: str, rows: int) -> Iterator[Callable[[int], object]]:
    """Show how many rows of an answer were read, beginning with those of its first page.

    Gives the function that takes the rows of each further page. Without tqdm nothing is shown.
    """
    if importlib.util.find_spec("tqdm") is None:
        yield lambda _rows: None
        return
    line = importlib.import_module("tqdm").tqdm(
        desc=name,
        initial=rows,
        unit=" rows",
        unit_scale=True,
        delay=_SECONDS,
        disable=None,  # where there is no terminal
        leave=False,
    )
    with line:
        yield line.update
