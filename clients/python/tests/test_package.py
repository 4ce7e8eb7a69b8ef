"""The package as it is installed: typed, whole, and dependent on two others only."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from email.parser import Parser
from pathlib import Path

from sankofa_client._conversation import _AGENT

FOLDER = Path(__file__).parents[1]


def test_a_wheel_holds_all_of_it_and_needs_two_packages(tmp_path):
    source = shutil.copytree(
        FOLDER, tmp_path / "source", ignore=shutil.ignore_patterns("__pycache__", "tests")
    )
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(command, cwd=source, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as packed:
        names = {name for name in packed.namelist() if ".dist-info/" not in name}
        (told,) = (name for name in packed.namelist() if name.endswith("METADATA"))
        described = Parser().parsestr(packed.read(told).decode())
    modules = {path.relative_to(FOLDER / "src").as_posix() for path in (FOLDER / "src").rglob("*.py")}
    assert names == {*modules, "sankofa_client/py.typed"}
    needed = [each for each in described.get_all("Requires-Dist") if "extra ==" not in each]
    assert sorted(each.partition(">")[0] for each in needed) == ["httpx", "msgspec"]
    assert f"sankofa-client/{described['Version']}" == _AGENT
    assert described.get_all("Provides-Extra") == ["arrow", "lake", "pandas", "polars", "verify"]


def test_it_does_not_import_what_it_does_not_need():
    script = (
        "import sys, sankofa_client; print(*{'pyarrow', 'polars', 'pandas', 'sankofa'} & set(sys.modules))"
    )
    path = {**os.environ, "PYTHONPATH": str(FOLDER / "src")}
    done = subprocess.run(
        [sys.executable, "-c", script], env=path, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == ""
