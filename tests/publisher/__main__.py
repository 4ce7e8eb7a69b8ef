"""Run the publisher as a process: `python -m publisher --port 0 --days 60 --sources 40 --seed 7`.

The first line of output is JSON: `control` is the address of the control endpoint, `hosts` the address of
each source's server. Run it in `tests`, or with `tests` in PYTHONPATH.
"""

from __future__ import annotations

import argparse
import json
import sys
import threading
from contextlib import ExitStack
from datetime import date

from publisher.control import control
from publisher.server import Publisher
from publisher.world import FIRST_DAY, World


def main():
    parser = argparse.ArgumentParser(prog="publisher", description="An invented publisher to test against.")
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--sources", type=int, default=40)
    parser.add_argument("--days", type=int, default=60, help="days after which the world ends")
    parser.add_argument("--day", type=int, default=0, help="the day on which it starts")
    parser.add_argument("--first-day", type=date.fromisoformat, default=FIRST_DAY, help="the date of day 0")
    parser.add_argument("--hosts", type=int, default=1, help="servers that the sources are spread over")
    parser.add_argument("--port", type=int, default=0, help="of every host; 0 chooses free ones")
    parser.add_argument("--until-closed", action="store_true", help="end when the standard input is closed")
    given = parser.parse_args()
    publisher = Publisher(
        World(given.seed, given.sources, given.days, given.first_day), given.day, given.hosts, given.port
    )
    with ExitStack() as stack:
        publisher.run(stack)
        controls = stack.enter_context(control(publisher))
        print(json.dumps({"control": controls.url, "hosts": publisher.hosts()}), flush=True)
        if given.until_closed:
            sys.stdin.read()
        else:
            threading.Event().wait()


main()
