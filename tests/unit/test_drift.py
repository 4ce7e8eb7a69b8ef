"""The bounds of drift: which numbers are ordinary, and which are held; each bound is met from both sides."""

from __future__ import annotations

import pytest

from sankofa.drift.bounds import BOUNDS, FUND, MACRO, SIZE_DOCUMENTS, SIZE_FACTOR, TENDER
from sankofa.drift.judge import Changed, Usual, judge

NOTHING_LARGE = Usual(documents=0, largest=0)
EACH = [(dataset, movement) for dataset, bounds in BOUNDS.items() for movement in bounds.movements]


def judged(dataset, movement, rows, known):
    changed = {movement: Changed(rows, ("a row",))}
    return judge(dataset, known=known, changed=changed, new_rows=0, usual=NOTHING_LARGE)


@pytest.mark.parametrize(("dataset", "movement"), EACH)
def test_every_bound_holds_from_its_number_on_and_above_its_share_alone(dataset, movement):
    bound = BOUNDS[dataset].movements[movement]
    assert 0 < bound.share < 1
    assert bound.why
    few_known = bound.least
    assert judged(dataset, movement, bound.least, few_known)
    assert not judged(dataset, movement, bound.least - 1, few_known)
    share_reached = int(bound.least / bound.share)
    assert not judged(dataset, movement, bound.least, share_reached)
    assert judged(dataset, movement, bound.least, share_reached - 1)


def test_the_reason_says_how_many_of_how_many_and_names_rows():
    [reason] = judged(FUND, "zeroed", 1, 20)
    assert reason.message.startswith("1 of 20 compared values become 0 (bound: 1 and more than 1%;")
    assert (reason.rows, reason.named) == (1, ("a row",))


def test_a_document_is_too_large_only_beside_enough_others_and_far_beyond_the_largest():
    fewest = BOUNDS[TENDER].fewest_rows
    largest = fewest // SIZE_FACTOR

    def sized(new_rows, documents, largest):
        return judge(
            TENDER, known=0, changed={}, new_rows=new_rows, usual=Usual(documents=documents, largest=largest)
        )

    [reason] = sized(fewest + 1, SIZE_DOCUMENTS, largest)
    assert "1,001 new rows; the largest of 3 documents before had 100" in reason.message
    assert not sized(fewest + 1, SIZE_DOCUMENTS - 1, largest)
    assert not sized(fewest, SIZE_DOCUMENTS, largest)
    assert not sized(fewest - 1, SIZE_DOCUMENTS, 1)


def test_several_bounds_are_each_told():
    changed = {"zeroed": Changed(50), "gone": Changed(50)}
    reasons = judge(MACRO, known=100, changed=changed, new_rows=0, usual=NOTHING_LARGE)
    assert [reason.message.split(" (")[0] for reason in reasons] == [
        "50 of 100 compared values become 0",
        "50 of 100 compared values are gone",
    ]
