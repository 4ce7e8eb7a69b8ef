"""Rows compared with the blocks they were sealed in: each kind of change is named, and nothing else."""

from __future__ import annotations

import hashlib
import random

import pytest

from sankofa.editions import merkle
from sankofa.editions.differences import AlteredRow, KeptBlock, differences
from sankofa.editions.digests import BLOCK, MARK
from sankofa.editions.manifest import Manifest, Sealed, parse, previous


def row(number, content="as it was"):
    return str(number), hashlib.sha256(f"{number} {content}".encode()).digest()


ROWS = [row(number) for number in range(1, 2 * BLOCK + 51)]
PARTS = [ROWS[start : start + BLOCK] for start in range(0, len(ROWS), BLOCK)]
BLOCKS = [
    KeptBlock(place, len(rows), rows[-1][0], merkle.root([digest for _, digest in rows]))
    for place, rows in enumerate(PARTS)
]


def marks(first, last):
    return b"".join(digest[:MARK] for rows in PARTS[first : last + 1] for _, digest in rows)


def found(rows):
    return list(differences(BLOCKS, marks, iter(rows)))


def test_what_is_untouched_has_no_differences():
    assert found(ROWS) == []
    assert list(differences([], marks, iter([]))) == []


@pytest.mark.parametrize("place", [0, 1, 254, 255, 256, 400, 511, 561])
def test_one_row_is_named_wherever_it_stands(place):
    number = place + 1
    altered = [*ROWS[:place], row(number, "otherwise"), *ROWS[place + 1 :]]
    assert found(altered) == [AlteredRow(str(number), "altered")]
    twice = [*ROWS[:number], row(f"{number}a"), *ROWS[number:]]
    assert found(twice) == [AlteredRow(f"{number}a", "added")]
    ((key, what),) = found([*ROWS[:place], *ROWS[number:]])
    assert what == "1 missing"
    if place:
        assert key.startswith(f"after {place}")
    else:
        assert key == "before all others and before 2"


def test_everything_gone_and_everything_new():
    assert found([]) == [AlteredRow("before all others", "562 missing")]
    assert [what for _, what in differences([], marks, iter(ROWS[:3]))] == ["added"] * 3


def test_a_block_whose_record_was_altered_is_told_apart_from_its_rows():
    forged = [BLOCKS[0], KeptBlock(1, 256, "512", bytes(32)), BLOCKS[2]]
    assert list(differences(forged, marks, iter(ROWS))) == [
        AlteredRow("512", "the record of the block that ends here was altered")
    ]
    misplaced = [BLOCKS[0], KeptBlock(1, 256, "elsewhere", BLOCKS[1].digest), BLOCKS[2]]
    assert list(differences(misplaced, marks, iter(ROWS))) == [
        AlteredRow("562", "the record of the block that ends here was altered")
    ]


def test_random_changes_are_all_named():
    seed = random.SystemRandom().randrange(10**6)
    print(f"seed {seed}")
    rng = random.Random(seed)
    for _ in range(30):
        numbers = sorted(rng.sample(range(len(ROWS)), rng.randrange(1, 6)))
        rows = [row(n + 1, "otherwise") if n in numbers else ROWS[n] for n in range(len(ROWS))]
        assert [(key, what) for key, what in found(rows)] == [(str(n + 1), "altered") for n in numbers], seed


def test_a_manifest_reads_as_what_it_was_written_from():
    first = Manifest(1, (Sealed("ledger.fact", 3, hashlib.sha256(b"a").digest()),))
    second = Manifest(2, first.parts, previous(1, first.digest))
    assert (
        first.text == f"edition 1\nprevious 0 {'0' * 64}\nledger.fact 3 {hashlib.sha256(b'a').hexdigest()}\n"
    )
    leaves = [merkle.leaf_hash(line.encode()) for line in first.text.splitlines()]
    assert second.text.splitlines()[1] == f"previous 1 {merkle.root(leaves).hex()}"
    assert (parse(first.text), parse(second.text)) == (first, second)
    for broken in ("", "edition 1\n", first.text[:-1], first.text + "x", first.text.replace("3", "three")):
        assert parse(broken) is None
