"""The law on real source files: an answer as of a day follows from what was public by that day.

Some files by default; all of them, kind by kind, cut at 40 days, with AUDIT_SIZE=full. See `tests/law`.
"""

from __future__ import annotations

import os
import random

import pytest

from law.asking import inquire
from law.real import DATA, KINDS, everything, some
from law.worlds import Grown

pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason=f"no real files at {DATA}; see SANKOFA_REAL_DATA")
IS_FULL = os.environ.get("AUDIT_SIZE", "small") == "full"
# At least as many, by the first kind of file that is loaded.
QUESTIONS = {"filings": 100_000, "tenders": 30_000, "series": 5_000} if IS_FULL else {"filings": 5_000}


@pytest.mark.heavy
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("kinds", [(kind,) for kind in KINDS] if IS_FULL else [tuple(KINDS)], ids=" ".join)
def test_no_later_statement_changes_an_answer_of_real_files_as_of_a_day(make_service, kinds):
    seed = int(os.environ.get("AUDIT_SEED") or random.SystemRandom().randrange(10**6))
    print(f"\nAUDIT_SEED={seed}")
    world = everything(seed, kinds) if IS_FULL else some(seed)
    counts = inquire(Grown(make_service(), make_service(), world), seed, issuers=60)
    assert sum(counts.questions.values()) >= QUESTIONS[kinds[0]]
    assert dict(counts.found) == {}
