"""The measured servers: one worker for each that a kind of answer needs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager

from bench.cells import Answered
from dev.installation import Api, Installation
from dev.ports import unused_ports

# What a server keeps: nothing, rows of facts, or as by default.
_NOTHING = {"SANKOFA_CACHE_BYTES": "0", "SANKOFA_KEPT_ROWS": "0"}
_ROWS = {"SANKOFA_CACHE_BYTES": "0"}
KEEPING: Mapping[Answered, dict[str, str]] = {"uncached": _NOTHING, "rows kept": _ROWS, "hit": {}, "304": {}}
Servers = Mapping[Answered, Api]


@contextmanager
def running(installation: Installation) -> Iterator[Servers]:
    """Run all side by side: an idle one costs a poll a second."""
    ports = unused_ports()
    servers: dict[Answered, Api] = {}
    with ExitStack() as stopping:
        for answered in ("uncached", "rows kept", "hit"):
            servers[answered] = installation.api(next(ports), environment=KEEPING[answered])
            stopping.callback(servers[answered].stop)
            servers[answered].start()
        yield {**servers, "304": servers["hit"]}
