"""`sankofa verify` in this process, and the hand of somebody who can change everything in the database."""

from __future__ import annotations

import re
import string
from contextlib import contextmanager

import psycopg
from typer.testing import CliRunner

from sankofa.editions.rows import Forms
from sankofa.surfaces.cli import app

LAST_LINE = re.compile(r"[\d,]+ editions, ([\d,]+) rows, [\d,]+ documents, [\d,]+ files verified: (.*)")
_TRIGGERS = "SELECT DISTINCT tgrelid::regclass::text FROM pg_trigger WHERE NOT tgisinternal"


def verify(service, *options):
    """Run the command and return its exit code, its findings and what its last line says."""
    result = CliRunner().invoke(
        app, ["verify", *map(str, options)], env=service.installation.environment, catch_exceptions=False
    )
    *findings, last = result.output.splitlines()
    told = LAST_LINE.fullmatch(last)
    assert told, result.output
    return result.exit_code, findings, told[2]


def untouched(service, *options):
    """Tell whether the command finds nothing; if not, show what it found."""
    code, findings, told = verify(service, *options)
    assert (code, findings, told) == (0, [], "all is as it was sealed")
    return True


@contextmanager
def tampering(service):
    """Connect as a superuser for whom no trigger holds; each statement is committed."""
    with service.connect() as admin:
        tables = [str(row[0]) for row in admin.execute(_TRIGGERS)]
        for table in tables:
            admin.execute(f"ALTER TABLE {table} DISABLE TRIGGER ALL")
        try:
            yield admin
        finally:
            for table in tables:
                admin.execute(f"ALTER TABLE {table} ENABLE TRIGGER ALL")


def _key(admin, form):
    """Return the SQL of a key as verify spells it: serving tables go by number."""
    numbered = (
        form.table.startswith("serving.") and form.table != "serving.closing" and "row_id" in form.columns
    )
    return "row_id::text" if numbered else form.key_text("stood").as_string(admin)


@contextmanager
def tampered(service, part, change, *values, where="TRUE"):
    """Change or delete one row that `where` finds; yield its key, as verify names it, and put the row back.

    The change is the end of a statement: `SET value = value + 1`, or `DELETE`.
    """
    with tampering(service) as admin:
        form = Forms(admin).newest(part)
        key = _key(admin, form)
        chosen = admin.execute(
            f"CREATE TEMPORARY TABLE chosen AS SELECT stood.ctid AS the_place, {key} AS the_key, stood.*"
            f" FROM {part} AS stood WHERE {where} ORDER BY {key} LIMIT 1"
        )
        assert chosen.rowcount == 1, part
        ((name,),) = admin.execute("SELECT the_key FROM chosen").fetchall()
        act = f"DELETE FROM {part}" if change == "DELETE" else f"UPDATE {part} {change}"
        ended = admin.execute(
            f"{act} WHERE ctid = (SELECT the_place FROM chosen) RETURNING ctid::text", values
        )
        ((place,),) = ended.fetchall()
        try:
            yield name
        finally:
            if change != "DELETE":
                admin.execute(f"DELETE FROM {part} WHERE ctid = '{place}'")
            columns = ", ".join(column for column in _columns(admin) if not column.startswith("the_"))
            admin.execute(
                f"INSERT INTO {part} ({columns}) OVERRIDING SYSTEM VALUE SELECT {columns} FROM chosen"
            )


def _columns(admin):
    return [column.name for column in admin.execute("SELECT * FROM chosen LIMIT 0").description]


@contextmanager
def flipped(service, part, rng):
    """Change one character of one value of a random row into another that the column can hold.

    Yields the row's key, before and after, and puts the row back.
    """
    with tampering(service) as admin:
        form = Forms(admin).newest(part)
        ((rows,),) = admin.execute(f"SELECT count(*) FROM {part}").fetchall()
        change = None
        while change is None:
            place = admin.execute(
                f"SELECT ctid::text FROM {part} OFFSET {rng.randrange(rows)} LIMIT 1"
            ).fetchone()[0]
            change = _changed(admin, form, place, rng)
    statement, value, after = change
    with tampered(service, part, statement, value, where=f"ctid = '{place}'") as before:
        yield before, after


def _changed(admin, form, place, rng):
    """Try a change, without keeping it; None where the column or the table would not have it."""
    # A row is numbered once, and its end is told by serving.closing.
    column = rng.choice([name for name in form.columns if name not in ("row_id", "superseded_in")])
    text, kind = admin.execute(
        f"SELECT {column}::text, pg_typeof({column})::text FROM {form.table} WHERE ctid = '{place}'"
    ).fetchone()
    if not text:
        return None
    statement, value = f"SET {column} = %s::text::{kind}", _flip(rng, text)
    key = _key(admin, form)
    try:
        with admin.transaction(force_rollback=True):
            act = f"UPDATE {form.table} AS stood {statement} WHERE ctid = '{place}'"
            ((after, now),) = admin.execute(f"{act} RETURNING {key}, {column}::text", [value]).fetchall()
    except (psycopg.errors.DataError, psycopg.errors.IntegrityError, psycopg.errors.GeneratedAlways):
        return None  # no value of the column, or one that the table refuses; handles are given once
    return None if now == text else (statement, value, after)


def _flip(rng, text):
    """Return a text with one character changed for another of its kind."""
    place = rng.randrange(len(text))
    kinds = (string.digits, "abcdef", string.ascii_lowercase, string.ascii_uppercase)
    kind = next((kind for kind in kinds if text[place] in kind), string.punctuation)
    return text[:place] + rng.choice(kind.replace(text[place], "")) + text[place + 1 :]
