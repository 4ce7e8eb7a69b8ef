"""Every form holds the same rows: written, read back by other code, and compared exactly (ENV-14)."""

from __future__ import annotations

import csv
import dataclasses
import io
import json
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Annotated, Literal
from uuid import UUID

import msgspec
import pyarrow as pa
import pyarrow.csv
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sankofa.ask.endpoint import LICENSE, Answer
from sankofa.editions.routes import ENDPOINTS as EDITIONS_ENDPOINTS
from sankofa.editions.served import PublishedEdition, Takedown
from sankofa.fundamentals.routes import ENDPOINTS as FUNDAMENTALS_ENDPOINTS
from sankofa.fundamentals.served import FundamentalsFact
from sankofa.storage.edition import Edition
from sankofa.web.formats import ARROW, CSV, FORMATS, JSON, NDJSON, columns

(EDITIONS,), (FUNDAMENTALS,) = EDITIONS_ENDPOINTS, FUNDAMENTALS_ENDPOINTS
EDITION = Edition(7, "m7", date(2024, 4, 1))
ENCODER = msgspec.json.Encoder(decimal_format="number")

texts = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0"), max_size=12)
awkward = texts | st.sampled_from(
    ["", " ", '"', ",", "\r\n", "\n", "=1+1", "-1", "null", '""', "\ufeff", "\u2028"]
)
whole = st.integers(-(2**63), 2**63 - 1)
exact = st.builds(
    lambda digits, places: Decimal(digits).scaleb(-places),
    st.integers(-(10**26) + 1, 10**26 - 1),
    st.integers(0, 12),
)
days = st.dates()
instants = st.datetimes(timezones=st.just(UTC))
facts = st.builds(
    FundamentalsFact,
    service_id=awkward,
    line_item=awkward,
    value_reported=exact,
    currency_reported=awkward | st.none(),
    unit=awkward,
    scope=awkward,
    period_start=days | st.none(),
    period_end=days,
    period_type=awkward | st.none(),
    fiscal_year=whole | st.none(),
    vintage=whole,
    previous_value=exact | st.none(),
    restated_on=days | st.none(),
    decimals=whole | st.none(),
    accepted_at=instants | st.none(),
    available_at=days,
    available_at_basis=awkward,
    known_until=days | st.none(),
    reported_as=st.sampled_from(["own", "comparative"]),
    source_ref=awkward,
    license_class=awkward,
    observed_at=instants,
    extraction_confidence=exact | st.none(),
    method=awkward,
    provenance_id=st.uuids().map(str),
    fact_id=st.uuids().map(str),
)
editions = st.builds(
    PublishedEdition,
    edition=whole,
    mark=awkward,
    published_at=instants,
    digest=awkward,
    datasets=st.dictionaries(texts, st.dictionaries(texts, whole | awkward, max_size=2), max_size=2),
    takedowns=st.lists(
        st.builds(Takedown, takedown=whole, taken_down_at=instants, rows_removed=whole), max_size=2
    ),
)


def answer(rows, as_of=date(2024, 3, 31), **options):
    return Answer(rows=rows, encoded=ENCODER.encode(rows), edition=EDITION, as_of=as_of, **options)


def written(media_type, endpoint, rows):
    return FORMATS[media_type].write(endpoint, answer(rows))


def from_csv(endpoint, body):
    """Read with Arrow's CSV parser, which tells an empty cell from an empty text."""
    names = endpoint.row.__struct_fields__
    table = pa.csv.read_csv(
        io.BytesIO(body),
        parse_options=pa.csv.ParseOptions(newlines_in_values=True),
        convert_options=pa.csv.ConvertOptions(
            column_types=dict.fromkeys(names, pa.utf8()),
            null_values=[""],
            strings_can_be_null=True,
            quoted_strings_can_be_null=False,
        ),
    )
    assert tuple(table.column_names) == names
    return [unnested(endpoint, {name: unguarded(row[name]) for name in names}) for row in table.to_pylist()]


def unguarded(cell):
    """A cell without the apostrophe before what a spreadsheet would run as a formula; no other begins so."""
    return cell and cell.removeprefix("'")


def unnested(endpoint, row):
    """A row whose scalars are text or typed, whose nested values are JSON text, as its struct."""
    nested = {"datasets", "takedowns"} & row.keys()
    values = {name: json.loads(row[name]) if name in nested else row[name] for name in row}
    return msgspec.convert(values, endpoint.row, strict=False)


def from_ndjson(endpoint, body):
    assert body.endswith(b"\n") or not body
    lines = body.split(b"\n")[:-1]
    return [msgspec.convert(json.loads(line, parse_float=Decimal), endpoint.row) for line in lines]


def from_arrow(endpoint, body):
    return [unnested(endpoint, row) for row in pa.ipc.open_stream(body).read_all().to_pylist()]


READERS = {CSV: from_csv, NDJSON: from_ndjson, ARROW: from_arrow}


@pytest.mark.parametrize("media_type", READERS)
@given(rows=st.lists(facts, max_size=3))
def test_facts_come_back_exactly(media_type, rows):
    assert READERS[media_type](FUNDAMENTALS, written(media_type, FUNDAMENTALS, rows)) == rows


@pytest.mark.parametrize("media_type", READERS)
@given(rows=st.lists(editions, max_size=3))
def test_editions_come_back_exactly(media_type, rows):
    assert READERS[media_type](EDITIONS, written(media_type, EDITIONS, rows)) == rows


@given(rows=st.lists(facts, max_size=3))
def test_json_and_ndjson_hold_the_same_bytes(rows):
    inside = b",".join(written(NDJSON, FUNDAMENTALS, rows).split(b"\n")[:-1])
    assert written(JSON, FUNDAMENTALS, rows).startswith(b'{"data":[' + inside + b"]")


@given(rows=st.lists(facts, max_size=3))
def test_python_s_csv_reader_finds_the_same_cells(rows):
    read = list(csv.reader(io.StringIO(written(CSV, FUNDAMENTALS, rows).decode(), newline=""), strict=True))
    assert tuple(read[0]) == FundamentalsFact.__struct_fields__
    assert [unguarded(row[0]) for row in read[1:]] == [row.service_id for row in rows]
    value = FundamentalsFact.__struct_fields__.index("value_reported")
    assert [Decimal(row[value]) for row in read[1:]] == [row.value_reported for row in rows]


class Every(msgspec.Struct, rename={"two_words": "twoWords"}):
    """A row of every kind that a column can be."""

    text: str
    amount: Decimal | None
    two_words: Annotated[bool | None, "described"]
    word: Literal["a", "b"]
    number: int
    day: date
    instant: datetime
    identifier: UUID
    nested: list[dict[str, Decimal]]
    inner: Takedown | None


EVERY = Every(
    text='a "b", c',
    amount=Decimal("12345678901234567.89"),
    two_words=True,
    word="a",
    number=-1,
    day=date(2024, 2, 29),
    instant=datetime(2024, 2, 29, 1, 2, 3, tzinfo=UTC),
    identifier=UUID(int=1),
    nested=[{"x": Decimal("0.10")}],
    inner=None,
)


EVERY_ENDPOINT = dataclasses.replace(EDITIONS, row=Every)


def test_csv_to_the_letter():
    other = Every("", Decimal("1E-9"), None, "b", 0, EVERY.day, EVERY.instant, EVERY.identifier, [], None)
    assert written(CSV, EVERY_ENDPOINT, [EVERY, other]).decode() == (
        "text,amount,twoWords,word,number,day,instant,identifier,nested,inner\r\n"
        '"a ""b"", c",12345678901234567.89,true,a,-1,2024-02-29,2024-02-29T01:02:03Z,'
        '00000000-0000-0000-0000-000000000001,"[{""x"":0.10}]",\r\n'
        '"",0.000000001,,b,0,2024-02-29,2024-02-29T01:02:03Z,00000000-0000-0000-0000-000000000001,[],\r\n'
    )


@pytest.mark.parametrize("rows", [[], [EVERY]])
def test_an_arrow_stream_has_its_schema_even_when_empty(rows):
    stream = pa.ipc.open_stream(written(ARROW, EVERY_ENDPOINT, rows))
    assert stream.schema.remove_metadata() == pa.schema(
        [
            pa.field("text", pa.utf8(), nullable=False),
            pa.field("amount", pa.decimal128(38, 12)),
            pa.field("twoWords", pa.bool_()),
            pa.field("word", pa.utf8(), nullable=False),
            pa.field("number", pa.int64(), nullable=False),
            pa.field("day", pa.date32(), nullable=False),
            pa.field("instant", pa.timestamp("us", "UTC"), nullable=False),
            pa.field("identifier", pa.utf8(), nullable=False),
            pa.field("nested", pa.utf8(), nullable=False),
            pa.field("inner", pa.utf8()),
        ]
    )
    assert stream.read_all().num_rows == len(rows)


@pytest.mark.parametrize(
    ("asked", "metadata"),
    [
        (answer([]), {b"count": b"0", b"truncated": b"false", b"as_of": b"2024-03-31"}),
        (
            answer(
                [EVERY],
                as_of=None,
                truncated=True,
                next_cursor="v1.c",
                extra={"resolved_from": "DC1"},
            ),
            {b"count": b"1", b"truncated": b"true", b"next_cursor": b"v1.c", b"resolved_from": b"DC1"},
        ),
    ],
)
def test_the_arrow_schema_carries_the_rest_of_the_envelope(asked, metadata):
    schema = pa.ipc.open_stream(FORMATS[ARROW].write(EVERY_ENDPOINT, asked)).schema
    assert schema.metadata == {b"license": LICENSE.encode(), b"edition": b"7", **metadata}


@pytest.mark.parametrize("media_type", FORMATS)
@given(rows=st.lists(facts, max_size=3))
def test_the_same_rows_are_the_same_bytes(media_type, rows):
    assert written(media_type, FUNDAMENTALS, rows) == written(media_type, FUNDAMENTALS, list(rows))


@pytest.mark.parametrize("kind", [float, float | None, Literal[1], int | str, object])
def test_a_type_that_no_form_holds_exactly_is_refused(kind):
    with pytest.raises(TypeError, match="cannot be written exactly"):
        columns(msgspec.defstruct("Row", [("value", kind)]))


@pytest.mark.parametrize("endpoint", [*EDITIONS_ENDPOINTS, *FUNDAMENTALS_ENDPOINTS], ids=lambda one: one.name)
def test_every_declared_row_can_be_written(endpoint):
    assert [column.name for column in columns(endpoint.row)] == list(endpoint.row.__struct_encode_fields__)
