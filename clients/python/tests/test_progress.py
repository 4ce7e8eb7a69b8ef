"""A long walk shows on a terminal how far it is, and nothing where no terminal is."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
import termios
from pathlib import Path

import sankofa_client

PATHS = {**os.environ, "PYTHONPATH": str(Path(sankofa_client.__file__).parents[1])}
WALK = """
import sankofa_client._progress as progress
progress._SECONDS = 0.0
from sankofa_client import Client
client = Client({url!r}, key={key!r})
assert client.tenders(country="KE").to_arrow(most=60).num_rows == 60
assert len(client.tenders(country="KE", limit=20).head(60)) == 60
"""


def walk(demo):
    return [sys.executable, "-c", WALK.format(url=demo.api.url, key=demo.issue("sample").key)]


def test_nothing_is_written_where_no_terminal_is(demo):
    done = subprocess.run(walk(demo), env=PATHS, capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("", "")


def test_a_terminal_sees_the_rows_counted(demo):
    terminal, child = pty.openpty()
    termios.tcsetwinsize(child, (24, 80))
    with subprocess.Popen(walk(demo), env=PATHS, stderr=child, stdout=subprocess.DEVNULL) as walking:
        os.close(child)
        seen = b""
        try:
            while part := os.read(terminal, 4096):
                seen += part
        except OSError:  # how a terminal ends
            pass
    os.close(terminal)
    assert walking.returncode == 0
    assert b"tenders: 25.0 rows" in seen, seen
