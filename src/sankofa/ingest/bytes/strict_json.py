"""Strict JSON: a document that parsers could read differently is rejected.

Decoders disagree about repeated keys, NUL, lone surrogates, NaN and depth, and a document that two
parsers read differently proves nothing. The checks run over the bytes at the speed of
`bytes.translate` and `bytes.replace`; no step walks a document in Python unless it looks suspicious.
"""

from __future__ import annotations

import json
import re
from array import array
from collections import Counter
from collections.abc import Hashable
from decimal import Decimal, InvalidOperation
from functools import cache, partial
from itertools import accumulate
from typing import Any, TypeVar, cast

import msgspec
from msgspec import inspect

from sankofa.core.errors import UnreadableDocument
from sankofa.ingest.bytes.bounds import LIMITS, Limits
from sankofa.ingest.bytes.packed import BOM

T = TypeVar("T")

_NOT_STRUCTURE = bytes(set(range(256)) - set(b'"[]{}:'))
_DOWN, _UP = b"\x01", b"\xff"  # 1 and -1 as signed bytes
_STEPS = bytes.maketrans(b"[{]}", _DOWN * 2 + _UP * 2)
_QUOTED = re.compile(rb'\\["\\]')
_BAD_ESCAPE = re.compile(
    rb"\\u(?:(?P<nul>0000)"
    rb"|[dD][89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F])"
    rb"|(?<!\\u[dD][89abAB][0-9a-fA-F]{2}\\u)[dD][c-fC-F])"
)


def strict_json(data: bytes, shape: type[T], limits: Limits = LIMITS) -> T:
    """Decode a document into a type. Raise UnreadableDocument if it is not strict JSON.

    For fields of type Any, numbers are exact: int, or Decimal if there is a point or exponent.
    Fields of a struct that default to UNSET keep the check for repeated keys on its fast path.
    """
    data = data.removeprefix(BOM)
    if len(data) > limits.document_bytes:
        raise UnreadableDocument("document_too_large", f"more than {limits.document_bytes} bytes")
    _refuse_bad_bytes(data)
    plain = _without_quotes(data)
    _refuse_bad_escapes(plain)
    _refuse_long_strings(plain, limits)
    structure = _structure(plain)
    _refuse_depth(structure, limits)
    decoder, faithful = _decoder(cast("Hashable", shape), limits.number_characters)
    try:
        decoded: T = decoder.decode(data)
    except msgspec.ValidationError as wrong:
        raise UnreadableDocument("unexpected_shape", str(wrong)) from wrong
    except msgspec.DecodeError as wrong:
        raise UnreadableDocument("malformed_json", str(wrong)) from wrong
    if not faithful or _keys(decoded) != structure.count(b":"):
        _refuse_repeated_keys(data)
    return decoded


def _refuse_bad_bytes(data: bytes) -> None:
    try:
        data.decode()
    except UnicodeDecodeError as wrong:
        raise UnreadableDocument("not_utf8", f"byte {wrong.start}") from wrong
    if b"\0" in data:
        raise UnreadableDocument("nul_character")


def _without_quotes(data: bytes) -> bytes:
    r"""Return the document with `\\` and `\"` blanked out, so that every quote left bounds a string.

    In JSON a backslash only begins an escape, and no other escape ends in one of these two. So removing them
    from the left leaves only backslashes that begin other escapes.
    """
    return _QUOTED.sub(b"//", data) if b"\\" in data else data


def _refuse_bad_escapes(plain: bytes) -> None:
    if b"\\" in plain and (bad := _BAD_ESCAPE.search(plain)):
        raise UnreadableDocument("nul_character" if bad["nul"] else "lone_surrogate")


def _refuse_long_strings(plain: bytes, limits: Limits) -> None:
    """Raise if a string is too long, by probing blocks of half the limit: a longer string covers one."""
    block = limits.string_bytes // 2
    start = counted = quotes = 0
    while start + block <= len(plain):
        if plain.find(b'"', start, start + block) >= 0:
            start += block
            continue
        quotes += plain.count(b'"', counted, start)
        opening, closing = plain.rfind(b'"', 0, start), plain.find(b'"', start)
        end = closing if closing >= 0 else len(plain)
        if quotes % 2 and end - opening - 1 > limits.string_bytes:
            raise UnreadableDocument("string_too_long", f"more than {limits.string_bytes} bytes")
        counted, start = start, end


def _structure(plain: bytes) -> bytes:
    """Return the brackets and colons outside strings.

    Removing two adjacent quotes does not change what is inside or outside a string; then every second piece
    between the remaining quotes is outside.
    """
    marks = plain.translate(None, _NOT_STRUCTURE).replace(b'""', b"")
    return b"".join(marks.split(b'"')[::2])


def _refuse_depth(structure: bytes, limits: Limits) -> None:
    """Raise if brackets are nested too deep, from a running sum of opening and closing brackets."""
    steps = structure.translate(_STEPS, b":")
    too_deep = limits.depth + 1
    if _DOWN * too_deep in steps or max(accumulate(array("b", steps)), default=0) >= too_deep:
        raise UnreadableDocument("nested_too_deep", f"more than {limits.depth} levels")


def _keys(decoded: object) -> int:
    """Return the number of decoded keys: fewer than written means that some were repeated or unknown."""
    return _structure(_without_quotes(msgspec.json.encode(decoded))).count(b":")


def _refuse_repeated_keys(data: bytes) -> None:
    """Raise if any object repeats a key; objects are checked one by one and not kept."""
    try:
        json.loads(data, object_pairs_hook=_refuse_repeats)
    except ValueError as wrong:
        raise UnreadableDocument("number_too_long", str(wrong)) from wrong


def _refuse_repeats(pairs: list[tuple[str, object]]) -> None:
    if len(dict(pairs)) != len(pairs):
        repeated, _ = Counter(key for key, _ in pairs).most_common(1)[0]
        raise UnreadableDocument("duplicate_key", repeated[:80])


@cache
def _decoder(shape: Hashable, number_characters: int) -> tuple[msgspec.json.Decoder[Any], bool]:
    decoder = msgspec.json.Decoder(shape, float_hook=partial(_number, number_characters))
    return decoder, _is_faithful(shape)


def _number(longest: int, text: str) -> Decimal:
    if len(text) > longest:
        raise UnreadableDocument("number_too_long", f"{len(text)} characters")
    try:
        return Decimal(text)
    except InvalidOperation:  # an exponent beyond the range of Decimal
        raise UnreadableDocument("number_too_long", "an exponent out of range") from None


_LEAVES = (
    inspect.AnyType,
    inspect.NoneType,
    inspect.BoolType,
    inspect.IntType,
    inspect.FloatType,
    inspect.StrType,
    inspect.DecimalType,
    inspect.DateType,
    inspect.DateTimeType,
)


def _is_faithful(shape: object) -> bool:
    """Return whether encoding a decoded value never writes a key that was not read.

    Only then does an equal number of keys prove that none was repeated.
    """
    waiting: list[object] = [inspect.type_info(shape)]
    known: set[type] = set()
    while waiting:
        match waiting.pop():
            case inspect.StructType() as struct:
                if struct.tag_field or any(
                    field.default_factory is not msgspec.NODEFAULT
                    or field.default not in (msgspec.NODEFAULT, msgspec.UNSET)
                    for field in struct.fields
                ):
                    return False
                if struct.cls not in known:
                    known.add(struct.cls)
                    waiting.extend(field.type for field in struct.fields)
            case inspect.DictType() as mapping:
                waiting.append(mapping.value_type)
            case inspect.ListType() as sequence:
                waiting.append(sequence.item_type)
            case inspect.UnionType() as union:
                waiting.extend(union.types)
            case leaf if not isinstance(leaf, _LEAVES):
                return False
    return True
