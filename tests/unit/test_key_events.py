"""KEY-9: whom the key events concern that a key store lacks."""

from __future__ import annotations

from sankofa.storage.key_events import KeyEvents

THREE_OF_FIVE = KeyEvents(5, ["e", "d", "c"])


def test_an_event_concerns_its_own_key_and_only_where_it_is_missing():
    assert THREE_OF_FIVE.concern(["d"], after=3)
    assert not THREE_OF_FIVE.concern(["d"], after=4)
    assert not THREE_OF_FIVE.concern(["a"], after=2)
    assert THREE_OF_FIVE.concern(["a", "e"], after=4)


def test_events_that_nobody_knows_may_concern_every_key():
    assert THREE_OF_FIVE.concern(["a"], after=1)
    assert KeyEvents(5).concern(["a"], after=4)


def test_a_store_that_has_all_events_lacks_none():
    assert not THREE_OF_FIVE.concern(["e"], after=5)
    assert not THREE_OF_FIVE.concern(["e"], after=6)
    assert not KeyEvents().concern(["a"], after=0)
