"""What walks find out stands in the schema `build`: written by one walk, read by those that declare it."""

from __future__ import annotations

import re
from collections import defaultdict
from itertools import chain
from pathlib import Path
from types import SimpleNamespace

import pytest

import sankofa
from sankofa.storage.objects import ObjectOptions
from sankofa.surfaces.publishing import publisher

SOURCE = Path(sankofa.__file__).parent
# Tables that the publisher itself fills, for all walks.
ENGINE = {"current", "stage", "chunk", "closed_source", "concerned_batch", "provenance", "held_document"}
ENGINE |= {"known_provenance", "set_aside"}
CREATED = re.compile(r"CREATE (?:UNLOGGED TABLE|VIEW) build\.(\w+)")
USED = re.compile(r"\bbuild\.(?!renew_statistics\b|clear\b|sql\b)(\w+)")


def walks():
    options = ObjectOptions(endpoint="http://127.0.0.1:1", bucket="none", access_key="", secret_key="")
    settings = SimpleNamespace(secret=lambda: b"", publish_dsn="", sources="", objects=lambda: options)
    return publisher(settings).walks


def package(declared):
    return type(declared).__module__.split(".")[1]


def packages(walk):
    """Return the packages whose statements a walk runs."""
    steps = (*walk.steps, *getattr(walk, "judged_for", ()))
    return {package(walk), *map(package, steps), *(name.rpartition(".")[2] for name in walk.runs)}


def used(name):
    """Return the tables of `build` that the files of a package name."""
    files = (file for file in (SOURCE / name).iterdir() if file.suffix in {".py", ".sql"})
    return {table for file in files for table in USED.findall(file.read_text())}


def declared():
    """Return, by package, the tables that its walks, or the walks of its steps, write and read."""
    by_package = defaultdict(set)
    for walk in walks():
        for name in packages(walk):
            by_package[name] |= {*walk.writes, *walk.reads}
    return by_package


def test_every_table_of_a_build_is_written_by_one_walk_or_by_the_publisher():
    files = (SOURCE / "storage/migrations").glob("*/*.sql")
    created = set(chain.from_iterable(CREATED.findall(file.read_text()) for file in files))
    written = [table for walk in walks() for table in walk.writes]
    assert sorted(written) == sorted(set(written))
    assert set(written) | ENGINE == created


@pytest.mark.parametrize(
    "name", sorted({path.name for path in SOURCE.iterdir() if path.is_dir()} - {"editions"})
)
def test_a_package_reads_the_build_state_that_its_walks_declare(name):
    if name in {"storage", "__pycache__"}:
        return
    assert used(name) <= declared()[name]


def test_no_walk_declares_what_nobody_uses():
    unused = {
        walk.name: {*walk.writes, *walk.reads} - set().union(*map(used, packages(walk))) for walk in walks()
    }
    assert {name: tables for name, tables in unused.items() if tables} == {}
