"""Decide which organisations may be served: each touched one is judged on all statements of all sources."""

from __future__ import annotations

import hashlib
import itertools
import uuid
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import NamedTuple, cast

from sankofa.drift.takedowns import hold_too_many
from sankofa.editions.takedown import take_down_withheld
from sankofa.editions.walk import Chunk
from sankofa.entities.names import search_key
from sankofa.entities.organisations import Profile, decide, may_serve_as_former_name
from sankofa.entities.rules import Rules
from sankofa.storage.postgres import Connection, copy_line
from sankofa.storage.queries import named

_SQL = named(__package__, "establish.sql")

_Statement = tuple[str, str, str | None, list[list[str | None]], list[str], int, str, uuid.UUID]
_Named = tuple[str, str, str | None, list[list[str | None]], list[str]]  # the same without its position


class Judgement(NamedTuple):
    """The reason why a party is served or withheld."""

    decided_at: datetime
    rule_version: str
    is_established: bool
    evidence: list[str]
    vetoes: list[str]


class Flip(NamedTuple):
    """A party that only a change of rules makes visible; a person should review it."""

    service_id: str
    legal_name: str | None
    evidence: list[str]
    vetoes_before: list[str]


def judge(connection: Connection, chunk: Chunk, rules: Rules) -> None:
    """Fill `judgement` for the survivors of a chunk, and keep each decision with its evidence.

    Fill `withheld_name` with those of their other names that must not be served.
    """
    values = {"after": chunk.after, "until": chunk.until, "rule_version": rules.version}
    rows = cast("list[_Statement]", connection.execute(_SQL["profiles"], values).fetchall())
    before = cast("list[_Named]", connection.execute(_SQL["names_before"], values).fetchall())
    earlier = {key: list(group) for key, group in itertools.groupby(before, key=lambda row: row[0])}
    withheld: list[tuple[str, str, bool]] = []
    with connection.cursor() as cursor, cursor.copy(_SQL["copy_judgements"]) as copy:
        for service_id, group in itertools.groupby(rows, key=lambda row: row[0]):
            statements = list(group)
            copy.write(copy_line(*_judged(service_id, statements, rules)))
            withheld += _withheld(service_id, statements, earlier.get(service_id, []), rules)
    with connection.cursor() as cursor, cursor.copy(_SQL["copy_withheld_names"]) as copy:
        for name in withheld:
            copy.write(copy_line(*name))
    connection.execute(_SQL["record_names_of_persons"], values)
    connection.execute(_SQL["record_judgements"], values)


def withdraw(connection: Connection, edition: int, rules: Rules) -> None:
    """Take down organisations that are no longer established, from every edition.

    An organisation that stays established loses its former names if one of them may no longer be served. If
    these are too many at once, nothing is taken down, and HeldBack is raised.
    """
    gone = cast("list[tuple[str, str]]", connection.execute(_SQL["no_longer_established"]).fetchall())
    named = cast("list[tuple[str, str]]", connection.execute(_SQL["names_now_withheld"]).fetchall())
    renamed = sorted(set(named) - set(gone))
    if gone or renamed:
        ids = [service_id for service_id, _ in (*gone, *renamed)]
        batches = connection.execute(_SQL["batches_about"], {"edition": edition, "ids": ids}).fetchall()
        hold_too_many(connection, ids, [cast(int, row[0]) for row in batches], rules.version)
        takedowns = take_down_withheld(connection, gone)
        takedowns += take_down_withheld(connection, renamed, names_only=True)
        connection.execute(_SQL["hold_takedowns"], {"edition": edition, "takedowns": takedowns})


def flips(connection: Connection, before: str, now: str) -> list[Flip]:
    """Return the parties that `now` establishes and `before` withheld, on the same evidence."""
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


def profile(statements: Iterable[_Statement | _Named]) -> Profile:
    """Return all statements about one organisation, without duplicates, in a fixed order."""
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


def _withheld(
    service_id: str, statements: list[_Statement], before: list[_Named], rules: Rules
) -> Iterator[tuple[str, str, bool]]:
    """Yield the names besides the current one that must not be served, each judged on its own statements.

    The last element is true if hard evidence shows that the name is a person's.
    """
    current = statements[0][1]
    named: dict[str, list[_Named]] = {}
    for row in [*(statement[:5] for statement in statements), *before]:
        if row[1] not in ("", current):
            named.setdefault(row[1], []).append(row)
    for name, stating in named.items():
        decision = decide(profile(stating), rules)
        if not may_serve_as_former_name(decision):
            yield service_id, name, any(veto.grade == "N_HARD" for veto in decision.vetoes)
