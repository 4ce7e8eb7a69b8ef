"""A child process that reads parts of an archive. Its job is one line on standard input.

It ends when no part is left, when it is stopped, and after its part if its parent process is gone. A part
that it cannot read is left to the parent, which reports the reason.
"""

from __future__ import annotations

import select
import sys

import msgspec

from sankofa.ingest.part import work_off
from sankofa.ingest.parts import Job
from sankofa.storage.postgres import connect


def main() -> None:
    """Read parts until none is left."""
    job = msgspec.json.decode(sys.stdin.buffer.readline(), type=Job)
    with connect(job.dsn) as connection:
        work_off(connection, job.reading(), _is_input_open)


def _is_input_open() -> bool:
    return not select.select([sys.stdin], [], [], 0)[0]


if __name__ == "__main__":
    try:
        main()
    except Exception as failed:
        sys.exit(f"a process that helps to read an archive ended: {type(failed).__name__}")
