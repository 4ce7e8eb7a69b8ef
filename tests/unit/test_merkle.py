"""Merkle trees: the published test values of RFC 6962, and paths that lead from any leaf to the root."""

from __future__ import annotations

import hashlib

from hypothesis import given
from hypothesis import strategies as st

from sankofa.editions import merkle
from support.proofs import climb

# The reference values of certificate transparency: the root over the first n of these leaves.
LEAVES = [
    bytes.fromhex(text)
    for text in (
        "", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f",
    )
]  # fmt: skip
ROOTS = [
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]


def by_definition(contents):
    """Return the root as RFC 6962 defines it: split at the largest power of two below the size."""
    if len(contents) == 1:
        return hashlib.sha256(b"\0" + contents[0]).digest()
    split = 1 << (len(contents) - 1).bit_length() - 1
    halves = by_definition(contents[:split]) + by_definition(contents[split:])
    return hashlib.sha256(b"\1" + halves).digest()


def test_roots_are_those_of_the_reference_values():
    hashes = [merkle.leaf_hash(leaf) for leaf in LEAVES]
    assert [merkle.root(hashes[:count]).hex() for count in range(1, len(LEAVES) + 1)] == ROOTS


@given(st.lists(st.binary(max_size=4), min_size=1, max_size=80), st.data())
def test_a_path_leads_from_its_leaf_to_the_root_by_definition_and_from_no_other(contents, data):
    hashes = [merkle.leaf_hash(content) for content in contents]
    top = merkle.root(hashes)
    assert top == by_definition(contents)
    place = data.draw(st.integers(0, len(contents) - 1))
    steps = merkle.path(hashes, place)
    assert climb(contents[place], steps) == top
    assert climb(contents[place] + b"!", steps) != top
    assert len(steps) <= (len(contents) - 1).bit_length()
