"""What the image is made of: a bill of materials (CycloneDX) and the licence texts of all third parties."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import Any, NamedTuple

from dev.stack import ROOT

FOLDER = ROOT / "dist"
BILL, TEXTS = "sbom.cdx.json", "THIRD_PARTY_LICENSES.txt"
_LOCKED = re.compile(r"^([\w.-]+)(?:\[[^\]]*\])?==", re.MULTILINE)
_LICENCE_FILE = re.compile(r"licen[cs]e|copying|notice", re.IGNORECASE)
_PAGES = ("mkdocs-material",)  # not imported when the service runs, but its assets are in the docs
# Packages without a licence file of their own, and the package under whose text they are published.
_SAME_TEXT = {"duckdb-extension-postgres-scanner": "duckdb"}
_WITHOUT_TEXT = "The package contains no licence text."


class Part(NamedTuple):
    """A third-party package in the image."""

    name: str
    version: str
    licence: str
    texts: tuple[str, ...]


def write(folder: Path = FOLDER) -> list[Part]:
    """Write the bill of materials and the licence texts; return the parts."""
    folder.mkdir(parents=True, exist_ok=True)
    parts = sorted(_python_parts(), key=lambda part: part.name.lower())
    (folder / BILL).write_text(json.dumps(_bill(parts), indent=2) + "\n", encoding="utf-8")
    sections = (
        "\n\n".join([f"{part.name} {part.version}\nLicence: {part.licence}", *part.texts]) for part in parts
    )
    (folder / TEXTS).write_text(f"\n\n{'=' * 80}\n\n".join(sections) + "\n", encoding="utf-8")
    return parts


def locked_names() -> list[str]:
    """Return the packages that `requirements.lock` names."""
    return _LOCKED.findall((ROOT / "requirements.lock").read_text(encoding="utf-8"))


def _python_parts() -> Iterator[Part]:
    for name in (*locked_names(), *_PAGES):
        try:
            found = distribution(name)
        except PackageNotFoundError:  # locked for another platform
            continue
        texts = tuple(_texts(_SAME_TEXT.get(name, name)))
        yield Part(found.name, found.version, _licence(found), texts or (_WITHOUT_TEXT,))


def _licence(found: Distribution) -> str:
    """Return the licence that a package declares: an SPDX expression, or else its classifier."""
    classifiers = [
        line.rpartition(" :: ")[2]
        for line in found.metadata.get_all("Classifier", [])
        if line.startswith("License :: ")
    ]
    expressions = found.metadata.get_all("License-Expression", [])
    named = [text.partition("\n")[0] for text in found.metadata.get_all("License", [])]
    return " AND ".join(expressions or classifiers or named)


def _texts(name: str) -> Iterator[str]:
    for file in distribution(name).files or ():
        if ".dist-info" in str(file) and _LICENCE_FILE.search(file.name):
            yield file.read_text(encoding="utf-8").strip()


def _bill(parts: list[Part]) -> dict[str, Any]:
    """Return what CycloneDX finds of these parts in this environment."""
    command = [sys.executable, "-m", "cyclonedx_py", "environment", "--output-reproducible", "--of", "JSON"]
    options = ["--pyproject", str(ROOT / "pyproject.toml"), sys.executable]
    made = subprocess.run([*command, *options], capture_output=True, check=True)
    bill: dict[str, Any] = json.loads(made.stdout)
    shipped = {part.name for part in parts}
    bill["components"] = [one for one in bill["components"] if one["name"] in shipped]
    known = {one["bom-ref"] for one in bill["components"]} | {bill["metadata"]["component"]["bom-ref"]}
    bill["dependencies"] = [
        {**one, "dependsOn": [ref for ref in one.get("dependsOn", ()) if ref in known]}
        for one in bill["dependencies"]
        if one["ref"] in known
    ]
    return bill
