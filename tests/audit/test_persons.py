"""A million persons before the organisation check, and none of them is shown."""

from __future__ import annotations

import csv
import os
import time
from collections import Counter
from pathlib import Path

import pytest

from sankofa.entities.organisations import RULES_VERSION, decide
from support.persons import Name, persons

COUNT = {"small": 25_000, "full": 1_000_000}[os.environ.get("AUDIT_SIZE", "full")]
REPOSITORY = Path(__file__).parents[2]
DATA = (
    Path(os.environ.get("SANKOFA_REAL_DATA", REPOSITORY.parent / "shared" / "data"))
    / "names"
    / "person-names"
)


def shown_of(people):
    """Return how many of each shape there were, and those that were shown."""
    counted, shown = Counter(), []
    for kind, profile in people:
        counted[kind] += 1
        if decide(profile).established:
            shown.append((kind, profile))
    return counted, shown


def test_no_generated_person_is_shown(rng, seed):
    began = time.perf_counter()
    counted, shown = shown_of(persons(rng, COUNT))
    took = time.perf_counter() - began
    print(
        f"{counted.total():,} persons of {len(counted)} shapes, seed {seed}, rules {RULES_VERSION}: "
        f"{len(shown)} shown; {took:.0f} s with making them up"
    )
    assert shown == []


@pytest.mark.skipif(not DATA.is_dir(), reason=f"no lists of names at {DATA}; see SANKOFA_REAL_DATA")
def test_no_person_with_a_name_from_public_lists_is_shown(rng, seed):
    given, family = names_in("common-forenames-by-country.csv"), names_in("common-surnames-by-country.csv")

    def public_name(rng):
        country, name = rng.choice(given)
        _, second = rng.choice(given)
        return Name(country, name, second, rng.choice(family)[1], is_listed=False)

    counted, shown = shown_of(persons(rng, COUNT // 4, public_name))
    print(
        f"{counted.total():,} persons from {len(given):,} given and {len(family):,} family names, "
        f"seed {seed}: {len(shown)} shown"
    )
    assert shown == []


def names_in(file):
    """Return the names of a public list with their countries, as written and romanized."""
    with (DATA / file).open(encoding="utf-8-sig", newline="") as lines:
        return [
            (row["Country"], row[column])
            for row in csv.DictReader(lines)
            for column in ("Localized Name", "Romanized Name")
            if row[column]
        ]
