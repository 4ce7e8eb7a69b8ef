"""Text for agents holds nothing that nobody sees; Unicode's own tables say what that is."""

from __future__ import annotations

import json
import re
import sys
import unicodedata

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sankofa.surfaces.visible_text import HIDDEN, visible

CATEGORIES = {"Cc", "Cf", "Co", "Cs", "Zl", "Zp"}


def test_every_invisible_character_above_ascii_is_known():
    hidden = re.compile(f"[{HIDDEN}]")
    letters = map(chr, range(0x7F, sys.maxunicode + 1))
    missed = [
        hex(ord(one)) for one in letters if unicodedata.category(one) in CATEGORIES and not hidden.match(one)
    ]
    assert missed == []


def test_what_can_be_seen_stays():
    for text in (
        "Société Générale",
        "Ọ̀yọ́",
        "北京",
        "القاهرة",
        "हिन्दी",
        "a b\u00a0c",
        "“quoted” — €5",
        "\\u200b as letters",
        'a "b"',
    ):
        encoded = msgspec.json.encode(text)
        assert visible(encoded) == encoded


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("a\u200bb", "ab"),
        ("\u202eevil\u202c", "evil"),
        ("tag\U000e0041\U000e007f", "tag"),
        ("one\ntwo\r\n\tthree", "one two   three"),
        ("bell\x07\x00\x1b[0m", "bell[0m"),
        ("del\x7f\x9b", "del"),
        ("back\\slash\\n", "back\\slash\\n"),
        ("\\\u200b\n", "\\ "),
        ("line\u2028next", "line next"),
    ],
)
def test_what_cannot_be_seen_goes(text, left):
    assert json.loads(visible(msgspec.json.encode(text))) == left


@given(st.text())
def test_any_text_stays_json_and_loses_only_what_is_hidden(text):
    shown = json.loads(visible(msgspec.json.encode({"a": [text]})))["a"][0]
    assert not [one for one in shown if unicodedata.category(one) in CATEGORIES]
    spaced = re.sub(r"[\n\r\t\x85\u2028\u2029]", " ", text)
    assert shown == re.sub(rf"[\x00-\x1f{HIDDEN}]", "", spaced)
