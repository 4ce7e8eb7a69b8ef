"""Tables: the same rows as JSON has, digit for digit, in Arrow, Polars and pandas; and whole files."""

from __future__ import annotations

import hashlib
import json
import os
import random
import subprocess
import sys
from decimal import Decimal
from pathlib import Path

import numpy as np
import polars as pl
import pyarrow as pa
import pytest

import sankofa_client
from faulty import Says, faulty
from sankofa_client import Client, NotFound, UnexpectedAnswer, UpgradeRequired
from sankofa_client._frames import narrowed, pandas, polars

PATHS = {**os.environ, "PYTHONPATH": str(Path(sankofa_client.__file__).parents[1])}
QUESTIONS = {
    "/v1/screen": lambda client: client.screen(metric="net_margin", order="asc"),
    "/v1/macro": lambda client: client.macro(series="CPI.KEN"),
    "/v1/shared/facts": lambda client: client.shared_facts(country="KEN", dataset="AF-MACRO"),
    "/v1/tenders": lambda client: client.tenders(country="KE", from_="2024-09-01"),
    "/v1/changes": lambda client: client.changes(dataset="AF-MACRO", reason="restated"),
    "/v1/editions": lambda client: client.editions(),
}
ASKED = {
    "/v1/screen": {"metric": "net_margin", "order": "asc"},
    "/v1/macro": {"series": "CPI.KEN"},
    "/v1/shared/facts": {"country": "KEN", "dataset": "AF-MACRO"},
    "/v1/tenders": {"country": "KE", "from": "2024-09-01"},
    "/v1/changes": {"dataset": "AF-MACRO", "reason": "restated"},
    "/v1/editions": {},
}


def plain(value):
    """Return a value of JSON as a cell of a table says it: what nests is text, dates are dates."""
    return json.dumps(value, default=str) if isinstance(value, list | dict) else value


def same(cell, said):
    if isinstance(cell, str) and isinstance(said, list | dict):
        return json.loads(cell, parse_float=Decimal) == said
    if hasattr(cell, "isoformat"):
        return cell.isoformat().replace("+00:00", "Z")[: len(said)] == said
    return cell == said


@pytest.mark.parametrize("path", QUESTIONS)
def test_tables_hold_what_rest_says(demo, client, path):
    said, cursor = [], {}
    while cursor is not None:
        body = demo.get(path, limit=1000, **ASKED[path], **cursor).exact
        said += body["data"]
        cursor = {"cursor": body["next_cursor"]} if body["next_cursor"] else None
    assert said
    asked = QUESTIONS[path](client)
    frames = [
        asked.to_arrow().to_pylist(),
        asked.to_polars().to_dicts(),
        asked.to_pandas(exact=True).to_dict("records"),
    ]
    for frame in frames:
        assert len(frame) == len(said)
        for row, told in zip(frame, said, strict=True):
            wrong = {
                name: (row[name], told[name])
                for name in told
                if not (_is_null(row[name]) and told[name] is None) and not same(row[name], told[name])
            }
            assert wrong == {}
            assert all(_is_null(row[name]) for name in set(row) - set(told))


def test_pandas_gets_what_it_counts_with(client):
    asked = client.macro(series="CPI.KEN")
    frame, exact = asked.to_pandas(), asked.to_arrow().to_pylist()
    assert str(frame["value"].dtype) == "float64"
    assert [str(frame[name].dtype)[:10] for name in ("date", "available_at")] == ["datetime64"] * 2
    assert frame["value"].tolist() == [float(row["value"]) for row in exact]
    assert frame["date"].dt.date.tolist() == [row["date"] for row in exact]
    frame.describe()
    assert np.log1p(frame["value"]).notna().all()
    assert set(frame.set_index("date").index.year) == {row["date"].year for row in exact}


def test_floats_are_the_nearest_and_gaps_stay_gaps():
    rng = random.Random(seed := random.randrange(10**6))
    print("seed", seed)
    values = [Decimal(rng.randrange(-(10**20), 10**20)).scaleb(-rng.randrange(12)) for _ in range(10_000)]
    table = pa.table(
        {
            "value": pa.array([*values, None], pa.decimal256(56, 12)),
            "year": pa.array([*range(10_000), None], pa.int64()),
            "first": pa.array([True] * 10_000 + [None]),
        }
    )
    frame = pandas(table)
    assert frame["value"].tolist()[:-1] == [float(value) for value in values]
    assert frame["value"].isna().tolist() == [False] * 10_000 + [True]
    assert [str(frame[name].dtype) for name in ("year", "first")] == ["Int64", "boolean"]
    assert str(pandas(table.slice(0, 10))["year"].dtype) == "int64"


def _is_null(cell):
    return cell is None or cell != cell or str(cell) in ("<NA>", "NaT")  # noqa: PLR0124


def test_a_table_says_what_it_is_pinned_to_and_is_cut_where_one_wants(client):
    table = client.tenders(country="KE").to_arrow(most=150)
    assert (table.num_rows, table.schema.metadata[b"edition"]) == (150, b"1")
    assert b"next_cursor" not in table.schema.metadata
    assert client.tenders(country="KE", limit=20).to_polars(most=30).height == 30


@pytest.mark.parametrize(("tier", "most"), [("sample", 25), ("starter", 1_000), ("professional", 10_000)])
def test_a_table_comes_in_the_largest_pages_that_the_tier_gives(demo, tier, most):
    with faulty(demo.api.url) as server, Client(server.url, key=demo.issue(tier).key) as client:
        assert client.screen(metric="net_margin").to_polars().height == 20
        assert client.screen(metric="net_margin", order="asc").to_polars().height == 20
        assert client.tenders(country="KE").to_polars(most=7).height == 7
        limits = [path.partition("limit=")[2].partition("&")[0] for _, path, _ in server.asked]
        assert limits == [*dict.fromkeys(["10000", str(most)]), str(most), "7"]


def test_a_tier_that_lacks_something_else_is_not_asked_again(demo):
    with Client(demo.api.url, key=demo.issue("sample").key) as sample, pytest.raises(UpgradeRequired):
        sample.lookup(id_type="isin", id_value="KE0000000000").to_arrow()


def test_decimals_become_narrower_only_if_no_digit_is_lost():
    def column(*values):
        return pa.table({"value": pa.array([Decimal(value) for value in values], pa.decimal256(56, 30))})

    assert narrowed(column("1150000000.5")).schema.field("value").type == pa.decimal128(38, 12)
    fine = "1.234567890123456789012345678901"[:32]
    assert polars(column(fine))["value"].to_list() == [Decimal(fine)]
    with pytest.raises(OverflowError, match="value has values of more than 38 digits"):
        polars(column("12345678901234567890.1", fine))


def test_files_arrive_whole_or_not_at_all(demo, key, client, tmp_path):
    listed = list(client.export())
    for access in ("open", "licensed"):
        file = next(each for each in listed if each.access == access)
        path = client.download(file.name, tmp_path / access)
        assert hashlib.sha256(path.read_bytes()).hexdigest() == file.sha256
        assert pl.read_parquet(path).height == file.rows
    with pytest.raises(NotFound):
        client.download("no-such-file.parquet", tmp_path / "none")
    with Client(demo.api.url, key=demo.issue("sample").key) as sample, pytest.raises(UpgradeRequired):
        sample.download(file, tmp_path / "none")
    with faulty(demo.api.url, Says(200, body=b"PAR1 of somebody else")) as storage:
        leads = Says(307, {"Location": f"{storage.url}/file"})
        with (
            faulty(demo.api.url, leads) as server,
            Client(server.url, key=key) as careful,
            pytest.raises(UnexpectedAnswer, match="sha256"),
        ):
            careful.download(file, tmp_path / "none")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["licensed", "open"]


def test_without_the_extras_all_but_tables_works(demo, key):
    script = (
        "import sys\n"
        "for name in ('pyarrow', 'polars', 'pandas'): sys.modules[name] = None\n"
        "from sankofa_client import Client, leaks\n"
        f"client = Client({demo.api.url!r}, key={key!r})\n"
        "assert client.editions().edition == 2\n"
        "row = dict(service_id='DC0', line_item='x', period=2022, value=1, known_on='2024-01-01')\n"
        "assert leaks.check([row], client=client).counts['not_held'] == 1\n"
        "try: client.editions().to_polars()\n"
        "except ImportError as error: print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], env=PATHS, capture_output=True, text=True, check=True
    )
    assert done.stdout == "pyarrow.ipc is needed for this: pip install 'sankofa-client[arrow]'\n"
