"""Run a statement of the API as the API does, and look at its plan."""

from __future__ import annotations

import json
import re
import time
from types import SimpleNamespace

from sankofa.storage.postgres import sql
from sankofa.storage.reading import SESSION

_NAMED = re.compile(r"%\((\w+)\)s")


def reading(connection):
    """Set a connection as the API sets its own; plans are those made without knowing any value."""
    for option in SESSION.removeprefix("-c ").split(" -c "):
        connection.execute(f"SET {option}")
    connection.execute("SET plan_cache_mode = force_generic_plan")


def run(connection, statement, asked):
    """Run a statement as the API does, by its general plan; return its rows, its plan and milliseconds."""
    names = list(dict.fromkeys(_NAMED.findall(statement)))
    numbered = _NAMED.sub(lambda found: f"${names.index(found[1]) + 1}", statement)
    connection.execute(f"PREPARE asked AS {numbered}")
    values = sql.SQL(", ").join(sql.Literal(asked[name]) for name in names)
    execute = sql.SQL("EXECUTE asked ({})").format(values)
    spent = []
    for _ in range(20):
        began = time.perf_counter()
        rows = connection.execute(execute).fetchall()
        spent.append(1_000 * (time.perf_counter() - began))
    ((told,),) = connection.execute(sql.SQL("EXPLAIN (ANALYZE, FORMAT JSON) ") + execute).fetchall()
    connection.execute("DEALLOCATE asked")
    plan = (told if isinstance(told, list) else json.loads(told))[0]["Plan"]
    return SimpleNamespace(rows=rows, nodes=list(nodes(plan)), spent=spent)


def nodes(node):
    """Yield a node of a plan, and all below it."""
    yield node
    for inner in node.get("Plans", ()):
        yield from nodes(inner)
