"""The examples of a page: fenced blocks with a language, run as a reader would run them.

`console` is a terminal: what begins with `$ ` is a command, up to where a shell would run it, and what
follows is what it prints. `python` blocks of a page share their names, and a `text` block after one is what
it prints. `json` is a message or a configuration of MCP, `http` a request. In what is printed, `…` stands for
anything, and white space does not count.
"""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass

_FENCE = re.compile(r"^( *)```([a-z]*)\n(.*?)^\1```$", re.DOTALL | re.MULTILINE)
LANGUAGES = {"console", "python", "text", "json", "json5", "http", "typescript"}
WRITTEN = "http://127.0.0.1:8080"


@dataclass(frozen=True)
class Block:
    """One fenced block, with the line it begins on."""

    language: str
    text: str
    line: int


def blocks(page):
    text = page.read_text(encoding="utf-8")
    return [
        Block(
            found[2],
            re.sub(rf"^{found[1]}", "", found[3], flags=re.MULTILINE),
            text[: found.start()].count("\n") + 1,
        )
        for found in _FENCE.finditer(text)
    ]


def commands(block):
    """Yield each command of a terminal with what the page says that it prints."""
    for told in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
        lines = told.splitlines()
        length = next(n for n in range(1, len(lines) + 1) if _is_whole("\n".join(lines[:n])))
        yield "\n".join(lines[:length]), "\n".join(lines[length:])


def _is_whole(command):
    """Tell whether a shell would begin to run this."""
    if command.endswith("\\"):
        return False
    return subprocess.run(["bash", "-n", "-c", command], capture_output=True, check=False).returncode == 0


def assert_prints(actual, told, where):
    squeezed = re.sub(r"\s+", "", actual)
    pattern = ".*?".join(re.escape(re.sub(r"\s+", "", part)) for part in told.split("…"))
    assert re.fullmatch(pattern, squeezed, re.DOTALL), f"{where} prints:\n{actual[:3000]}"
