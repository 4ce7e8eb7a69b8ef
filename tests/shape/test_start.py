"""What the API loads at its start: nothing that only writes or reads files in bulk."""

from __future__ import annotations

import subprocess
import sys

BULK = {"duckdb", "pyiceberg", "sqlalchemy", "polars", "pandas"}


def test_the_api_starts_without_what_only_exports_need():
    code = "import sys, sankofa.surfaces.rest; print('\\n'.join(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert not BULK & {name.partition(".")[0] for name in loaded.split()}
