"""The tutorials, followed step by step on a service of their own."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import textwrap
from decimal import ROUND_HALF_EVEN, Decimal
from pathlib import Path

import pytest

from demo.world import World
from support.demo_world import load
from support.repository import ROOT
from support.snippets import WRITTEN, assert_prints, blocks, commands
from support.tasks import Task

GUIDES = ROOT / "docs" / "guides"
ISSUER = "DCHFPV9ZRN9Z1AW"  # the first issuer of the demo world, under the secret of the local stack


class Follower:
    """A reader at a terminal, in a folder of their own."""

    def __init__(self, service, home, **variables):
        self.service, self.home = service, home
        (home / ".local").mkdir()
        (home / ".local" / "key").write_text(service.issue().key)
        path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
        self.environment = {**os.environ, **service.installation.environment, "PATH": path, **variables}

    def run(self, command):
        """Run a command that must succeed, and return what it printed."""
        done = subprocess.run(
            ["bash", "-e", "-c", command.replace(WRITTEN, self.service.api.url)],
            cwd=self.home, env=self.environment, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
        return done.stdout

    def follow(self, block):
        """Run the commands of a block and compare what they print; return what the last one printed."""
        shown = ""
        for command, printed in commands(block):
            if "publish" in command:
                shown = self.run(command)
                self.service.await_edition(int(shown.split()[1]))
            else:
                shown = self.run(command)
            assert_prints(shown, printed, command)
        return shown


def by_language(page, language):
    return [block for block in blocks(GUIDES / page) if block.language == language]


def test_a_first_source_from_an_empty_folder_to_an_answer_with_its_licence(service, tmp_path):
    reader = Follower(service, tmp_path, SANKOFA_SOURCES=str(tmp_path / "my-sources"))
    settings, folder = by_language("first-source.md", "sh")
    assert "dev env" in settings.text  # of the local stack; here they are this service's
    reader.run(folder.text)
    (source,), (document,) = by_language("first-source.md", "toml"), by_language("first-source.md", "json")
    (tmp_path / "my-sources" / "rw-lab.toml").write_text(source.text)
    (tmp_path / "release.json").write_text(document.text)
    check, load, ask, ask_earlier = by_language("first-source.md", "console")
    reader.follow(check)
    reader.follow(load)
    (row,) = json.loads(reader.follow(ask))["data"]
    assert row["license_class"] == "CC-BY-4.0"
    assert row["source_ref"].startswith("rw-lab@sha256:")
    assert json.loads(reader.follow(ask_earlier))["data"] == []


@pytest.fixture
def changed_code(tmp_path):
    """Return a copy of the package with the declaration and the migration where the page puts them."""
    package = tmp_path / "src" / "sankofa"
    ours = ROOT / "src" / "sankofa"
    shutil.copytree(ours, package, ignore=shutil.ignore_patterns("pages", "__pycache__"))
    (package / "surfaces" / "pages").symlink_to(ours / "surfaces" / "pages")
    shutil.copy(ours / "metrics" / "pages.py", package / "metrics" / "pages.py")
    formulas = package / "metrics" / "formulas.py"
    (declaration,) = by_language("first-metric.md", "python")
    before, place, after = formulas.read_text().partition('    Metric(\n        "current_ratio",\n')
    assert place
    entry = textwrap.indent(declaration.text.rstrip(), "    ") + ",\n"
    formulas.write_text(before + entry + place + after)
    (migration,) = by_language("first-metric.md", "sql")
    release = package / "storage" / "migrations" / "0.2.0"
    release.mkdir()
    (release / "01_metrics.sql").write_text(migration.text)
    return package.parent


def test_a_first_metric_from_its_declaration_to_a_value(make_service, changed_code, tmp_path):
    service = make_service(PYTHONPATH=str(changed_code))  # the API runs the changed code
    load(service, World())
    service.publish()  # by the formulas as they were
    task = Task("add a metric", 5)
    reader = Follower(service, tmp_path, PYTHONPATH=str(changed_code))
    task.steps = 2  # the declaration and the migration, which `changed_code` has written
    migrate, publish, ask = by_language("first-metric.md", "console")
    task.do(reader.follow, migrate)
    task.do(reader.follow, publish)
    (row,) = json.loads(task.do(reader.follow, ask), parse_float=Decimal)["data"]
    task.end()
    facts = service.facts(ISSUER, period_type="FY", line_item="cash_and_equivalents,total_assets")
    amounts = {
        fact["line_item"]: Decimal(fact["value_reported"])
        for fact in facts
        if fact["period_end"] == row["period_end"]
    }
    expected = amounts["cash_and_equivalents"] / amounts["total_assets"]
    assert row["value"] == expected.quantize(Decimal("1e-10"), ROUND_HALF_EVEN)
    assert 0 < row["value"] < 1
