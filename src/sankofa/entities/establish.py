"""Who may be shown: every touched organisation is judged on all that sources state about it."""

from __future__ import annotations

import hashlib
import itertools
import uuid
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple, cast

from sankofa.editions.reconcile import ServingTable
from sankofa.editions.takedown import take_down_withheld
from sankofa.editions.walk import Chunk
from sankofa.entities.names import search_key
from sankofa.entities.organisations import Profile, decide
from sankofa.entities.rules import Rules
from sankofa.storage.postgres import Connection, connect, copy_line
from sankofa.storage.queries import named

_SQL = named(__package__, "establish.sql")

_Statement = tuple[str, str, str | None, list[list[str | None]], list[str], int, str, uuid.UUID]


class Judgement(NamedTuple):
    """Why a party is shown or withheld."""

    decided_at: datetime
    rule_version: str
    is_established: bool
    evidence: list[str]
    vetoes: list[str]


class Flip(NamedTuple):
    """A party that a change of rules alone brings to light: somebody should look at it."""

    service_id: str
    legal_name: str | None
    evidence: list[str]
    vetoes_before: list[str]


def judge(connection: Connection, chunks: Iterable[Chunk], rules: Rules) -> None:
    """Fill `judgement` for all touched survivors, and keep each decision with its evidence."""
    for chunk in chunks:
        asked = {"after": chunk.after, "until": chunk.until}
        stated = cast("list[_Statement]", connection.execute(_SQL["profiles"], asked).fetchall())
        with connection.cursor() as cursor, cursor.copy(_SQL["copy_judgements"]) as copy:
            for service_id, statements in itertools.groupby(stated, key=lambda row: row[0]):
                copy.write(copy_line(*_judged(service_id, list(statements), rules)))
    connection.execute("CREATE INDEX ON judgement (service_id)")
    connection.execute("ANALYZE judgement")
    connection.execute(_SQL["record_judgements"], {"rule_version": rules.version})


def withdraw(connection: Connection, privacy_dsn: str, tables: Sequence[ServingTable], edition: int) -> None:
    """Take down, from every edition at once, whoever was shown and is no longer established."""
    gone = [str(row[0]) for row in connection.execute(_SQL["no_longer_established"])]
    if gone:
        with connect(privacy_dsn) as privacy:
            takedowns = take_down_withheld(privacy, gone, tables)
        connection.execute(_SQL["hold_takedowns"], {"edition": edition, "takedowns": takedowns})


def flips(connection: Connection, before: str, now: str) -> list[Flip]:
    """Return whom the rules `now` show and the rules `before` withheld, on the same evidence."""
    rows = connection.execute(_SQL["flips"], {"before": before, "now": now}).fetchall()
    return [Flip(*row) for row in cast("list[tuple[str, str | None, list[str], list[str]]]", rows)]


def rules_before(connection: Connection, version: str) -> str | None:
    """Return the newest other version of the rules that an edition was judged by."""
    row = connection.execute(_SQL["rules_before"], {"version": version}).fetchone()
    return str(row[0]) if row else None


def judgements(connection: Connection, service_id: str) -> list[Judgement]:
    """Return every judgement about a party, newest first."""
    rows = connection.execute(_SQL["judgements"], {"service_id": service_id}).fetchall()
    return [Judgement(*row) for row in cast("list[tuple[datetime, str, bool, list[str], list[str]]]", rows)]


def profile(statements: Iterable[_Statement]) -> Profile:
    """Return everything that is known of one organisation, each thing once, in a fixed order."""
    names: set[tuple[str, str]] = set()
    identifiers: set[tuple[str, str, str]] = set()
    marks: set[str] = set()
    for _service_id, name, country, claimed, marked, *_rest in statements:
        if name:
            names.add((name, country or ""))
        identifiers.update((str(one[0]), one[1] or "", str(one[2])) for one in claimed)
        marks.update(marked)
    return Profile(tuple(sorted(names)), tuple(sorted(identifiers)), frozenset(marks))


def _judged(service_id: str, statements: list[_Statement], rules: Rules) -> tuple[object, ...]:
    known = profile(statements)
    decision = decide(known, rules)
    _, name, _, _, _, subject_id, source, content = statements[0]
    digest = hashlib.md5(repr((known[:2], sorted(known.marks))).encode(), usedforsecurity=False)
    return (
        service_id,
        decision.established,
        uuid.UUID(bytes=digest.digest()),
        "\n".join(" ".join(one) for one in decision.evidence),
        "\n".join(" ".join(one) for one in decision.vetoes),
        " ".join(decision.established_by),
        search_key(name),
        subject_id,
        source,
        content,
    )
