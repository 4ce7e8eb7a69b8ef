"""The bare engine: pgbench runs the statements of a cell, prepared, with nothing around them.

The statements and their values are recorded while the read of the endpoint runs once for each of some
subjects. Each becomes a script of pgbench, with `:name` for `%(name)s`.
"""

from __future__ import annotations

import asyncio
import re
import resource
import subprocess
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench import processor
from bench.cells import Cell
from bench.sizes import BARE_CLIENTS, BARE_SUBJECTS
from bench.world import Scene
from dev.postgres_programs import programs
from dev.service import Service
from sankofa.access.tiers import Tiers
from sankofa.ask.question import prepare
from sankofa.storage.edition import Edition
from sankofa.storage.reading import Reader, Row

Statement = tuple[str, Mapping[str, object]]
_COMMENT = re.compile(r"^\s*--.*\n", re.MULTILINE)
_VALUE = re.compile(r"%\((\w+)\)s")
_RATE = re.compile(r"^tps = ([0-9.]+)", re.MULTILINE)
_DONE = re.compile(r"^number of transactions actually processed: ([0-9]+)", re.MULTILINE)
_FAILED = re.compile(r"^number of failed transactions: ([0-9]+)", re.MULTILINE)


class _Recorder(Reader):
    """A reader that also keeps what it was asked to run."""

    statements: list[Statement]

    async def fetch(self, query: str, values: Mapping[str, object], *, edition: Edition) -> list[Row]:
        self.statements.append((query, values))
        return await super().fetch(query, values, edition=edition)


@dataclass(frozen=True, slots=True)
class Bare:
    """The result of one run: transactions a second, and the processor time of one transaction."""

    rate: float
    seconds: float


def transactions(scene: Scene, cell: Cell) -> list[list[Statement]]:
    """Return the statements of the cell's requests, one list for each of some subjects."""
    return asyncio.run(_recorded(scene, cell))


async def _recorded(scene: Scene, cell: Cell) -> list[list[Statement]]:
    settings = scene.installation.settings()
    reader = _Recorder(settings.reading())
    await reader.open()
    found = []
    for subject in scene.subjects[:BARE_SUBJECTS]:
        path, query = cell.split(subject)
        question = await prepare(
            cell.endpoint,
            path,
            query,
            tier=Tiers().professional,
            reader=reader,
            keys=settings.cursor_keys(),
        )
        reader.statements = []
        await question.endpoint.read(reader, question.params, question.page)
        found.append(reader.statements)
    await reader.close()
    return found


def run(
    scene: Scene,
    cell: Sequence[Sequence[Statement]],
    seconds: int,
    *,
    mode: str = "prepared",
    pooler: Service | None = None,
    dsn: str = "",
) -> Bare:
    """Run pgbench with the transactions of a cell, in random order, directly or through a pooler."""
    with tempfile.TemporaryDirectory() as folder:
        options: list[str] = []
        for number, statements in enumerate(cell):
            script = Path(folder, f"{number}.sql")
            script.write_text("".join(_script(number, place, *one) for place, one in enumerate(statements)))
            options += ["-f", str(script)]
            for place, (_, values) in enumerate(statements):
                options += _defined(number, place, values)
        load = ["-n", "-M", mode, "-c", str(BARE_CLIENTS), "-j", "1", "-T", str(seconds)]
        command = [str(Path(programs()) / "pgbench"), *load, *options, dsn or scene.installation.dsn("read")]
        services = [scene.installation.stack.postgres, *([pooler] if pooler else [])]
        used = _processor(services)
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        used = _processor(services) - used
    rate, count, failed = (pattern.search(done.stdout) for pattern in (_RATE, _DONE, _FAILED))
    if done.returncode or rate is None or count is None or failed is None or int(failed[1]):
        raise RuntimeError(f"pgbench failed:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return Bare(float(rate[1]), used / int(count[1]))


def _script(number: int, place: int, statement: str, values: Mapping[str, object]) -> str:
    """Return one statement with the names of its variables."""

    def variable(found: re.Match[str]) -> str:
        value = values[found[1]]
        # pgbench has no empty variables, and binds one that is not defined as NULL.
        return "''" if value == "" else f"(:v{number}_{place}_{found[1]}{_cast(value)})"

    body = _VALUE.sub(variable, _COMMENT.sub("", statement)).replace("%%", "%").strip().rstrip(";")
    return f"{body};\n"


def _cast(value: object) -> str:
    """Return the type that the driver declares for a value; a text has none."""
    match value:
        case bool():
            return "::boolean"
        case int():
            return "::integer" if abs(value) < 1 << 31 else "::bigint"
        case list() if value and isinstance(value[0], int):
            return "::bigint[]"
    return ""


def _defined(number: int, place: int, values: Mapping[str, object]) -> list[str]:
    words: list[str] = []
    for name, value in values.items():
        if value is not None and value != "":
            words += ["-D", f"v{number}_{place}_{name}={_text(value)}"]
    return words


def _text(value: object) -> str:
    """Return a value as PostgreSQL reads it."""
    if isinstance(value, list | tuple):
        quoted = ('"' + str(one).replace("\\", "\\\\").replace('"', '\\"') + '"' for one in value)
        return "{" + ",".join(quoted) + "}"
    return str(value)


def _processor(services: Iterable[Service]) -> float:
    """Return the processor time of services and of finished children of this process, pgbench included."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return processor.seconds(*services) + children.ru_utime + children.ru_stime
