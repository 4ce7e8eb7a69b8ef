"""`publish --watch` neither ends nor works without a pause while its build is refused."""

from __future__ import annotations

import time

import pytest

from sankofa.core.errors import BelowFloor, HeldBack, StoreUnavailable
from sankofa.surfaces.commands.editions import _until_accepted


@pytest.fixture
def pauses(monkeypatch):
    """The pauses that were made; none is waited for."""
    made = []
    monkeypatch.setattr(time, "sleep", made.append)
    return made


def outcomes(*errors):
    """Return a publish that fails as given and is then accepted, and how often it was called."""
    left = list(errors)

    def publish():
        if left:
            raise left.pop(0)

    return publish, left


def test_a_refused_build_is_tried_again_after_pauses_that_grow(pauses, capsys):
    publish, left = outcomes(
        *[BelowFloor("future_independence is 0")] * 7, HeldBack("", is_by_documents=False)
    )
    _until_accepted(publish)
    assert left == []
    assert pauses == [60, 120, 240, 480, 960, 1920, 3600, 3600]
    assert "refused: future_independence is 0; tried again in 1 min" in capsys.readouterr().out


def test_other_failures_are_left_to_the_caller(pauses):
    publish, _ = outcomes(StoreUnavailable("datastore", "silent"))
    with pytest.raises(StoreUnavailable):
        _until_accepted(publish)
    assert pauses == []
