"""Cursors say what was put into them, to the endpoint they were issued for (TEN-2, TEN-3)."""

from __future__ import annotations

import base64
import hashlib
import hmac
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sankofa.ask.cursor import DETAIL, LONGEST, Cursor, CursorKeys, confirm, decode, encode, resolve
from sankofa.core.errors import BadParameter
from sankofa.storage.edition import Edition

OLD, NEW = b"o" * 32, b"n" * 32
KEYS = CursorKeys(current=("k2", NEW), retired={"k1": OLD})
BEFORE_ROTATION = CursorKeys(current=("k1", OLD))
CURSOR = Cursor(edition=7, mark="m7", query={"country": "KEN"}, position=("2024-03-31", "ocds-1", 3))

texts = st.text(st.characters(exclude_categories=("Cs",)), max_size=20)
cursors = st.builds(
    Cursor,
    edition=st.integers(1, 2**31 - 2),
    mark=texts,
    query=st.dictionaries(texts, texts, max_size=4),
    position=st.lists(texts | st.integers(-(2**63), 2**63 - 1) | st.booleans() | st.none(), max_size=5).map(
        tuple
    ),
)


def refused(function, *args):
    with pytest.raises(BadParameter) as caught:
        function(*args)
    return (caught.value.parameter, caught.value.detail) == ("cursor", DETAIL)


@given(cursors, texts)
def test_a_cursor_comes_back_as_it_was(cursor, endpoint):
    back = decode(KEYS, endpoint, encode(KEYS, endpoint, cursor))
    assert back == cursor
    assert [type(value) for value in back.position] == [type(value) for value in cursor.position]


@given(cursors)
def test_the_order_of_parameters_does_not_matter(cursor):
    turned = Cursor(
        edition=cursor.edition,
        mark=cursor.mark,
        query=dict(reversed(cursor.query.items())),
        position=cursor.position,
    )
    assert encode(KEYS, "tenders", turned) == encode(KEYS, "tenders", cursor)


def test_the_tag_is_a_truncated_hmac_over_version_key_endpoint_and_payload():
    signed, _, tag = encode(KEYS, "tenders", CURSOR).rpartition(".")
    digest = hmac.new(NEW, f"{signed}\ntenders".encode(), hashlib.sha256).digest()
    assert tag == base64.urlsafe_b64encode(digest[:16]).decode().rstrip("=")
    assert signed.startswith("v1.k2.")


def test_a_retired_key_still_verifies():
    assert decode(KEYS, "tenders", encode(BEFORE_ROTATION, "tenders", CURSOR)) == CURSOR


def test_an_unknown_key_is_refused():
    assert refused(decode, BEFORE_ROTATION, "tenders", encode(KEYS, "tenders", CURSOR))


@given(cursors, texts, texts)
def test_another_endpoint_s_cursor_is_refused(cursor, endpoint, other):
    if endpoint != other:
        assert refused(decode, KEYS, other, encode(KEYS, endpoint, cursor))


@given(cursors, st.data())
def test_an_altered_cursor_is_refused(cursor, data):
    issued = encode(KEYS, "tenders", cursor)
    start = data.draw(st.integers(0, len(issued)), label="start")
    end = data.draw(st.integers(start, min(start + 3, len(issued))), label="end")
    altered = issued[:start] + data.draw(st.text(max_size=3), label="put in") + issued[end:]
    if altered != issued:
        assert refused(decode, KEYS, "tenders", altered)


@given(st.text())
def test_any_text_is_refused(text):
    assert refused(decode, KEYS, "tenders", text)


@pytest.mark.parametrize(
    "payload", [b"", b"[]", b"{}", b"[1]", b"\xff", b'[1,"m",{},[],0]', b'[1,"m",{},[0.5]]']
)
def test_a_well_signed_payload_of_another_shape_is_refused(payload):
    text = f"v1.k2.{base64.urlsafe_b64encode(payload).decode().rstrip('=')}"
    digest = hmac.new(NEW, f"{text}\ntenders".encode(), hashlib.sha256).digest()[:16]
    tag = base64.urlsafe_b64encode(digest).decode().rstrip("=")
    assert refused(decode, KEYS, "tenders", f"{text}.{tag}")


def test_no_cursor_is_longer_than_what_is_read_back():
    def about(length):
        return Cursor(edition=7, mark="m7", query={"q": "x" * length}, position=())

    lengths = range(2000, 2400)
    too_long = []
    for length in lengths:
        try:
            assert decode(KEYS, "tenders", encode(KEYS, "tenders", about(length))) == about(length)
        except ValueError:
            too_long.append(length)
    assert too_long == list(range(too_long[0], lengths.stop))
    assert refused(decode, KEYS, "tenders", "v1.k2." + "A" * LONGEST + "." + "A" * 22)


def test_secrets_are_never_shown_and_bad_keys_are_refused():
    assert "nnn" not in repr(KEYS)
    assert "ooo" not in repr(KEYS)
    for current, retired in [
        (("k.2", NEW), {}),
        (("", NEW), {}),
        (("k2", b"short"), {}),
        (("k2", NEW), {"k2": OLD}),
    ]:
        with pytest.raises(ValueError, match="cursor"):
            CursorKeys(current=current, retired=retired)


@pytest.mark.parametrize(
    ("sent", "resolved"),
    [
        ({}, {"country": "KEN", "edition": "7"}),
        ({"cursor": "v1.…"}, {"country": "KEN", "edition": "7"}),
        ({"country": "KEN"}, {"country": "KEN", "edition": "7"}),
        ({"edition": "7", "limit": "5"}, {"country": "KEN", "edition": "7", "limit": "5"}),
    ],
)
def test_what_is_left_out_comes_from_the_cursor(sent, resolved):
    assert resolve(sent, CURSOR) == resolved


@pytest.mark.parametrize(
    "sent", [{"country": "GHA"}, {"edition": "8"}, {"as_of": "2024-01-01"}, {"country": ""}]
)
def test_what_is_sent_must_equal_the_cursor(sent):
    assert refused(resolve, sent, CURSOR)


def test_two_editions_of_one_number_are_not_mixed():
    confirm(CURSOR, Edition(7, "m7", date(2024, 4, 1)))
    assert refused(confirm, CURSOR, Edition(7, "restored", date(2024, 4, 1)))
    assert refused(confirm, CURSOR, Edition(8, "m7", date(2024, 4, 1)))
