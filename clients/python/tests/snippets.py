"""A plain runner: the Python of a page or a notebook, block after block, in one namespace."""

from __future__ import annotations

import contextlib
import io
import json
import re

_PRINTS = "# →"
_BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(page):
    """Return the blocks of Python of a page in Markdown."""
    return _BLOCK.findall(page.read_text(encoding="utf-8"))


def promised(block):
    """Return what a block says it prints: its lines that begin with `# →`."""
    lines = [line[3:].removeprefix(" ") for line in block.splitlines() if line.startswith(_PRINTS)]
    return "".join(f"{line}\n" for line in lines)


def run(block, namespace, name):
    """Run a block and return what it prints."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(block, name, "exec"), namespace)
    return printed.getvalue()


def cells(notebook):
    """Return a notebook as it is stored, and the code of its cells."""
    stored = json.loads(notebook.read_text(encoding="utf-8"))
    return stored, ["".join(cell["source"]) for cell in stored["cells"] if cell["cell_type"] == "code"]
