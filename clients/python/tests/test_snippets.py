"""What the README and the notebook show works, and says what they say it does."""

from __future__ import annotations

import time
from datetime import date
from decimal import Decimal
from pathlib import Path
from statistics import mean

import pytest

from sankofa_client import Client
from snippets import blocks, cells, promised, run

FOLDER = Path(__file__).parents[1]
BUDGET = 60  # seconds for the notebook


@pytest.fixture(autouse=True)
def _environment(demo, key, monkeypatch):
    monkeypatch.setenv("SANKOFA_URL", demo.api.url)
    monkeypatch.setenv("SANKOFA_KEY", key)


@pytest.fixture
def namespace():
    held = {}
    yield held
    for value in held.values():
        if isinstance(value, Client):
            value.close()


def test_the_readme_tells_the_truth(namespace):
    told = blocks(FOLDER / "README.md")
    assert len(told) >= 9
    for number, block in enumerate(told):
        assert run(block, namespace, f"README block {number}") == promised(block)


@pytest.fixture
def notebook(namespace):
    """The notebook as it is stored, and what its cells made within its budget of seconds."""
    began = time.monotonic()
    stored, code = cells(FOLDER / "notebooks" / "look_ahead.ipynb")
    for number, cell in enumerate(code):
        run(cell, namespace, f"cell {number}")
    assert time.monotonic() - began < BUDGET
    return stored, namespace


def test_the_notebook_shows_look_ahead_and_its_cure(notebook):
    stored, held = notebook
    assert [(fact.value_reported, fact.available_at) for fact in held["vintages"]] == [
        (Decimal(1150000000), date(2023, 3, 16)),
        (Decimal(1100000000), date(2024, 3, 15)),
    ]
    peeking, honest = mean(held["naive"]), mean(held["fair"])
    assert min(len(held["naive"]), len(held["fair"])) > 30
    assert peeking > 3 * abs(honest)
    assert held["by_period_end"].share == 1.0
    restated = {place for place, fact in held["newest"].items() if fact.vintage > 1}
    leaked = {(leak.claim.service_id, leak.claim.period) for leak in held["by_filing_day"].leaks}
    assert (held["foods"], 2022) in leaked <= restated
    assert held["as_of_the_day"].counts["as_known"] == len(held["known"]) > 50
    assert held["as_of_the_day"].leaks == []
    assert stored["nbformat"] == 4
    assert all(
        cell.get("outputs", []) == [] and cell.get("execution_count") is None for cell in stored["cells"]
    )
