"""The wheels hold what an installation needs: built here, installed from files into a fresh environment."""

from __future__ import annotations

import subprocess
import sys
import sysconfig

import pytest

from sankofa.ingest.sources import sources
from support.repository import ROOT

PROJECTS = {"sankofa": ROOT, "sankofa_client": ROOT / "clients" / "python"}


def output(*command, cwd=ROOT):
    done = subprocess.run([*map(str, command)], cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def environment(tmp_path_factory):
    """Return the folder of programs of an environment that has both wheels.

    Third parties come from this environment by a path. Such a path brings no editable project with it, so
    whatever is imported of ours is in the wheels.
    """
    folder = tmp_path_factory.mktemp("wheels")
    for project in PROJECTS.values():
        output(
            sys.executable,
            "-m",
            "hatchling",
            "build",
            "--target",
            "wheel",
            "--directory",
            folder,
            cwd=project,
        )
    output(sys.executable, "-m", "venv", "--without-pip", folder / "venv")
    python = folder / "venv" / "bin" / "python"
    wheels = sorted(folder.glob("*.whl"))
    assert [wheel.name.split("-")[0] for wheel in wheels] == sorted(PROJECTS)
    output(sys.executable, "-m", "pip", "--python", python, "install", "--no-deps", "--no-index", *wheels)
    (site,) = folder.glob("venv/lib/python*/site-packages")
    (site / "third_parties.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return python.parent


def test_the_command_line_is_installed_with_its_version(environment):
    assert output(environment / "sankofa", "--version").split()[0] == "sankofa"


def test_the_service_is_imported_from_its_wheel_with_all_its_files(environment):
    script = "import sankofa, pathlib; print(pathlib.Path(sankofa.__file__).parent)"
    package = output(environment / "python", "-c", script, cwd=environment).strip()
    assert package.startswith(str(environment.parent))
    listed = output(environment / "sankofa", "sources", cwd=environment).splitlines()
    assert [line.split()[0] for line in listed] == [*sources()]
    for pattern in ("**/*.sql", "**/*.toml", "**/*.csv", "**/*.lua"):
        ours = (ROOT / "src" / "sankofa").glob(pattern)
        missing = [
            file
            for file in ours
            if not (environment / package / file.relative_to(ROOT / "src" / "sankofa")).exists()
        ]
        assert missing == []


def test_the_client_is_imported_from_its_wheel(environment):
    script = "import sankofa_client as c; print(c.__file__); c.Client; c.AsyncClient"
    assert output(environment / "python", "-c", script, cwd=environment).startswith(str(environment.parent))
