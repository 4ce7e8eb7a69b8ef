"""The shape of the files: short, and free of one machine's paths and registries."""

from __future__ import annotations

import gzip
import re
import statistics
from pathlib import Path

from support.repository import ROOT, files, told

LONGEST = 400
MEDIAN = 130

MACHINE_PATH = re.compile(r"/(?:work|root)/")
REGISTRY = re.compile(r"://|--(?:extra-)?index-url|--find-links|--trusted-host")
RESOLVED = re.compile(r'"resolved"')


def code():
    return [
        path
        for path in files()
        if path.suffix in {".py", ".sql"}
        and path.relative_to(ROOT).parts[0] in {"src", "clients", "dev", "demo", "tests"}
    ]


def lines(path):
    if path.suffix == ".png":
        return []
    if path.suffix == ".gz":  # kits of releases
        return gzip.decompress(path.read_bytes()).decode(errors="replace").splitlines()
    return path.read_text(encoding="utf-8").splitlines()


def found(pattern, paths):
    return [
        f"{told(path)}:{number}: {line.strip()}"
        for path in paths
        if path != Path(__file__)
        for number, line in enumerate(lines(path), 1)
        if pattern.search(line)
    ]


def test_no_file_of_code_is_long():
    lengths = {told(path): len(lines(path)) for path in code()}
    assert {name: length for name, length in lengths.items() if length > LONGEST} == {}
    assert statistics.median(length for name, length in lengths.items() if name.startswith("src/")) < MEDIAN


def test_no_file_names_a_path_of_one_machine():
    assert found(MACHINE_PATH, files()) == []


def test_lock_files_name_no_registry():
    locks = [path for path in files() if path.suffix == ".lock"]
    packages = [path for path in files() if path.name == "package-lock.json"]
    assert locks
    assert packages
    assert found(REGISTRY, [*locks, *packages]) == []
    assert found(RESOLVED, packages) == []


def test_only_the_settings_read_the_environment():
    readers = found(re.compile(r"\benviron\b|\bgetenv\b"), [p for p in code() if told(p).startswith("src/")])
    assert readers == []
