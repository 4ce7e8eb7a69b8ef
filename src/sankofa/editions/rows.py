"""How a row is hashed: as a leaf of a Merkle tree over its text. Digests and tombstones are made of these.

The text is PostgreSQL's own text of a row of the columns that `ops.sealed_form` keeps for the edition that
seals it. A migration that changes a table adds a form, and older editions are still verified by theirs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from sankofa.storage.postgres import Connection, sql
from sankofa.storage.queries import named

_SQL = named(__package__, "digests.sql")


@dataclass(frozen=True, slots=True)
class Form:
    """The columns and the key of a table that editions seal, from one edition on."""

    table: str  # with its schema
    first_edition: int
    columns: tuple[str, ...]
    key: tuple[str, ...]
    is_text: tuple[bool, ...]  # for each column of the key

    @property
    def identifier(self) -> sql.Identifier:
        """The table's name for a statement."""
        return sql.Identifier(*self.table.split(".", 1))

    def row_hash(self, row: str) -> sql.Composed:
        """Return the SQL of a row's hash; `row` is what the statement calls it, perhaps a value of a row."""
        values = (
            sql.SQL("({}).{}").format(sql.Identifier(row), sql.Identifier(column)) for column in self.columns
        )
        return sql.SQL(r"sha256('\x00'::bytea || convert_to(ROW({})::text, 'UTF8'))").format(
            sql.SQL(", ").join(values)
        )

    def key_text(self, row: str) -> sql.Composed:
        """Return the SQL of a row's key as text."""
        columns = sql.SQL(", ").join(sql.Identifier(row, column) for column in self.key)
        return sql.SQL("ROW({})::text").format(columns)

    def order(self, row: str) -> sql.Composed:
        """Return the SQL of the order of keys: the same on every server, whatever its language."""
        return sql.SQL(", ").join(
            sql.Identifier(row, column) + sql.SQL(' COLLATE "C"' if text else "")
            for column, text in zip(self.key, self.is_text, strict=True)
        )


class Forms:
    """The forms of the tables of the ledger, of what is served, and of ops."""

    def __init__(self, connection: Connection) -> None:
        rows = cast(
            "list[tuple[str, int, list[str], list[str], list[bool]]]", connection.execute(_SQL["forms"])
        )
        self._forms: dict[str, list[Form]] = {}  # of each table, the newest first
        for part, first_edition, columns, key, is_text in rows:
            form = Form(part, first_edition, tuple(columns), tuple(key), tuple(is_text))
            self._forms.setdefault(part, []).append(form)

    @property
    def parts(self) -> set[str]:
        """The tables, with their schemas."""
        return set(self._forms)

    def newest(self, part: str) -> Form:
        """Return the form in which the next edition seals a table."""
        return self._forms[part][0]

    def of(self, part: str, edition: int) -> Form:
        """Return the form in which an edition sealed a table."""
        return next(form for form in self._forms[part] if form.first_edition <= edition)
