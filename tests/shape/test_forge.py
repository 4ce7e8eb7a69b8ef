"""The files for a public forge agree with the project: they run commands and name files that exist."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
import tomllib

import pytest
import yaml

from support.repository import ROOT, files, told

FORGE = ROOT / ".github"
WORKFLOWS = sorted((FORGE / "workflows").glob("*.yml"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
TARGETS = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
MANIFESTS = {
    "pip": "pyproject.toml",
    "npm": "package.json",
    "docker": "Dockerfile",
    "docker-compose": "compose.yaml",
    "github-actions": ".github/workflows",
}


def read(path):
    loaded = yaml.safe_load(path.read_text(encoding="utf-8"))
    return {
        ("on" if key is True else key): value for key, value in loaded.items()
    }  # YAML 1.1 reads `on` as true


def jobs(workflow):
    return read(workflow)["jobs"].items()


def steps(workflow):
    return [step for _, job in jobs(workflow) for step in job["steps"]]


@pytest.mark.parametrize(
    ("schema", "paths"),
    [
        ("vendor.github-workflows", WORKFLOWS),
        ("vendor.dependabot", [FORGE / "dependabot.yml"]),
    ],
)
def test_files_of_the_forge_are_valid_by_its_schemas(schema, paths):
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, *map(str, paths)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=told)
def test_a_workflow_has_the_rights_it_needs_and_an_end(workflow):
    assert read(workflow).keys() >= {"name", "on", "permissions", "jobs"}
    assert read(workflow)["permissions"] == {"contents": "read"}
    for name, job in jobs(workflow):
        assert job.keys() >= {"runs-on", "timeout-minutes", "steps"}, name
        assert not job["runs-on"].endswith("latest"), name


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=told)
def test_a_step_runs_something_or_uses_a_version_of_something(workflow):
    for step in steps(workflow):
        assert ("run" in step) != ("uses" in step), step
        if "uses" in step:
            assert re.fullmatch(r"[\w-]+/[\w./-]+@v\d+", step["uses"]), step
        # What a caller can choose, such as the name of a branch, enters a script as a variable.
        assert "${{" not in step.get("run", ""), step


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=told)
def test_commands_of_a_workflow_exist(workflow):
    for script in (step["run"] for step in steps(workflow) if "run" in step):
        for words in map(shlex.split, re.findall(r"^(?:make|\.ci/)\S*.*$", script, re.MULTILINE)):
            assert words[1] in TARGETS if words[0] == "make" else (ROOT / words[0]).is_file(), words
        for lock in re.findall(r"--requirement (\S+)", script):
            assert (ROOT / lock).is_file()


def test_the_short_loop_runs_on_every_python_that_is_supported():
    (quick,) = (job for _, job in jobs(FORGE / "workflows" / "check.yml") if "strategy" in job)
    versions = quick["strategy"]["matrix"]["python"]
    assert f">={versions[0]}" == PROJECT["requires-python"]
    named = [line.rsplit(" ")[-1] for line in PROJECT["classifiers"] if re.search(r":: 3\.\d+$", line)]
    assert versions == named


def test_dependency_updates_name_folders_that_have_something_to_update():
    for update in read(FORGE / "dependabot.yml")["updates"]:
        for folder in update.get("directories", [update.get("directory")]):
            assert (ROOT / folder.lstrip("/") / MANIFESTS[update["package-ecosystem"]]).exists(), update
    npm = {f"/{told(path.parent)}" for path in files() if path.name == "package-lock.json"}
    tests = {folder for folder in npm if folder.startswith("/tests/")}  # tools of tests, updated with them
    (listed,) = (
        set(u["directories"]) for u in read(FORGE / "dependabot.yml")["updates"] if "directories" in u
    )
    assert listed == npm - tests


def test_issue_forms_ask_for_something_and_say_what():
    forms = [path for path in (FORGE / "ISSUE_TEMPLATE").glob("*.yml") if path.name != "config.yml"]
    assert forms
    for form in forms:
        fields = read(form)
        assert fields.keys() >= {"name", "description", "body"}
        ids = [part["id"] for part in fields["body"] if part["type"] != "markdown"]
        assert len(ids) == len(set(ids)) > 0
        for part in fields["body"]:
            assert part["type"] in {"markdown", "input", "textarea"}
            assert part["attributes"].get("value" if part["type"] == "markdown" else "label")


def test_code_owners_own_files_that_exist():
    names = [told(path) for path in files()]
    for line in (FORGE / "CODEOWNERS").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            pattern, *owners = line.split()
            assert owners
            prefix = pattern.strip("/*")
            assert any(name.startswith(prefix) for name in names), pattern


def test_hooks_run_programs_that_setup_installs():
    hooks = read(ROOT / ".pre-commit-config.yaml")["repos"][0]["hooks"]
    for hook in hooks:
        assert (ROOT / shlex.split(hook["entry"])[0]).exists(), hook


def test_the_citation_is_of_this_version():
    cited = read(ROOT / "CITATION.cff")
    assert cited.keys() >= {"cff-version", "message", "title", "authors"}
    assert (cited["version"], cited["license"]) == (PROJECT["version"], PROJECT["license"])
    heading = f"## [{cited['version']}] - {cited['date-released']}"
    assert heading in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").splitlines()


def test_the_development_container_runs_setup():
    container = json.loads((ROOT / ".devcontainer" / "devcontainer.json").read_text(encoding="utf-8"))
    assert shlex.split(container["postCreateCommand"])[1] in TARGETS
