"""Entity resolution: join subjects of many sources to organisations by exact identifiers and names.

Never by similarity. A claim that fits two organisations is ignored; a corporate succession joins nothing; a
third party's table joins only subjects of the same name. The result depends only on the contents of the
ledger, never on the order in which they arrived.
"""

from __future__ import annotations

from typing import cast

from sankofa.entities.names import resolution_key, search_key
from sankofa.storage.postgres import Connection
from sankofa.storage.queries import named

_SQL = named(__package__, "resolve.sql")
_SUBJECTS_AT_ONCE = 50_000
_ROUNDS = 50
_LEI, _NAME = 1, 6  # the strongest and the weakest kind of claim; resolve.sql lists them
_LEVELS = range(_LEI, _NAME + 1)


def resolve(connection: Connection) -> None:
    """Fill `rooted` with the representative of every subject that `touched_subject` concerns."""
    for name in ("tables", "look_at_touched"):
        connection.execute(_SQL[name])
    _look(connection, 0)
    _claim(connection)
    for number in range(1, _ROUNDS):
        found = connection.execute(_SQL["widen"], {"round": number}).rowcount
        if number == 1:  # subjects that shared a dropped claim were already added by it
            connection.execute(_SQL["drop_claims"])
        if not found:
            break
        _look(connection, number)
    connection.execute(_SQL["rank"])
    _compare_hearsay(connection)
    for rank in _LEVELS:
        connection.execute(_SQL["root_level"], {"rank": rank})
        connection.execute("ANALYZE rooted")
        if rank == _LEI:
            # An LEI and its duplicate are one organisation: a name or number that both have is not ambiguous.
            connection.execute(_SQL["follow"], {"with_decisions": False})
        if rank == _NAME - 1:
            connection.execute(_SQL["root_listings"])
    connection.execute(_SQL["root_the_rest"])
    connection.execute(_SQL["follow"], {"with_decisions": True})


def _look(connection: Connection, number: int) -> None:
    connection.execute("ANALYZE looked_at")
    connection.execute(_SQL["state"], {"round": number})
    connection.execute("SELECT build.renew_statistics('statement')")


def _compare_hearsay(connection: Connection) -> None:
    """Fill `stem`: a third party's claim about two subjects counts only if their names are equal."""
    named = connection.execute(_SQL["names_of_hearsay"]).fetchall()
    with connection.cursor() as cursor, cursor.copy(_SQL["copy_stems"]) as copy:
        for subject_id, name in cast("list[tuple[int, str]]", named):
            if key := search_key(name):
                copy.write_row((subject_id, key))
    connection.execute("ANALYZE stem")


def _claim(connection: Connection) -> None:
    """Insert the claims of the touched subjects: identifiers, and names within a country."""
    connection.execute(_SQL["claim_identifiers"])
    size = {"size": _SUBJECTS_AT_ONCE}
    bounds = [cast(int, row[0]) for row in connection.execute(_SQL["subject_bounds"], size)]
    for after, until in zip([0, *bounds], bounds, strict=False):
        rows = connection.execute(_SQL["names_of_touched"], {"after": after, "until": until}).fetchall()
        with connection.cursor() as cursor, cursor.copy(_SQL["copy_claims"]) as copy:
            for subject_id, name, country in cast("list[tuple[int, str, str]]", rows):
                if key := resolution_key(name, country):
                    copy.write_row((subject_id, _NAME, f"name:{country}:{key}"))
    connection.execute("ANALYZE claim_now")
    connection.execute(_SQL["put_claims"])
