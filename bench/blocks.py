"""All facts of an issuer as one compressed block, which the client cuts by the day of the question."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from itertools import groupby
from operator import itemgetter
from typing import Any

import msgspec
import psycopg
import zstandard

_LEVEL = 3
_KNOWN_UNTIL = ', "known_until": %s}'


class _Entry(msgspec.Struct, frozen=True, array_like=True):
    """What decides about a row, and its JSON."""

    period_type: str
    is_standard: bool
    available_at: date
    known_until: date
    labelled_from: date
    labelled_until: date
    json: str


_ENCODER = msgspec.msgpack.Encoder()
_DECODER = msgspec.msgpack.Decoder(list[_Entry])


def write(admin: psycopg.Connection[Any], sql: Mapping[str, str]) -> None:
    """Store a block for each issuer."""
    admin.execute(sql["empty_blocks"])
    compressor = zstandard.ZstdCompressor(_LEVEL)
    rows = admin.execute(sql["rows_of_blocks"]).fetchall()
    for issuer, of_issuer in groupby(rows, itemgetter(0)):
        block = compressor.compress(_ENCODER.encode([_Entry(*row[1:]) for row in of_issuer]))
        admin.execute(sql["insert_block"], {"service_id": issuer, "block": block})


def page(rows: Sequence[Sequence[Any]], values: Mapping[str, Any]) -> bytes:
    """Return the facts of a block that were the latest known on the day of the question."""
    ((block,),) = rows
    day, period_type = values["as_of"], values["period_type"]
    return joined(
        (entry.json, None)
        for entry in _DECODER.decode(zstandard.ZstdDecompressor().decompress(block))
        if entry.available_at <= day < entry.known_until
        and entry.period_type == period_type
        and entry.is_standard
        and entry.labelled_from <= day < entry.labelled_until
    )


def joined(rows: Iterable[tuple[str, str | None]]) -> bytes:
    """Return fragments as one list, each with the field that depends on the day."""
    texts = [json[:-1] + _KNOWN_UNTIL % (f'"{until}"' if until else "null") for json, until in rows]
    return f"[{','.join(texts)}]".encode()
