"""A golden copy of many rows: memory does not grow with it. Prints rows a second and the peak.

`SANKOFA_GOLDEN_ROWS=1000000 pytest -s tests/slow/test_gleif_scale.py` measures at a larger size.
"""

from __future__ import annotations

import csv
import gzip
import json
import os
import subprocess
import sys

import pytest

from support.lei_documents import HEADER, an_lei, stated

ROWS = int(os.environ.get("SANKOFA_GOLDEN_ROWS", "50000"))
COLUMNS = 267  # of a full table; those that are not wanted are empty here but have to be passed
GROWTH_MIB = 48  # the parser's code and tables, a piece of the document, and a margin

READER = """
import json, re, sys, time
from datetime import UTC, datetime
from sankofa.ingest.bytes.bounds import Limits, Rejections
from sankofa.ingest.registers.gleif_csv import parse

def peak():
    # Unlike ru_maxrss this begins anew with a program, and not with its parent's memory.
    return int(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1]) / 1024

limits = Limits(document_bytes=16 << 30, ratio=1_000)  # invented rows pack better than real ones
before, began, records, rejections = peak(), time.perf_counter(), 0, Rejections()
with open(sys.argv[1], "rb") as document:
    for _ in parse(document, rejections, limits, fetched_at=datetime.now(UTC)):
        records += 1
print(json.dumps([records, rejections.counts, time.perf_counter() - began, before, peak()]))
"""


@pytest.fixture(scope="module", params=["plain", "gzip"])
def golden_copy(request, tmp_path_factory):
    path = tmp_path_factory.mktemp("golden") / f"copy.{request.param}"
    opened = gzip.open if request.param == "gzip" else open
    blank = [f"Entity.OtherAddresses.{place}" for place in range(COLUMNS - len(HEADER))]
    with opened(path, "wt", encoding="utf-8-sig", newline="") as lines:
        writer = csv.DictWriter(lines, [*HEADER, *blank], quoting=csv.QUOTE_ALL)
        writer.writeheader()
        for number in range(ROWS):
            writer.writerow(stated(lei=an_lei(number), name=f"Société n° {number * 7_919 % 1_000_003}"))
    yield path
    path.unlink()


def test_memory_does_not_grow_with_the_table(golden_copy):
    done = subprocess.run(
        [sys.executable, "-c", READER, str(golden_copy)], capture_output=True, text=True, check=True
    )
    records, rejected, seconds, before, peak = json.loads(done.stdout)
    size = golden_copy.stat().st_size / 1e6
    print(
        f"\n{golden_copy.suffix[1:]}: {records:,} rows in {size:,.0f} MB, {records / seconds:,.0f} rows/s, "
        f"peak {peak:.0f} MiB, {before:.0f} MiB of it before"
    )
    assert (records, rejected) == (ROWS, {})
    assert peak - before < GROWTH_MIB
