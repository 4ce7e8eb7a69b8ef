"""Where releases are: in every wrapping the same ones, and nothing follows an address."""

from __future__ import annotations

import gzip
import io
import json
import tracemalloc
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sankofa.core.errors import UnreadableDocument
from sankofa.ingest.bytes.bounds import LIMITS, Rejections
from sankofa.ingest.bytes.json_stream import Scanner
from sankofa.ingest.ocds import package as ocds_package

TRICKY = {"title": 'x"{[,\\'}
ONE, TWO, THREE = ({"ocid": "o", "id": number, "tender": TRICKY} for number in "123")
LINK = {"url": "http://169.254.169.254/release.json", "date": "2024-01-01T00:00:00Z", "tag": ["tender"]}
PACKAGE = {"uri": "u", "version": "1.1", "extensions": [], "publisher": {"name": "p"}}


def found(document):
    """Return the ids that were found, and what was counted."""
    data = json.dumps(document).encode() if isinstance(document, dict | list) else document
    rejections = Rejections()
    releases = list(ocds_package.releases(data, rejections))
    return [release["id"] for release in releases], dict(rejections.counts)


def refusal(data):
    with pytest.raises(UnreadableDocument) as refused:
        found(data)
    return refused.value.reason


def archive(files):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as target:
        for name, data in files.items():
            target.writestr(name, data)
    return packed.getvalue()


def line(value):
    return json.dumps(value).encode() + b"\n"


WRAPPINGS = {
    "package": {**PACKAGE, "releases": [ONE, TWO]},
    "package, releases first": {"releases": [ONE, TWO], **PACKAGE},
    "package with its information apart": {"packageInfo": PACKAGE, "releases": [ONE, TWO]},
    "records": {**PACKAGE, "records": [{"ocid": "o", "releases": [ONE, TWO]}]},
    "records with all they compile to": {
        "records": [{"compiledRelease": THREE, "versionedRelease": {"ocid": "o"}, "releases": [ONE, TWO]}]
    },
    "a record": {"ocid": "o", "releases": [ONE, TWO], "compiledRelease": THREE, "publisher": {}},
    "array of releases": [ONE, TWO],
    "array of packages": [{"releases": [ONE]}, {"releases": []}, {"releases": [TWO]}],
    "array of arrays": [[ONE], [[TWO]]],
    "compiled releases": {"compiledReleases": [ONE, TWO]},
    "compiled only": {"records": [{"compiledRelease": ONE}, {"ocid": "o", "compiledRelease": TWO}]},
    "lines of releases": line(ONE) + line(TWO),
    "lines of packages": line({"releases": [ONE]}) + b"\r\n" + line({"releases": [TWO]}).strip(),
    "spaced": json.dumps({**PACKAGE, "releases": [ONE, TWO]}, indent=3).encode() + b" \r\n\t ",
    "marked": b"\xef\xbb\xbf" + json.dumps([ONE, TWO]).encode(),
}
WRAPPINGS |= {
    f"{name}, gzip": gzip.compress(data if isinstance(data, bytes) else line(data))
    for name, data in WRAPPINGS.items()
}
WRAPPINGS["zip"] = archive({"a/1.json": line(ONE), "b": line({"releases": [TWO]})})


@pytest.mark.parametrize("document", WRAPPINGS.values(), ids=WRAPPINGS)
def test_the_same_releases_are_found_in_every_wrapping(document):
    assert found(document) == (["1", "2"], {})


def test_a_stream_is_read_from_its_beginning_and_left_open():
    stream = io.BytesIO(line(ONE))
    stream.seek(5)
    assert [release["id"] for release in ocds_package.releases(stream, Rejections())] == ["1"]
    assert not stream.closed


@pytest.mark.parametrize(
    ("document", "ids", "counted"),
    [
        ({"releases": [LINK, ONE]}, ["1"], {"linked_release": 1}),
        ({"records": [{"ocid": "o", "releases": [LINK]}]}, [], {"linked_release": 1}),
        ({"records": [{"releases": [LINK], "compiledRelease": ONE}]}, ["1"], {"linked_release": 1}),
        ({"records": [{"versionedRelease": {}}, {"releases": [ONE]}]}, ["1"], {"versioned_release": 1}),
        ({"releases": [ONE, 5, "x", None, [], TWO]}, ["1", "2"], {"unexpected_shape": 4}),
        ([ONE, 5, None], ["1"], {"not_an_object": 2}),
        ({"releases": []}, [], {}),
        ([], [], {}),
        ({"data": [ONE]}, [], {"not_a_release": 1}),
        ({"releases": {"a": ONE}}, [], {"not_a_release": 1}),
        ({}, [], {"not_a_release": 1}),
    ],
)
def test_what_is_no_release_is_counted(document, ids, counted):
    assert found(document) == (ids, counted)


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (b'{"ocid":"o","id":NaN}', "malformed_json"),
        (b'{"ocid":"o","id":Infinity}', "malformed_json"),
        (b'{"ocid":"o","id":"1","id":"2"}', "duplicate_key"),
        (b'{"ocid":"o","x":{"y":1,"y":2}}', "duplicate_key"),
        (b'{"ocid":"\\u0000"}', "nul_character"),
        (b'{"ocid":"\\ud800"}', "lone_surrogate"),
        (b'{"ocid":"o",}', "malformed_json"),
        (b'{"ocid":"o"]', "malformed_json"),
        (b"{'ocid':1}", "malformed_json"),
        (b'{"x":' * 60 + b"[[[[[[]]]]]]" + b"}" * 60, "nested_too_deep"),
        (b'{"x":' + b"1" * 5_000 + b"}", "unexpected_shape"),
        (b'{"x":1.' + b"1" * 5_000 + b"}", "number_too_long"),
        (b'{"x":[' + b"1," * (ocds_package.RELEASE_BYTES // 2) + b"1]}", "release_too_large"),
    ],
)
def test_a_bad_release_is_left_out_and_its_neighbours_stay(bad, reason):
    first, last = json.dumps(ONE).encode(), json.dumps(TWO).encode()
    assert found(b'{"releases":[' + b",".join([first, bad, last]) + b"]}") == (["1", "2"], {reason: 1})
    assert found(gzip.compress(b"\n".join([first, bad, last]), 0))[0] == ["1", "2"]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "malformed_json"),
        (b"  ", "malformed_json"),
        (b"Tender,Buyer\n1,2", "malformed_json"),
        (b'"x"', "malformed_json"),
        (b'{"releases":[' + line(ONE), "malformed_json"),
        (b'{"releases":[' + line(ONE) + b"]", "malformed_json"),
        (b'{"releases":[{}]]', "malformed_json"),
        (b'{"releases":[{},]}', "malformed_json"),
        (b'{"releases" [{}]}', "malformed_json"),
        (b"{releases:[{}]}", "malformed_json"),
        (b'{"releases":[]} x', "malformed_json"),
        (b'{"releases":[],"releases":[]}', "duplicate_key"),
        (b'{"releases":[],"uri":1,"\\u0075ri":2}', "duplicate_key"),
        (b"{" + b",".join(b'"%d":1' % number for number in range(10_002)) + b"}", "too_many_keys"),
        (b'{"uri":"' + b"x" * (LIMITS.string_bytes + 1) + b'","releases":[]}', "string_too_long"),
        (b'{"uri":"' + b"x" * (LIMITS.string_bytes + 300_000), "string_too_long"),
        (b'{"uri":"x', "malformed_json"),
        (b'{"uri":' + b"1" * 1_000_000 + b',"releases":[]}', "number_too_long"),
        (b'{"uri":' + b"[" * 80 + b"]" * 80 + b"}", "nested_too_deep"),
        (b"[" * 20 + b"]" * 20, "nested_too_deep"),
        (b"[" * 5_000_000, "nested_too_deep"),
        (b'{"a":' * 1_000_000, "nested_too_deep"),
        (b'{"releases":[],"x":"\xff"}', "not_utf8"),
        (b'{"releases":[{"ocid":"\xe9"}]}', "not_utf8"),
        (json.dumps([ONE]).encode("utf-16"), "not_utf8"),
        (json.dumps([ONE]).encode("utf-16-le"), "nul_character"),
        (b'{"releases":[]}\x00', "nul_character"),
        (gzip.compress(line(ONE))[:-9], "archive_damaged"),
        (gzip.compress(line(ONE)) + b"junk", "archive_damaged"),
        (gzip.compress(b'{"releases":[' + b" " * 5_000_000 + b"]}"), "archive_packed_too_densely"),
    ],
)
def test_a_document_that_is_not_one_is_refused(data, reason):
    assert refusal(data) == reason


def test_a_line_that_cannot_be_read_is_counted_and_the_others_stay():
    bad = [b'{"ocid":"o"', b"[1,", b"x", b'{"ocid":"o","id":"4"} {}', b'{"y":"' + b"x" * (5 << 20) + b'"}']
    ids, counted = found(line(ONE) + b"\n".join(bad) + b"\n" + line(TWO))
    assert ids == ["1", "4", "2"]
    assert counted == {"malformed_json": 4, "not_an_object": 1, "line_too_long": 1}


def test_each_member_of_an_archive_has_its_own_refusal():
    files = {
        "1.json": line(ONE),
        "deep": b"[" * 1_000,
        "dense": b'{"releases":[' + bytes([32]) * 5_000_000 + b"]}",
        "nested.gz": gzip.compress(line(TWO)),
        "nested.zip": archive({"x": line(TWO)}),
        "readme.txt": b"hello",
        "../2.json": line(TWO),
    }
    ids, counted = found(archive(files))
    assert ids == ["1", "2"]
    assert counted == {
        "nested_too_deep": 1,
        "archive_packed_too_densely": 1,
        "archive_nested": 2,
        "malformed_json": 1,
    }


TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))
KEYS = st.sampled_from(["a", "b", '"', "\\", "]}"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner),
    max_leaves=12,
)


@given(st.lists(VALUES, min_size=1, max_size=6), st.integers(1, 40), st.booleans())
def test_values_end_where_json_says_however_the_stream_is_cut(values, size, ascii_only):
    data = json.dumps(values, ensure_ascii=ascii_only, indent=size % 3).encode()
    for pieces in ([data], [data[at : at + size] for at in range(0, len(data), size)]):
        scanner = Scanner(iter(pieces), LIMITS)
        taken = [json.loads(scanner.take(1 << 20)) for _ in scanner.each_item()]
        assert scanner.at_end()
        assert taken == values


def test_a_package_of_any_size_is_never_held():
    """What is in memory does not grow with the number of releases."""
    body = json.dumps({"ocid": "o", "id": "1", "x": "y" * 1_000}).encode()

    def pieces():
        yield b'{"releases":['
        for _ in range(100):
            yield (body + b",") * 200
        yield body + b"]}"

    tracemalloc.start()
    try:
        scanner = Scanner(pieces(), LIMITS)
        keys = scanner.each_key()
        assert next(keys) == "releases"
        assert sum(len(scanner.take(2_000)) for _ in scanner.each_item()) == len(body) * 20_001
        assert list(keys) == []
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 4 << 20
