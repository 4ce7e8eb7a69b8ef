"""Processor time of a PostgreSQL backend by statement, read from /proc when the next statement begins.

Until then everything that the backend did belongs to the statement before: rows of a COPY or of a cursor
are sent after the statement itself has returned.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg

_MAIN_WORDS = re.compile(
    r"\b(INSERT INTO \S+|UPDATE \S+|CREATE TEMPORARY TABLE \S+|COPY \w+|ANALYZE \S+|SELECT [a-z_.]+)"
)
_PROJECT = "/sankofa/"


@contextmanager
def counted() -> Iterator[Counter[str]]:
    """Count the nanoseconds of this process's backends by place in the code and main words of a statement."""
    spent: Counter[str] = Counter()
    last: dict[int, tuple[str, int]] = {}  # by backend: the statement that runs, and the time when it began

    def begin(cursor: psycopg.Cursor[Any], statement: object) -> None:
        pid = cursor.connection.info.backend_pid
        now = _nanoseconds(pid)
        if pid in last:
            label, began = last[pid]
            spent[label] += now - began
        last[pid] = (_label(cursor, statement), now)

    def noting(method: Callable[..., Any]) -> Callable[..., Any]:
        def run(cursor: psycopg.Cursor[Any], statement: object, *args: object, **options: object) -> object:
            begin(cursor, statement)
            return method(cursor, statement, *args, **options)

        return run

    places = ((psycopg.Cursor, "execute"), (psycopg.Cursor, "copy"), (psycopg.ServerCursor, "execute"))
    originals = [(kind, name, getattr(kind, name)) for kind, name in places]
    for kind, name, method in originals:
        setattr(kind, name, noting(method))
    try:
        yield spent
    finally:
        for kind, name, method in originals:
            setattr(kind, name, method)


def _label(cursor: psycopg.Cursor[Any], statement: object) -> str:
    is_composed = isinstance(statement, psycopg.sql.Composable)
    text = statement.as_string(cursor.connection) if is_composed else str(statement)  # type: ignore[attr-defined]
    found = _MAIN_WORDS.findall(re.sub(r"--.*", "", text))
    written = [words for words in found if not words.startswith("SELECT")]
    return f"{_place()} {(written or found or [text[:40]])[-1]}"


def _place() -> str:
    """Return the file and line of the project's code that runs the statement."""
    frame = sys._getframe(1)  # noqa: SLF001  # the way to a caller's place
    while frame.f_back and (
        _PROJECT not in frame.f_code.co_filename or "/storage/" in frame.f_code.co_filename
    ):
        frame = frame.f_back
    return f"{frame.f_code.co_filename.rpartition(_PROJECT)[2]}:{frame.f_lineno}"


def _nanoseconds(pid: int) -> int:
    return int(Path(f"/proc/{pid}/schedstat").read_text().split()[0])
