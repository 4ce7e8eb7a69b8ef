"""The docs site, built by mkdocs, and the files for the root of the service."""

import shutil
import subprocess
import sys
from pathlib import Path

from dev.service import StackError
from dev.stack import ROOT

CONFIG = ROOT / "mkdocs.yml"
AT_ROOT = ROOT / "docs" / "root"
# `docs/root` has a 404 page of its own, and a map of the site would need an address of its own.
_NOT_SERVED = ("404.html", "sitemap.xml", "sitemap.xml.gz")


def build(pages: Path) -> None:
    """Build the site into a folder of pages: under `docs`, and what belongs to its root."""
    site = pages / "docs"
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict", "--site-dir", str(site)]
    done = subprocess.run(
        [*command, "--config-file", str(CONFIG)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise StackError(f"the docs were not built:\n{done.stdout}{done.stderr}")
    for name in _NOT_SERVED:
        (site / name).unlink(missing_ok=True)
    shutil.copytree(AT_ROOT, pages, dirs_exist_ok=True)
