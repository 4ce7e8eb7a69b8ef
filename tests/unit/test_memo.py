"""The memo of prepared requests: what it keeps, and what makes it forget."""

import asyncio
from dataclasses import dataclass
from types import SimpleNamespace

from sankofa.web.memo import Memo

ENTRY = 16 << 10  # bytes that one entry may take


@dataclass
class Standing:
    """The part of a reader that the memo looks at: the current edition and the newest takedown."""

    standing: object


class Preparing:
    """Counts how often a request is prepared."""

    def __init__(self, meanwhile=lambda: None):
        self.count = 0
        self.meanwhile = meanwhile

    async def __call__(self):
        self.count += 1
        self.meanwhile()
        return SimpleNamespace(number=self.count)


def ask(memo, key, prepare):
    return asyncio.run(memo.get(key, prepare)).number


def test_a_repeated_request_is_prepared_once():
    memo, prepare = Memo(Standing(("mark", 0)), 4 * ENTRY), Preparing()
    assert [ask(memo, ("a",), prepare), ask(memo, ("a",), prepare), ask(memo, ("b",), prepare)] == [1, 1, 2]


def test_a_new_edition_and_a_takedown_drop_every_entry():
    reader = Standing(("mark", 0))
    memo, prepare = Memo(reader, 4 * ENTRY), Preparing()
    for number, standing in enumerate([("mark", 0), ("mark", 1), ("newer", 1), ("mark", 0)], 1):
        reader.standing = standing
        assert [ask(memo, ("a",), prepare), ask(memo, ("a",), prepare)] == [number, number]


def test_nothing_is_kept_while_the_edition_is_not_confirmed_or_changes():
    reader = Standing(None)
    memo, prepare = Memo(reader, 4 * ENTRY), Preparing()
    assert [ask(memo, ("a",), prepare), ask(memo, ("a",), prepare)] == [1, 2]
    reader.standing = ("mark", 0)
    changing = Preparing(lambda: setattr(reader, "standing", ("newer", 0)))
    ask(memo, ("a",), changing)
    assert [ask(memo, ("a",), prepare), ask(memo, ("a",), prepare)] == [3, 3]


def test_memory_is_bounded_and_the_least_recently_used_entry_is_dropped():
    memo, prepare = Memo(Standing(("mark", 0)), 2 * ENTRY), Preparing()
    for key in ("a", "b", "a", "c"):
        ask(memo, (key,), prepare)
    assert ask(memo, ("a",), prepare) == 1
    assert ask(memo, ("b",), prepare) == 4
    long = ("x" * 4_000,)
    assert [ask(memo, long, prepare), ask(memo, long, prepare)] == [5, 6]
    nothing = Memo(Standing(("mark", 0)), 0)
    assert [ask(nothing, ("a",), prepare), ask(nothing, ("a",), prepare)] == [7, 8]
