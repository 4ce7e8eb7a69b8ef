"""Folders for SANKOFA_SOURCES in which a worker finds nothing due but what the folder itself declares.

Tests and `make live` run real workers. Those must not fetch the real sources of the package.
"""

from pathlib import Path

from sankofa.ingest.sources import sources


def silence(folder: Path) -> None:
    """Write a file for each source of the package that is due by itself; the file says that it is not."""
    for name, known in sources().items():
        if known.due:
            (folder / f"{name}.toml").write_text("due = false\n", encoding="utf-8")
