"""Hostile documents, one after the other in one process: all refused, none costly, the next one unharmed."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import subprocess
import sys
import zipfile

import pytest

RELEASE = b'{"ocid":"o","id":"1","date":"2024-01-01T00:00:00Z","tag":["tender"],"tender":{"title":"x"}}'
GOOD = b'{"releases":[' + RELEASE + b"]}"
MOST_MEMORY = 512 << 20
HUGE, LARGE = 70_000_000, 10_000_000  # documents that are refused while they are read
FITS = 4_000_000  # a release that is just small enough to be decoded

READER = """
import json, re, sys, time
from datetime import UTC, datetime
from sankofa.core.errors import UnreadableDocument
from sankofa.ingest.ocds import release as ocds
from sankofa.ingest.bytes.bounds import Rejections

def read(document):
    rejections, releases = Rejections(), 0
    try:
        for _ in ocds.parse(document, rejections, fetched_at=datetime(2024, 3, 1, tzinfo=UTC)):
            releases += 1
        reasons = [reason for reason in rejections.counts if not reason.startswith("repaired_")]
    except UnreadableDocument as unreadable:
        reasons = [unreadable.reason]
    return releases, reasons

for path in sys.argv[2:]:
    started = time.process_time()
    with open(path, "rb") as document:
        releases, reasons = read(document)
    status = open("/proc/self/status").read()
    print(json.dumps({
        "releases": releases,
        "reasons": reasons,
        "seconds": time.process_time() - started,
        "most_memory": int(re.search(r"VmHWM:\\s+(\\d+)", status)[1]) << 10,
        "next": read(open(sys.argv[1], "rb")),
    }))
"""


def package(inside):
    return b'{"releases":[{"ocid":"o","id":"1","x":' + inside + b"}]}"


def repeated(piece, size):
    return piece * (size // len(piece))


def zipped(**files):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as target:
        for name, data in files.items():
            target.writestr(name, data)
    return packed.getvalue()


def noise(size):
    """Return digits that pack no better than two to one."""
    return b"".join(hashlib.sha256(b"%d" % number).hexdigest().encode() for number in range(size // 64))


BOMBS = {
    "deep arrays": (lambda: b"[" * LARGE, "nested_too_deep"),
    "deep objects": (lambda: repeated(b'{"a":', LARGE), "nested_too_deep"),
    "deep inside a release": (lambda: package(b"[" * 70 + b"]" * 70), "nested_too_deep"),
    "string in a release": (lambda: package(b'"' + b"x" * (2 << 20) + b'"'), "string_too_long"),
    "string in a package": (lambda: b'{"uri":"' + b"x" * LARGE + b'"}', "string_too_long"),
    "string of escapes": (lambda: package(b'"' + repeated(b'\\"', 2 << 20) + b'"'), "string_too_long"),
    "string without an end": (lambda: b'{"releases":[{"ocid":"' + b"x" * LARGE, "string_too_long"),
    "zip ratio": (lambda: zipped(a=b'{"releases":[' + b" " * LARGE + b"]}"), "archive_packed_too_densely"),
    "gzip ratio": (
        lambda: gzip.compress(b'{"releases":[' + b" " * LARGE + b"]}"),
        "archive_packed_too_densely",
    ),
    "gzip in gzip": (lambda: gzip.compress(gzip.compress(GOOD)), "not_utf8"),
    "gzip in zip": (lambda: zipped(a=gzip.compress(GOOD)), "archive_nested"),
    "truncated gzip": (lambda: gzip.compress(GOOD)[:-12], "archive_damaged"),
    "truncated gzip of much": (
        lambda: gzip.compress(b'{"uri":[' + noise(5_000_000))[:1_000_000],
        "archive_damaged",
    ),
    "truncated zip": (lambda: zipped(a=GOOD)[:-30], "archive_damaged"),
    "NaN": (lambda: package(b"NaN"), "malformed_json"),
    "Infinity": (lambda: package(b"-Infinity"), "malformed_json"),
    "one key repeated": (lambda: b"{" + repeated(b'"a":1,', HUGE) + b'"a":1}', "duplicate_key"),
    "many keys": (
        lambda: b"{" + b"".join(b'"%d":1,' % number for number in range(700_000)) + b'"0":1}',
        "too_many_keys",
    ),
    "one key repeated in a release": (
        lambda: package(b"{" + repeated(b'"a":1,', FITS) + b'"a":1}'),
        "duplicate_key",
    ),
    "repeated keys in a release of 70 MB": (
        lambda: package(b"{" + repeated(b'"a":1,', HUGE) + b'"a":1}'),
        "release_too_large",
    ),
    "repeated releases": (lambda: b'{"releases":[],"releases":[' + RELEASE + b"]}", "duplicate_key"),
    "NUL": (lambda: GOOD[:30] + b"\0" + GOOD[30:], "nul_character"),
    "escaped NUL": (lambda: package(b'"\\u0000"'), "nul_character"),
    "lone surrogate": (lambda: package(b'"\\udc00"'), "lone_surrogate"),
    "lone surrogate in bytes": (lambda: package(b'"\xed\xa0\x80"'), "not_utf8"),
    "UTF-16": (lambda: GOOD.decode().encode("utf-16"), "not_utf8"),
    "Latin-1": (lambda: package('"é"'.encode("latin-1")), "not_utf8"),
    "a million digits": (lambda: package(b"1" * 1_000_000), "unexpected_shape"),
    "a million digits after the point": (lambda: package(b"0." + b"1" * 1_000_000), "number_too_long"),
    "a million digits in a package": (lambda: b'{"uri":' + b"1" * 1_000_000 + b"}", "number_too_long"),
    "an exponent": (lambda: package(b"1e" + b"9" * 900), "number_too_long"),
    "empty arrays": (lambda: package(b"[" + repeated(b"[],", LARGE) + b"0]"), "release_too_large"),
    "empty objects that fit": (lambda: b'{"ocid":"o","x":[' + repeated(b"{},", FITS) + b"0]}", "missing_id"),
    "decimals that fit": (lambda: b'{"ocid":"o","x":[' + repeated(b"1e1,", FITS) + b"0]}", "missing_id"),
    "small objects that fit": (
        lambda: b'{"ocid":"o","x":[' + repeated(b'{"a":{}},', FITS) + b"0]}",
        "missing_id",
    ),
    "no end": (lambda: b'{"releases":[' + repeated(RELEASE + b",", 1_000_000), "malformed_json"),
    "nothing": (lambda: b"", "malformed_json"),
    "a page that says no": (lambda: b"<html>403</html>", "malformed_json"),
}


def several(form, times):
    return b"[" + b",".join(form.replace(b"%", b"%d" % number) for number in range(times)) + b"]"


# Releases that are in order, and made to cost the square of their size.
BURDENS = {
    "parties": lambda: package(b'1,"parties":' + several(b'{"name":"x%"}', 90_000)),
    "parties of one name": lambda: package(
        b'1,"parties":' + several(b'{"name":"x","identifier":{"scheme":"A","id":%}}', 70_000)
    ),
    "parties of one id": lambda: package(b'1,"parties":' + several(b'{"id":1,"name":"x%"}', 65_000)),
    "contacts and text": lambda: package(
        b'1,"parties":'
        + several(b'{"contactPoint":{"name":"ab% c","telephone":"1000000%"}}', 20_000)
        + b',"tender":{"title":"'
        + b"hello w 1 " * 40_000
        + b'"}'
    ),
    "contacts and ids": lambda: package(
        b'1,"parties":' + several(b'{"id":"i%","name":"x%","contactPoint":{"name":"ab% c"}}', 20_000)
    ),
    "identifiers": lambda: package(
        b'1,"parties":[{"name":"x","additionalIdentifiers":'
        + several(b'{"scheme":"A","id":"%"}', 60_000)
        + b"}]"
    ),
    "classifications": lambda: package(
        b'1,"tender":{"items":' + several(b'{"classification":{"id":"%","description":"d%"}}', 30_000) + b"}"
    ),
}


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory):
    """Return what one process made of the whole corpus."""
    folder = tmp_path_factory.mktemp("bombs")
    good = folder / "good"
    good.write_bytes(GOOD)
    paths = []
    for number, make in enumerate([*(bomb for bomb, _ in BOMBS.values()), *BURDENS.values()]):
        paths.append(folder / str(number))
        paths[-1].write_bytes(make())
    told = subprocess.run(
        [sys.executable, "-c", READER, good, *paths], capture_output=True, text=True, check=True
    ).stdout
    for path in paths:
        path.unlink()
    return dict(zip([*BOMBS, *BURDENS], map(json.loads, told.splitlines()), strict=True))


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_is_refused_with_its_reason_and_the_next_document_is_read(name, outcomes):
    outcome = outcomes[name]
    assert outcome["reasons"] == [BOMBS[name][1]]
    assert outcome["seconds"] < 60
    assert outcome["next"] == [1, []]
    assert outcome["releases"] == 0 or name == "no end"


@pytest.mark.parametrize("name", BURDENS)
def test_a_release_that_is_a_burden_costs_no_more_than_its_size(name, outcomes):
    outcome = outcomes[name]
    assert (outcome["releases"], outcome["reasons"], outcome["next"]) == (1, [], [1, []])
    assert outcome["seconds"] < 15


def test_the_whole_corpus_stays_within_512_mb(outcomes):
    most = max(outcome["most_memory"] for outcome in outcomes.values())
    seconds = sum(outcome["seconds"] for outcome in outcomes.values())
    print(f"{len(outcomes)} documents, {most >> 20} MB at most, {seconds:.1f} s in all")
    assert most < MOST_MEMORY
