"""OPS-15: a document whose columns changed is refused, its run is held, and the reason names the columns."""

from __future__ import annotations

import io
import json
import zipfile

import msgspec
import pytest

from sankofa.core.errors import UnreadableDocument
from sankofa.feeds.running import Means, run
from sankofa.ingest.bytes.columns import require_columns
from sankofa.ingest.source import Source
from sankofa.ingest.sources import source
from support.portal_server import Portal

pytestmark = pytest.mark.proves("OPS-15")

RATES = b"Date,USD,ZAR,\n2024-03-01,1.08,20.5,\n2024-02-29,1.07,20.4,\n"


def packed(**members):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return file.getvalue()


def told(data, columns, like=()):
    """Return what is said about a document; nothing if it has the columns."""
    try:
        require_columns(io.BytesIO(data), columns, like)
    except UnreadableDocument as refused:
        return refused.detail
    return None


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"a,b,2020\n1,2,3\n", None),
        (b"\xef\xbb\xbfa,b,\n1,2,\n", None),
        (b'"Made on","Tuesday"\n\n"a","b"\n1,2\n', None),
        (b"a\tb\t2021\n", None),
        (b"a;b\n", None),
        (b"a,c\n1,2\n", "unknown: c; missing: b"),
        (b"a,b,note\n", "unknown: note"),
        (b"b\n", "missing: a"),
        (b"x,y\n1,2\n", "unknown: x, y; missing: a, b"),
        (b"", "missing: a, b"),
        (json.dumps([{"a": 1, "b": 2}]).encode(), None),
        (json.dumps({"0": {"a": 1, "b": 2}, "1": {"a": 2}}).encode(), None),
        (json.dumps({"rows": [{"a": 1, "bee": 2}]}).encode(), "unknown: bee; missing: b"),
        (b"<rates a='1'/>", None),
        (json.dumps([{"page": 1}, [{"country": "ZA"}]]).encode(), None),
        (packed(small=b"x,y\n", large=b"a,b\n" + b"1,2\n" * 99), None),
        (packed(large=b"a,b,z\n" + b"1,2,3\n" * 99), "unknown: z"),
    ],
)
def test_columns_that_are_missing_or_new_are_named(data, said):
    assert told(data, ("a", "b"), ("20[0-9]{2}",)) == said


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (RATES.replace(b"Date", b"Day"), "unexpected_columns: unknown: Day; missing: Date"),
        (RATES.replace(b"ZAR", b"South Africa"), "unexpected_columns: unknown: South Africa"),
    ],
)
def test_a_run_with_other_columns_is_held_and_they_are_named(service, body, reason):
    answers = [RATES, body]
    with Portal(lambda _: answers.pop(0)) as portal:
        fields = {
            "name": "ecb",
            "publisher": "A bank",
            "license_class": "operator",
            "parser": "ecb_rates",
            "portal": {"address": f"{portal.url}/rates.csv", "answers": "csv", "pause_seconds": 0},
            "expects": {"columns": ["Date", "USD"], "columns_like": ["[A-Z]{3}"]},
        }
        means = Means(objects=service.objects, user_agent="sankofa/test (data@example.org)")
        with service.connect("ingest") as connection:
            first, second = (run(connection, means, msgspec.convert(fields, Source)) for _ in range(2))
    assert (first.outcome, first.brought.rows) == ("good", 4)
    assert second.outcome == "held"
    assert f"unreadable: {reason}" in second.reasons
    assert service.rows("SELECT count(*) FROM ops.document") == [(2,)], "it is kept"


def test_sources_of_tables_name_their_columns():
    declared = {
        name for name in ("ecb", "world-bank", "gleif-isins", "sec-tickers") if source(name).expects.columns
    }
    assert declared == {"ecb", "world-bank", "gleif-isins", "sec-tickers"}
