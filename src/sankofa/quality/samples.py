"""Labelled samples: values checked by hand, to count errors that no rule can detect.

A sample is a CSV file of an operator with the columns of `COLUMNS`. A line is an organisation that exists
(`false_withhold_rate`, by the identifier a source names it by), or a value as a document states it
(`extraction_accuracy`). It is stored as supplied, and looked up in the current edition.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
from collections.abc import Iterable
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import NamedTuple, cast

from sankofa.core.errors import Refused
from sankofa.quality.measures import measures_of
from sankofa.quality.publish import COUNTED, SQL
from sankofa.storage.postgres import Connection, connect, copy_line
from sankofa.storage.queries import named

COLUMNS = ("sku", "measure", "identifier", "item", "period_end", "unit", "value")
_SQL = named(__package__, "samples.sql")
_WITHHELD = "false_withhold_rate"
_MEASURES = (_WITHHELD, "extraction_accuracy")


class Sampled(NamedTuple):
    """The result of a sample for one measure."""

    sku: str
    measure: str
    good: int
    measured: int


def measure_sample(dsn: str, content: bytes) -> list[Sampled]:
    """Store a sample, look it up in the current edition, and record the result for the next edition."""
    labels = list(read(content))
    digest = hashlib.sha256(content).digest()
    with connect(dsn) as connection, connection.transaction():
        row = connection.execute("SELECT serving.current_edition()").fetchone()
        values = {"edition": cast("tuple[int]", row)[0], "sample": digest}
        if not values["edition"]:
            raise Refused("no edition is published yet: there is nothing to compare the sample with")
        _keep(connection, digest, labels)
        found = []
        for sku, measure in sorted({(label["sku"], label["measure"]) for label in labels}):
            statement = _SQL["organisations_withheld"] if measure == _WITHHELD else COUNTED[sku][1]["sample"]
            counts = connection.execute(statement, values | {"sku": sku}).fetchone()
            found.append(Sampled(sku, measure, *cast("tuple[int, int]", counts)))
            connection.execute(SQL["record_result"], values | found[-1]._asdict())
    return found


def read(content: bytes) -> Iterable[dict[str, str]]:
    """Return the labels of a file. Raise Refused with the line that is wrong."""
    table = csv.DictReader(io.StringIO(content.decode("utf-8-sig")))
    if tuple(table.fieldnames or ()) != COLUMNS:
        raise Refused(f"a sample has the columns {','.join(COLUMNS)}")
    number = 0
    for number, line in enumerate(table, 1):
        label = {name: text for name, text in line.items() if isinstance(name, str) and isinstance(text, str)}
        if len(label) != len(COLUMNS) or len(line) != len(COLUMNS):
            raise Refused(f"line {number} of the sample: expected {len(COLUMNS)} columns")
        try:
            _check(label)
        except (ValueError, InvalidOperation) as error:
            raise Refused(f"line {number} of the sample: {error or 'value: expected a number'}") from None
        yield label
    if not number:
        raise Refused("the sample has no line")


def _check(label: dict[str, str]) -> None:
    known = {measure.slug for measure in measures_of(label["sku"])} & set(_MEASURES)
    if label["measure"] not in known:
        raise ValueError(
            f"measure: expected one of {', '.join(sorted(known)) or 'none, as no such sku exists'}"
        )
    if label["measure"] == _WITHHELD:
        if not label["identifier"]:
            raise ValueError("identifier: expected one as a source names it, such as lei:…")
        return
    if not Decimal(label["value"]).is_finite():
        raise ValueError("value: expected a number")
    form = COUNTED[label["sku"]][0].sampled_as
    if not form:
        date.fromisoformat(label["period_end"])
    elif "|" not in label["identifier"]:
        raise ValueError(f"identifier: expected {form}")


def _keep(connection: Connection, digest: bytes, labels: list[dict[str, str]]) -> None:
    if connection.execute(_SQL["known_line"], {"sample": digest}).fetchone():
        return
    with connection.cursor() as cursor, cursor.copy(_SQL["copy_labels"]) as copy:
        for number, label in enumerate(labels, 1):
            encoded = json.dumps(label)
            copy.write(copy_line(f"\\x{digest.hex()}", number, label["sku"], label["measure"], encoded))
