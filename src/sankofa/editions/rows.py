"""How a row is hashed: the SHA-256 of its text, the one that digests and tombstones are made of.

The text is PostgreSQL's own text of the row, without `superseded_in`, and without the nulls at its end: a
column that a later migration appends, empty in old rows, leaves their hashes as they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from sankofa.storage.postgres import Connection, sql
from sankofa.storage.queries import named

_SQL = named(__package__, "digests.sql")
_CLOSED_LATER = "superseded_in"  # changes once in a row's life, and is sealed as a closing


@dataclass(frozen=True, slots=True)
class Form:
    """A table as it stands in the catalogue: its columns, and the key by which its rows are told apart."""

    table: str  # with its schema
    columns: tuple[str, ...]
    key: tuple[str, ...]
    is_text: tuple[bool, ...]  # for each column of the key

    @property
    def identifier(self) -> sql.Identifier:
        """The table's name as it stands in a statement."""
        return sql.Identifier(*self.table.split(".", 1))

    def row_hash(self, row: str) -> sql.Composed:
        """Return the SQL of a row's hash; `row` is what the statement calls it, perhaps a value of a row."""
        values = (
            sql.SQL("({}).{}").format(sql.Identifier(row), sql.Identifier(column))
            for column in self.columns
            if column != _CLOSED_LATER
        )
        # A comma or parenthesis within a value is always quoted, so only empty columns are cut off.
        return sql.SQL("sha256(convert_to(rtrim(ROW({})::text, ',)'), 'UTF8'))").format(
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


def forms(connection: Connection) -> Mapping[str, Form]:
    """Return the tables of the ledger, of what is served, and of ops, by name."""
    rows = cast("list[tuple[str, list[str], list[str], list[bool]]]", connection.execute(_SQL["forms"]))
    return {name: Form(name, tuple(columns), tuple(key), tuple(text)) for name, columns, key, text in rows}
