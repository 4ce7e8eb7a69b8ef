"""The bill of materials and the licence texts cover what the image ships."""

from __future__ import annotations

import json
import re
from importlib.metadata import PackageNotFoundError, version

import pytest

from dev import inventory
from support.repository import ROOT

pytestmark = pytest.mark.heavy


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    folder = tmp_path_factory.mktemp("inventory")
    inventory.write(folder)
    bill = json.loads((folder / inventory.BILL).read_bytes())
    return bill, (folder / inventory.TEXTS).read_text(encoding="utf-8")


def normal(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def installed_versions():
    for name in inventory.locked_names():
        try:
            yield normal(name), version(name)
        except PackageNotFoundError:
            assert name in {"async-timeout", "httpx2-jsfetch", "pywin32"}  # of other platforms


def test_every_locked_package_is_in_the_bill_with_its_version_and_licence(written):
    bill, _ = written
    parts = {normal(one["name"]): one for one in bill["components"]}
    for name, installed in installed_versions():
        assert parts[name]["version"] == installed
        assert parts[name]["licenses"], name
        assert f"{name}=={installed}" in normal_lock()
    assert "mkdocs-material" in parts
    assert (bill["bomFormat"], bill["metadata"]["component"]["name"]) == ("CycloneDX", "sankofa")


def normal_lock():
    lines = (ROOT / "requirements.lock").read_text(encoding="utf-8").splitlines()
    pins = (re.match(r"([\w.-]+)(?:\[[^\]]*\])?==([^ ;\\]+)", line) for line in lines)
    return {f"{normal(pin[1])}=={pin[2]}" for pin in pins if pin}


def test_every_part_has_its_licence_text_but_one_that_ships_none(written):
    _, texts = written
    sections = texts.split(f"\n\n{'=' * 80}\n\n")
    without = [section.split()[0] for section in sections if section.strip().endswith("no licence text.")]
    assert without == ["obstore"]
    for name in ("psycopg", "pycountry", "python-stdnum"):  # the LGPL asks for its text
        (section,) = (each for each in sections if each.startswith(f"{name} "))
        assert "GNU LESSER GENERAL PUBLIC LICENSE" in section.upper()
    assert len(sections) > len(list(installed_versions()))
