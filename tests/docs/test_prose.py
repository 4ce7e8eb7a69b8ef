"""The English of the README and the docs is readable, by the rules of dev/prose/rules.mjs."""

from __future__ import annotations

import pytest

from dev import prose
from dev.stack import ROOT

WRONG = {
    "sentence-length": "The row " + "and the row " * 12 + "are here.",
    "retext-readability": "Organisational heterogeneity necessitates interdepartmental reconciliation of "
    "methodological incompatibilities throughout international administrations.",
    "retext-simplify": "You can utilize it.",
    "retext-repeated-words": "The the row is here.",
    "riddling-words": "Whoever asks is told.",
    "retext-indefinite-article": "A edition is here.",
}


def test_the_readme_and_the_docs_have_no_finding():
    status, found = prose.check(prose.pages())
    assert status == 0, found


def test_every_exemption_names_a_page_that_is_there():
    assert [name for name in prose.EXEMPT if not (ROOT / name).exists()] == []


@pytest.mark.parametrize("rule", WRONG)
def test_each_rule_finds_what_it_is_for(rule):
    page = ROOT / ".local" / f"{rule}.md"
    page.write_text(f"{WRONG[rule]}\n", encoding="utf-8")
    status, found = prose.check([page])
    page.unlink()
    assert status == 1
    assert rule in found
