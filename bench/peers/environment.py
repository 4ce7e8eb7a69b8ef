"""The virtual environment of the peers, made on demand from their own lock file."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path

from dev.stack import ROOT

LOCK = Path(__file__).with_name("requirements.lock")
_FOLDER = ROOT / ".local" / "bench-peers"


def python() -> Path:
    """Return the interpreter of the environment. Install the locked packages if they are not there."""
    interpreter, mark = _FOLDER / "bin" / "python", _FOLDER / "installed"
    wanted = hashlib.sha256(LOCK.read_bytes()).hexdigest()
    if not mark.exists() or mark.read_text() != wanted:
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(_FOLDER)], check=True)
        install = ["-m", "pip", "install", "--quiet", "--require-hashes", "--requirement", str(LOCK)]
        subprocess.run([str(interpreter), *install], check=True)
        mark.write_text(wanted)
    return interpreter
