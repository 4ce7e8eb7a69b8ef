"""The law on invented worlds: an answer as of a day follows from what was public by that day, in every field.

One service holds everything. Another is grown day by day by the documents cut to what was public. Every
endpoint that takes a date is asked on every day about every key, and the answers are compared (`tests/law`).
"""

from __future__ import annotations

import os

import pytest

from law.asking import inquire
from law.worlds import Grown, generated

SIZES = {
    "small": {
        "issuers": 10,
        "years": (4, 9),
        "brazilians": 3,
        "processes": 40,
        "banks": 4,
        "days": 5,
        "demo_issuers": 3,
    },
    "full": {
        "issuers": 120,
        "years": (8, 15),
        "brazilians": 20,
        "processes": 300,
        "banks": 16,
        "days": 40,
        "demo_issuers": 20,
    },
}
ASKED_ABOUT = {"small": 20, "full": 75}  # issuers on each day, drawn from all
QUESTIONS = {"small": 12_000, "full": 1_000_000}


@pytest.mark.timeout(7200)
def test_no_later_statement_changes_any_field_of_an_answer_as_of_a_day(make_service, seed):
    size = os.environ.get("AUDIT_SIZE", "full")
    grown = Grown(make_service(), make_service(), generated(seed, **SIZES[size]))
    counts = inquire(grown, seed, issuers=ASKED_ABOUT[size])
    assert sum(counts.questions.values()) >= QUESTIONS[size]
    assert dict(counts.found) == {}
