"""Every repair is declared once, and counted apart from rejections."""

from __future__ import annotations

import ast

import pytest

from sankofa.ingest.bytes.bounds import Rejections, is_repair, repairs
from sankofa.ingest.ocds.parties import _KEPT_APART
from support.repository import ROOT

INGEST = ROOT / "src/sankofa/ingest"


def named_in(call):
    """Return the strings that a call's first argument can be."""
    return {node.value for node in ast.walk(call.args[0]) if isinstance(node, ast.Constant)}


def calls(*methods):
    """Yield the calls of these methods in the code of ingest."""
    for path in sorted(INGEST.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            is_method = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
            if is_method and node.args and node.func.attr in methods:
                yield node


def test_every_declared_repair_is_made_somewhere_and_no_other():
    made = set().union(*map(named_in, calls("repair", "repaired"))) - {0}
    assert made | set(_KEPT_APART.values()) == set(repairs())


def test_no_row_is_refused_under_the_name_of_a_repair():
    refused = {text for call in calls("add", "reject", "lose") for text in named_in(call)}
    assert not {text for text in refused if isinstance(text, str) and is_repair(text)}


def test_a_repair_must_be_declared():
    rejections = Rejections()
    rejections.repair("amount_zero", "ocds-1", 2)
    rejections.add("missing_ocid", "")
    assert rejections.counts == {"repaired_amount_zero": 2, "missing_ocid": 1}
    assert [reason for reason in rejections.counts if is_repair(reason)] == ["repaired_amount_zero"]
    with pytest.raises(ValueError, match="not declared"):
        rejections.repair("mended", "")
