"""How many pages of a screen the service answers, as a ratio to the bare engine, and what absences cost."""

from __future__ import annotations

import random
import re
import subprocess
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import date, timedelta
from pathlib import Path

from audit.client import Client
from dev.postgres_programs import programs
from sankofa.metrics.rank import EVERYWHERE, ranking
from sankofa.storage.queries import named

_CLIENTS = 4  # as many as a worker has connections to PostgreSQL
_FIRST_DAY = date(2008, 1, 1)
_DAYS = 6_000
_ROWS = 50
_COMMENT = re.compile(r"^--.*\n", re.MULTILINE)
_RATE = re.compile(r"^tps = ([0-9.]+)", re.MULTILINE)


def throughput(service, metric, requests, seed):
    """Print the rate of pages over HTTP, of random days, between two runs of pgbench with the same SQL."""
    seconds = max(2, requests // 200)
    before = bare(service, metric, seconds)
    rate = served(service, requests, seed, metric=metric, limit=_ROWS)
    after = bare(service, metric, seconds)
    with_absences = served(service, requests // 10, seed, metric=metric, limit=_ROWS, absent="true")
    print(
        f"over HTTP {rate:,.0f} pages/s, pgbench {before:,.0f} and {after:,.0f}: ratio"
        f" {2 * rate / (before + after):.2f}; with absences {with_absences:,.0f} pages/s"
    )


def served(service, requests, seed, **asked):
    """Return pages a second from one worker over a few connections."""
    rng = random.Random(seed)
    days = [_FIRST_DAY + timedelta(days=rng.randrange(_DAYS)) for _ in range(requests)]
    orders = [rng.choice(("asc", "desc")) for _ in days]
    clients = [Client(service) for _ in range(_CLIENTS)]

    def ask(number):
        for place in range(number, requests, _CLIENTS):
            question = {**asked, "as_of": days[place], "order": orders[place]}
            status, body = clients[number].get("/v1/screen", question)
            assert status == 200, body

    clients[0].get("/v1/screen", asked)
    began = time.perf_counter()
    with ThreadPoolExecutor(_CLIENTS) as pool:
        list(pool.map(ask, range(_CLIENTS)))
    rate = requests / (time.perf_counter() - began)
    for client in clients:
        client.connection.close()
    return rate


def bare(service, metric, seconds):
    """Return transactions a second of pgbench: the page's two statements as one, prepared, of random days."""
    served_rows = named("sankofa.metrics")["served_rows"]
    with tempfile.TemporaryDirectory() as folder:
        scripts = []
        for order in ("desc", "asc"):
            placed = f"ARRAY(SELECT page.row_id FROM ({ranking(order, None)}) AS page)"
            statement = _COMMENT.sub("", served_rows.replace("%(row_ids)s::bigint[]", placed))
            for name, value in {
                "day": f"(date '{_FIRST_DAY}' + :number::int)",
                "year": f"extract(YEAR FROM date '{_FIRST_DAY}' + :number::int)::int",
                "metric": f"'{metric}'",
                "country": f"'{EVERYWHERE}'",
                "edition": "1",
                "as_known": "FALSE",
                "oldest": "date '-infinity'",
                "rows": f"{_ROWS + 1}",
            }.items():
                statement = statement.replace(f"%({name})s", value)
            statement = re.sub(r"%\(\w+\)s", "NULL", statement)
            file = Path(folder, f"{order}.sql")
            file.write_text(f"\\set number random(0, {_DAYS - 1})\n{statement}\n")
            scripts += ["-f", str(file)]
        load = ["-n", "-M", "prepared", "-c", str(_CLIENTS), "-j", "1", "-T", str(seconds)]
        command = [str(Path(programs()) / "pgbench"), *load, *scripts, service.installation.dsn("read")]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    rate = _RATE.search(done.stdout)
    assert done.returncode == 0, done.stderr
    assert rate is not None
    assert "number of failed transactions: 0" in done.stdout, done.stdout
    return float(rate[1])
