"""The bare engine: pgbench runs the endpoint's own statement, prepared, with nothing around it.

The text is the service's, with `:name` for `%(name)s`. A variable that is not defined is bound as NULL.
Only the issuer is drawn by number, from a small table: one index look-up more than the service asks for.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from pathlib import Path

from bench.world import AS_OF, PERIOD_TYPE, Scene
from dev.postgres import programs
from sankofa.ask.question import WHOLE
from sankofa.storage.queries import named

_ISSUER = "(SELECT issuer.service_id FROM bench.issuer AS issuer WHERE issuer.number = :number)"
_RATE = re.compile(r"^tps = ([0-9.]+)", re.MULTILINE)
_FAILED = re.compile(r"^number of failed transactions: ([0-9]+)", re.MULTILINE)


def script(scene: Scene) -> str:
    """Return what one transaction of pgbench is."""
    statement = named("sankofa.fundamentals")["facts_of_issuer"]
    body = re.sub(r"^--.*\n", "", statement, flags=re.MULTILINE).replace("%(service_id)s", _ISSUER)
    bound = re.sub(r"%\((\w+)\)s", r":\1", body)
    return f"\\set number random(1, {len(scene.issuers)})\n{bound};\n"


def transactions_per_second(scene: Scene, clients: int, seconds: int) -> float:
    """Run pgbench for some seconds with so many connections."""
    values = {
        "edition": scene.edition,
        "as_of": AS_OF,
        "period_type": PERIOD_TYPE,
        "vintages": "latest",
        "rows": WHOLE + 1,
    }
    with tempfile.NamedTemporaryFile("w", suffix=".sql") as file:
        file.write(script(scene))
        file.flush()
        defined = [word for name, value in values.items() for word in ("-D", f"{name}={value}")]
        load = ["-n", "-M", "prepared", "-c", str(clients), "-j", "1", "-T", str(seconds)]
        command = [str(Path(programs()) / "pgbench"), *load, *defined, "-f", file.name]
        dsn = scene.installation.dsn("read")
        done = subprocess.run([*command, dsn], capture_output=True, text=True, check=False)
    rate, failed = _RATE.search(done.stdout), _FAILED.search(done.stdout)
    if done.returncode or rate is None or failed is None or int(failed[1]):
        raise RuntimeError(f"pgbench failed:\n{done.stdout}{done.stderr}")
    return float(rate[1])
