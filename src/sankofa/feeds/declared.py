"""The present source declarations. Files are reread only if one of them has changed."""

from __future__ import annotations

import os
from collections.abc import Mapping

from sankofa.ingest.source import Source
from sankofa.ingest.sources import sources

_Seen = frozenset[tuple[str, int, int, int]]  # of each file: name, inode, size, time of its last change


class Declared:
    """The sources of the package and of the operator's folder. Thread-safe."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._read: tuple[_Seen, Mapping[str, Source]] | None = None

    def __call__(self) -> Mapping[str, Source]:
        """Return all sources by name. Raise if a declaration in the folder is wrong."""
        seen = self._seen()
        if self._read is None or self._read[0] != seen:
            self._read = seen, sources(self._folder)
        return self._read[1]

    def _seen(self) -> _Seen:
        if not self._folder or not os.path.isdir(self._folder):  # noqa: PTH112 - asked every second
            return frozenset()
        with os.scandir(self._folder) as files:
            found = [(file.name, file.stat()) for file in files if file.name.endswith(".toml")]
        return frozenset((name, one.st_ino, one.st_size, one.st_mtime_ns) for name, one in found)
