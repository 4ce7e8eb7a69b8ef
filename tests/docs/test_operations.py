"""What the pages tell operators to do works: on real stores, with the settings that compose gives."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from demo.world import World
from sankofa.surfaces import rest
from sankofa.surfaces.cli import MODULES, app
from sankofa.surfaces.command_settings import SETTINGS_OF
from sankofa.surfaces.settings import Settings
from support.containers import Containers, make_deploy_folder
from support.demo_world import load
from support.repository import ROOT
from support.snippets import assert_prints, blocks, commands

PAGES = ROOT / "docs" / "operations"


@pytest.fixture(scope="module")
def document(tmp_path_factory):
    """One issuer's filings, as a file."""
    folder = tmp_path_factory.mktemp("world")
    subprocess.run(
        [sys.executable, "-m", "demo", "--facts", "250", "--out", str(folder)], check=True, cwd=ROOT
    )
    return next(folder.glob("CIK*.json"))


@pytest.fixture
def read_by(module_service, monkeypatch):
    """Run a command in this process and return the settings that it read."""
    environment = module_service.installation.environment
    read = set()
    plain = Settings.__getattribute__

    def noting(settings, name):
        if name in Settings.model_fields:
            read.add(name)
        return plain(settings, name)

    def run(*arguments):
        read.clear()
        if arguments == ("serve",):
            rest.create()  # what each process of the server begins with
        else:
            done = CliRunner().invoke(app, arguments)
            assert done.exit_code == 0, f"{arguments}: {done.output}{done.exception}"
        return set(read)

    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(Settings, "__getattribute__", noting)
    return run


def test_every_command_reads_the_settings_that_the_page_says(module_service, document, read_by):
    issuer = "cik:9000000000"
    asked = {
        "bootstrap": ["--database", module_service.installation.database],
        "migrate": [],
        "ingest": ["demo-companyfacts", str(document)],
        "publish": [],
        "held": [],
        "export": [],
        "tidy": [],
        "editions": [],
        "identify": [issuer],
        "audit": [],
        "verify": [],
        "organisations": ["why", issuer],
        "keys": ["issue", "sample", "a test"],
        "serve": [],
    }
    for command, arguments in asked.items():
        assert read_by(command, *arguments) == set(SETTINGS_OF[command]), command
    assert set(MODULES) == set(SETTINGS_OF)


@pytest.fixture(scope="module")
def operator(module_service, document, tmp_path_factory):
    """Return the terminal of an operator in the folder `deploy`, with an installation that is at work."""
    home = tmp_path_factory.mktemp("operator")
    containers = Containers(module_service.installation, home)
    deploy = make_deploy_folder(home)
    module_service.ingest(document.read_bytes())  # whatever is there already counts as seen
    module_service.publish()
    module_service.await_edition(1)
    variables = {"SERVICE": module_service.api.url, "OBJECTS": module_service.installation.stack.s3_endpoint}

    def run(command):
        return containers.run(command, deploy, **variables)

    return run


def shell_blocks(page):
    return [block.text for block in blocks(PAGES / page) if block.language == "sh"]


def followed(operator, block):
    done = operator(block)
    assert done.returncode == 0, f"{block}\n{done.stdout}{done.stderr}"
    return done.stdout


def test_an_installation_is_made_backed_up_and_checked(operator):
    """What comes after a loss is in tests/contract/test_restore.py."""
    secrets, stores, buckets, start, _ = shell_blocks("install.md")
    followed(operator, secrets.replace("cd deploy\n", ""))
    followed(operator, stores)
    # The stack has the page's own buckets already.
    made = buckets.replace("documents open-panels licensed", "made-1").replace(
        "-name journal", "-name made-2"
    )
    printed = followed(operator, made)
    assert "created bucket made-1" in printed
    assert "made-2" in printed
    followed(operator, start)
    identities = shell_blocks("upgrade.md")[1].replace("-name journal", "-name made-3")
    assert "made-3" in followed(operator, identities)
    followed(operator, shell_blocks("backup.md")[0])
    for block in blocks(PAGES / "checklist.md"):
        for command, printed in commands(block) if block.language == "console" else ():
            assert_prints(operator(command).stdout, printed, command)


@pytest.mark.heavy
def test_the_page_on_commands_prints_what_the_commands_print(make_service, tmp_path):
    """On a world of its own, since they change what is published."""
    service = make_service()
    load(service, World())
    for step in (service.publish, service.export, service.publish):
        step()
    (block,) = (each for each in blocks(PAGES / "commands.md") if "$ sankofa publish\n" in each.text)
    (settings, _), *told = commands(block)
    assert "dev env" in settings  # these are of the local stack; here they are this service's
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    environment = {**os.environ, **service.installation.environment, "PATH": path}
    for command, printed in told:
        done = subprocess.run(
            ["bash", "-c", command.replace("/tmp/demo", str(tmp_path))],
            cwd=ROOT, env=environment, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, f"{command}\n{done.stderr}"
        assert_prints(done.stdout, printed, command)
