"""What callers say they take, and what they get (ENV-12, ENV-14)."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sankofa.web.formats import ARROW, CSV, FORMATS, JSON, NDJSON
from sankofa.web.negotiation import accepts_gzip, choose

OFFERED = tuple(FORMATS)


@pytest.mark.parametrize(
    ("accept", "chosen"),
    [
        (None, JSON),
        ("", JSON),
        ("*/*", JSON),
        ("application/json", JSON),
        ("APPLICATION/JSON", JSON),
        (CSV, CSV),
        (NDJSON, NDJSON),
        (ARROW, ARROW),
        ("Text/CSV", CSV),
        ("text/*", CSV),
        ("application/*", JSON),
        # Weights, and how they may be written.
        ("text/csv;q=0.9, application/json;q=0.8", CSV),
        ("text/csv;q=0.8, application/json;q=0.9", JSON),
        ("text/csv ; Q=0.001 , application/x-ndjson\t;\tq=0.002", NDJSON),
        ("text/csv;q=1.000,application/json;q=0.999", CSV),
        (" , text/csv,, ", CSV),
        # The most specific range decides a type's weight.
        ("text/csv;q=0.5, text/*;q=0.9, */*;q=0.7", JSON),
        ("application/json;q=0.1, application/*;q=0.5, */*;q=0.3", NDJSON),
        ("*/*, application/json;q=0", CSV),
        ("application/*;q=0, application/json", JSON),
        # Among equals the type that was named, then the first that is offered.
        ("*/*, text/csv", CSV),
        ("text/csv, application/json", JSON),
        ("application/vnd.apache.arrow.stream, application/x-ndjson", NDJSON),
        # Parameters: ours are what is served anyway, a refused variant refuses nothing else.
        ("text/csv;charset=utf-8", CSV),
        ('text/csv;header="present, or not;q=0";q=0.5', CSV),
        ("application/json;version=2;q=0", JSON),
        ("application/json;q=0, application/json;version=2", None),
        # Nothing that we have: JSON all the same.
        ("text/html,application/xhtml+xml,application/xml;q=0.9,image/webp", JSON),
        ("text/csv;q=0", JSON),
        ("text/*;q=0", JSON),
        # JSON refused.
        ("application/json;q=0", None),
        ("application/json;q=0.000, text/html", None),
        ("application/*;q=0", None),
        ("*/*;q=0", None),
        ("text/html, */*;q=0", None),
        ("application/json;q=0, text/csv", CSV),
        ("*/*;q=0, text/csv;q=0.1", CSV),
        # Malformed.
        ("text/html, image/gif, *; q=.2, */*; q=.2", JSON),
        ("text/csv;q=2", JSON),
        ("text/csv;q=0.1234", JSON),
        ("text/csv;q=-0", JSON),
        ("text/csv;q=", JSON),
        ("text/csv;q=1;q=0", JSON),
        ("text/csv application/json;q=0", JSON),
        ('application/json;q=0;x="', JSON),
        ("application/json;q=0, (", JSON),
        ("text/csv;q=\u0661", JSON),
    ],
)
def test_choice(accept, chosen):
    assert choose(accept, OFFERED) == chosen


@pytest.mark.parametrize(
    ("accept", "chosen"), [("text/csv", JSON), ("*/*", JSON), ("application/json;q=0", None)]
)
def test_where_only_json_is_offered(accept, chosen):
    assert choose(accept, (JSON,)) == chosen


@given(st.text() | st.text('acepst/*;q=01.," \t', max_size=40))
def test_no_header_raises(header):
    assert choose(header, OFFERED) in {*OFFERED, None}
    assert accepts_gzip(header) in {True, False}


@pytest.mark.parametrize(
    "header", ["a" + "; ; " * 4_000 + "(", 'a;b="' + '\\"' * 8_000, " " * 16_000 + "x", "a," * 8_000]
)
def test_no_crafted_header_is_slow(header):
    began = time.process_time()
    choose(header, OFFERED)
    accepts_gzip(header)
    assert time.process_time() - began < 1


@pytest.mark.parametrize(
    ("accept_encoding", "is_accepted"),
    [
        (None, False),
        ("", False),
        ("gzip", True),
        ("GZIP", True),
        ("x-gzip", True),
        ("gzip, deflate, br, zstd", True),
        ("br;q=1.0, gzip;q=0.8, *;q=0.1", True),
        ("gzip;q=0", False),
        ("gzip;q=0.0, *", False),
        ("gzip;q=0.001", True),
        ("*", True),
        ("*;q=0", False),
        ("*;q=0, gzip", True),
        ("identity", False),
        ("identity;q=0", False),
        ("identity;q=0, *", True),
        ("identity;q=0, gzip;q=0.5", True),
        ("deflate, br", False),
        ("gzip;q=7", False),
        ("gzip deflate", False),
    ],
)
def test_gzip(accept_encoding, is_accepted):
    assert accepts_gzip(accept_encoding) is is_accepted
