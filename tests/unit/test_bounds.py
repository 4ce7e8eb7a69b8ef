"""Hostile documents: every one is refused with a stable reason, and none costs more than its size."""

from __future__ import annotations

import contextlib
import gzip
import io
import json
import random
import struct
import zipfile
from decimal import Decimal
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sankofa.core.errors import UnreadableDocument
from sankofa.ingest.bytes.bounds import Limits, Rejections, exact
from sankofa.ingest.bytes.packed import content, is_zip, members
from sankofa.ingest.bytes.strict_json import strict_json

SEED = 20_240_331
SMALL = Limits(document_bytes=10_000_000, string_bytes=1_000, number_characters=100)


class Leaf(msgspec.Struct):
    a: Any = msgspec.UNSET
    b: Any = msgspec.UNSET


class Tree(msgspec.Struct):
    leaves: list[Leaf] = []
    named: dict[str, Leaf] | msgspec.UnsetType = msgspec.UNSET


class Branch(msgspec.Struct):
    leaves: list[Leaf] | msgspec.UnsetType = msgspec.UNSET
    named: dict[str, Leaf] | msgspec.UnsetType = msgspec.UNSET


SHAPES = [object, Branch, Tree]


def refusal(action, *arguments):
    with pytest.raises(UnreadableDocument) as refused:
        action(*arguments)
    return refused.value.reason


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(
    "data",
    [
        b'{"leaves":[],"leaves":[]}',
        b'{"leaves":[{"a":1,"a":1}]}',
        b'{"leaves":[{"a":1,"b":2},{"b":1,"a":2,"b":3}]}',
        b'{"leaves":[{"a":{"x":[{"y":1,"y":2}]}}]}',
        b'{"named":{"n":{},"n":{}}}',
        b'{"unknown":{"k":1,"k":2}}',
        b'{"unknown":1,"unknown":2}',
        b'{"leaves":[{"a":1,"\\u0061":2}]}',
        b'{"leaves":[{"a":"x:\\"{[","a":"\\\\"}]}',
    ],
)
def test_a_repeated_key_is_refused_at_every_level(shape, data):
    assert refusal(strict_json, data, shape) == "duplicate_key"


def test_a_missing_field_with_a_default_cannot_hide_a_repeated_key():
    assert refusal(strict_json, b'{"named":{"n":{"a":1,"a":2}}}', Tree) == "duplicate_key"


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"NaN", "malformed_json"),
        (b"[Infinity]", "malformed_json"),
        (b"[-Infinity]", "malformed_json"),
        (b'{"a":1}{"a":2}', "malformed_json"),
        (b'{"a":1,}', "malformed_json"),
        (b'{"a":', "malformed_json"),
        (b'["a]', "malformed_json"),
        (b"[1}", "malformed_json"),
        (b"][", "malformed_json"),
        (b"", "malformed_json"),
        (b"{'a':1}", "malformed_json"),
        (b'["a\x00b"]', "nul_character"),
        (b"[]\x00", "nul_character"),
        (b'["\\u0000"]', "nul_character"),
        (b'["\\\\\\u0000"]', "nul_character"),
        (b'{"\\u0000":1}', "nul_character"),
        (b'["\\ud800"]', "lone_surrogate"),
        (b'["\\uDFFF"]', "lone_surrogate"),
        (b'["\\ud800\\ud800\\udc00"]', "lone_surrogate"),
        (b'["\\ud83d\\ude00\\ude00"]', "lone_surrogate"),
        (b'["\\ud83dx\\ude00"]', "lone_surrogate"),
        (b'["\xed\xa0\x80"]', "not_utf8"),
        (b'["\xff"]', "not_utf8"),
        (b'["\xc0\x80"]', "not_utf8"),
        ('["a"]'.encode("utf-16"), "not_utf8"),
        (b'["' + b"x" * 1_001 + b'"]', "string_too_long"),
        (b'{"' + b"x" * 1_001 + b'":1}', "string_too_long"),
        (b'["' + b'\\"' * 501 + b'"]', "string_too_long"),
        (b'[1,"a","' + b"x" * 5_000, "string_too_long"),
        (b"[1." + b"1" * 100 + b"]", "number_too_long"),
        (b"[" * 65 + b"]" * 65, "nested_too_deep"),
        (b'{"a":' * 65 + b"1" + b"}" * 65, "nested_too_deep"),
        (b"[" * 10_000_000, "nested_too_deep"),
        (b'{"a":' * 1_000_000, "nested_too_deep"),
        ((b"[" * 64 + b"]" * 64 + b",") * 9_999 + b"[" * 65 + b"]" * 65, "nested_too_deep"),
        (b"[" * 2_000_000 + b"]" * 2_000_000, "nested_too_deep"),
        (b'["' + b"x" * 20_000_000 + b'"]', "document_too_large"),
    ],
)
def test_a_bomb_is_refused_with_its_reason(data, reason):
    assert refusal(strict_json, data, object, SMALL) == reason


@pytest.mark.parametrize("digits", [5_000, 1_000_000])
def test_an_endless_integer_is_refused_read_or_skipped(digits):
    number = b"1" * digits
    assert refusal(strict_json, b'{"leaves":[{"a":' + number + b"}]}", Branch) == "unexpected_shape"
    assert refusal(strict_json, b'{"unknown":' + number + b"}", Branch) == "number_too_long"


def test_what_only_looks_hostile_is_taken():
    text = '{"leaves":[{"a":"\\\\u0000 \\\\ud800 \\ud83d\\ude00 [[[{{{ \\"a\\":1 ","b":":"}]}'
    decoded = strict_json(b"\xef\xbb\xbf" + text.encode(), Branch, SMALL)
    assert decoded.leaves[0].a == '\\u0000 \\ud800 😀 [[[{{{ "a":1 '
    assert strict_json(b"[" * 64 + b"]" * 64, object) is not None
    assert strict_json(b'["' + b"x" * 1_000 + b'"]', object, SMALL) == ["x" * 1_000]
    assert strict_json(b"[" + b"1," * 50_000 + b"1]", object, SMALL) == [1] * 50_001


def test_numbers_arrive_without_passing_through_a_float():
    text = b"[12345678901234567.89, 12345678901234567890, 1e5, 0.1, -0.0, 1E-7, 0.30000000000000004]"
    numbers = strict_json(text, list[Any])
    assert [str(number) for number in numbers] == [
        "12345678901234567.89",
        "12345678901234567890",
        "1E+5",
        "0.1",
        "-0.0",
        "1E-7",
        "0.30000000000000004",
    ]
    assert not any(isinstance(number, float) for number in numbers)


SCALARS = st.none() | st.booleans() | st.integers(-(10**15), 10**15)
TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))
KEYS = st.sampled_from(["a", "b", "leaves", '"', "\\", ":", "["])
JSON = st.recursive(
    SCALARS | TEXTS, lambda inner: st.lists(inner) | st.dictionaries(KEYS, inner), max_leaves=20
)


def read(pairs):
    if len(dict(pairs)) != len(pairs):
        raise UnreadableDocument("duplicate_key")
    return dict(pairs)


@given(JSON, st.booleans(), st.randoms(use_true_random=False))
def test_any_document_means_what_a_plain_strict_reader_makes_of_it(value, ascii_only, chance):
    text = json.dumps(value, ensure_ascii=ascii_only, indent=chance.choice([None, 1]))
    if chance.random() < 0.5:
        text = text.replace('"a"', '"b"')
    try:
        expected = json.loads(text, object_pairs_hook=read)
    except UnreadableDocument:
        assert refusal(strict_json, f"[{text}]".encode(), list[Any]) == "duplicate_key"
    else:
        assert strict_json(f"[{text}]".encode(), list[Any]) == [expected]


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (100_000, "100000"),
        (0, "0"),
        (-(10**26) + 1, "-99999999999999999999999999"),
        (Decimal("100000.0000"), "100000"),
        (Decimal("1E+5"), "100000"),
        (Decimal("-0.0"), "0"),
        (Decimal("0E+99"), "0"),
        (Decimal("0.500"), "0.5"),
        (Decimal("1E-12"), "0.000000000001"),
        (Decimal("99999999999999999999999999.999999999999"), "99999999999999999999999999.999999999999"),
        (Decimal("0." + "5" + "0" * 50), "0.5"),
        (Decimal("12345678901234567.89"), "12345678901234567.89"),
    ],
)
def test_a_number_in_bounds_has_one_text(number, text):
    assert f"{exact(number):f}" == text
    assert exact(exact(number)) == number


@pytest.mark.parametrize(
    "number",
    [
        10**26,
        -(10**26),
        Decimal("1E+26"),
        Decimal("1E+999999999"),
        Decimal("1E-13"),
        Decimal("1E-999999999"),
        Decimal("1.0000000000001"),
        Decimal("NaN"),
        Decimal("-Infinity"),
    ],
)
def test_a_number_out_of_bounds_is_none(number):
    assert exact(number) is None


def test_rejections_count_by_reason_and_keep_the_first_sample_short_and_printable():
    rejections = Rejections()
    rejections.add("bad_date", "first\x00\x1b[31m\u202e" + "x" * 500)
    rejections.add("bad_date", "second", rows=41)
    assert rejections.counts == {"bad_date": 42}
    assert rejections.samples["bad_date"].startswith("first??[31m?x")
    assert len(rejections.samples["bad_date"]) == 120


def archive(files, method=zipfile.ZIP_DEFLATED):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", method) as target:
        for name, data in files.items():
            target.writestr(name, data)
    return packed.getvalue()


def unpack(data, limits=SMALL):
    return {member.name: member.read() for member in members(data, limits)}


def test_members_come_in_order_and_no_path_is_followed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    files = {"../../outside": b"1", "/etc/absolute": b"2", "folder/": b"", "folder/x": b"3"}
    data = archive(files)
    assert is_zip(data)
    assert unpack(data) == {"../../outside": b"1", "/etc/absolute": b"2", "folder/x": b"3"}
    assert list(tmp_path.iterdir()) == []
    assert list(members(io.BytesIO(data), SMALL)[0].lines()) == [b"1"]


def test_a_dense_member_is_stopped_and_a_small_one_may_be_dense():
    assert refusal(unpack, archive({"zeros": bytes(2_000_000)})) == "archive_packed_too_densely"
    assert unpack(archive({"zeros": bytes(1_000_000)})) == {"zeros": bytes(1_000_000)}
    noise = random.Random(SEED).randbytes(3_000_000)
    small = Limits(document_bytes=2_000_000)
    assert refusal(unpack, archive({"noise": noise}), small) == "document_too_large"


def test_a_size_in_a_header_is_not_believed():
    data = bytearray(archive({"zeros": bytes(2_000_000)}))
    entry = data.index(b"PK\x01\x02")
    data[entry + 24 : entry + 28] = struct.pack("<I", 10)
    with pytest.raises(UnreadableDocument):
        unpack(bytes(data))
    data[entry + 20 : entry + 24] = struct.pack("<I", 2_000_000)
    assert refusal(unpack, bytes(data)) == "archive_damaged"


def test_members_that_overlap_are_refused():
    data = archive({"a": random.Random(SEED).randbytes(1_000)})
    entry, end = data.index(b"PK\x01\x02"), data.index(b"PK\x05\x06")
    directory = data[entry:end] * 50
    tail = struct.pack("<4sHHHHIIH", b"PK\x05\x06", 0, 0, 50, 50, len(directory), entry, 0)
    assert refusal(unpack, data[:entry] + directory + tail) == "archive_damaged"


def test_a_directory_too_large_to_hold_is_refused():
    data = archive({f"member-{number}": b"" for number in range(2_000)})
    assert refusal(unpack, data, Limits(directory_bytes=50_000)) == "archive_damaged"


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_method_that_inflates_in_one_piece_is_refused(method):
    assert refusal(unpack, archive({"a": b"x"}, method)) == "archive_method_unsupported"


def test_an_encrypted_member_is_refused():
    data = bytearray(archive({"a": b"x"}))
    data[data.index(b"PK\x01\x02") + 8] |= 1
    assert refusal(unpack, bytes(data)) == "archive_method_unsupported"


def test_a_line_too_long_is_refused():
    [member] = members(archive({"a": b"x" * 2_000}), Limits(line_bytes=1_000))
    assert refusal(list, member.lines()) == "line_too_long"


def test_every_cut_of_an_archive_is_refused_and_no_flip_escapes_as_another_error():
    chance = random.Random(SEED)
    print("seed", SEED)
    whole = archive({"a.txt": b"some text\n" * 50, "b.txt": chance.randbytes(200)})
    for length in range(len(whole)):
        assert refusal(unpack, whole[:length]) == "archive_damaged"
    for _ in range(3_000):
        flipped = bytearray(whole)
        for _ in range(chance.randint(1, 4)):
            flipped[chance.randrange(len(flipped))] = chance.randrange(256)
        with contextlib.suppress(UnreadableDocument):
            unpack(bytes(flipped))


def test_gzip_is_unpacked_within_the_same_bounds():
    assert content(gzip.compress(b"text")) == b"text"
    assert content(io.BytesIO(b"plain")) == b"plain"
    assert refusal(content, gzip.compress(bytes(2_000_000))) == "archive_packed_too_densely"
    assert refusal(content, b"x" * 11, Limits(document_bytes=10)) == "document_too_large"
    whole = gzip.compress(random.Random(SEED).randbytes(500))
    for length in range(2, len(whole)):
        assert refusal(content, whole[:length]) == "archive_damaged"


def test_a_member_without_a_name_is_refused_as_damage():
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("a", b"x")
    nameless = packed.getvalue().replace(b"a", b"\0")
    with pytest.raises(UnreadableDocument, match="archive_damaged"):
        members(nameless)


def test_an_exponent_that_no_decimal_can_hold_is_refused():
    with pytest.raises(UnreadableDocument, match="number_too_long"):
        strict_json(b"[1e9999999999999999999]", list[Any], Limits())


def test_a_repeated_key_among_very_many_is_found_at_once():
    keys = ",".join(f'"{number}":0' for number in range(200_000))
    with pytest.raises(UnreadableDocument, match="duplicate_key"):
        strict_json(f'{{{keys},"7":0}}'.encode(), dict[str, Any], Limits())
