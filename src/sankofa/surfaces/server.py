"""The HTTP server: granian with deadlines, one shared socket, a watchdog, reload and drain.

granian gives each worker a listening socket of its own. A connection that waits in the queue of a worker then
waits for that worker alone: it is lost if the worker crashes, and held if the worker hangs. With one socket,
which the server process keeps open, whichever worker runs accepts it.
"""

from __future__ import annotations

import functools
import gc
import importlib
import resource
import socket
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import structlog
from granian.constants import HTTPModes, Interfaces, Loops
from granian.http import HTTP1Settings
from granian.server.mp import MPServer, WorkerProcess
from starlette.types import ASGIApp

from sankofa.surfaces.monitoring.exporter import Address, exported
from sankofa.surfaces.monitoring.server import ApiMetrics
from sankofa.surfaces.supervision import BEAT_SECONDS, START_SECONDS, Supervision

# For the head of a request, counted from the connection's begin or from the end of the request before.
HEAD_SECONDS = 10
LARGEST_HEAD = 64 << 10
# Connections that a worker holds at once; further ones wait in the queue. An idle one costs about 10 KB.
CONNECTIONS = 8_192
# Files that a worker opens beside its connections: stores, pages, logs.
_OTHER_FILES = 256
QUEUE = 4_096
# The kernel disconnects a caller that reads nothing of an answer for this long.
UNREAD_SECONDS = 15
# For running requests to finish when the service stops.
FINISH_SECONDS = 15
_LOOK_SECONDS = 0.05
Target = Callable[..., Any]
_log = structlog.get_logger()


class Server(MPServer):
    """The service on one address. `run` returns when it was stopped."""

    def __init__(
        self,
        host: str,
        port: int,
        workers: int,
        *,
        drain_seconds: float,
        pid_file: Path | None,
        metrics: Address | None = None,
    ) -> None:
        super().__init__(
            "sankofa.surfaces.rest:create",
            address=host,
            port=port,
            workers=workers,
            interface=Interfaces.ASGI,
            loop=Loops.uvloop,
            http=HTTPModes.http1,  # the other mode waits without a deadline for the first byte
            http1_settings=HTTP1Settings(
                header_read_timeout=HEAD_SECONDS * 1_000, max_buffer_size=LARGEST_HEAD
            ),
            websockets=False,
            backlog=QUEUE,
            backpressure=_connections(),
            respawn_failed_workers=True,
            workers_kill_timeout=FINISH_SECONDS,
            pid_file=pid_file,
        )
        self._drain_seconds = drain_seconds
        self._supervision = Supervision(self.workers)
        self._exported_at = metrics
        self._starts = 0

    def run(self) -> None:
        """Serve, and export metrics if there is an address for them, until the process gets a stop signal."""
        if self._exported_at is None:
            self._run(None)
            return
        metrics = ApiMetrics(lambda: self._starts)
        try:
            with exported(self._exported_at, metrics):
                self._run(metrics.folder)
        finally:
            metrics.close()

    def _run(self, snapshots: Path | None) -> None:
        loader = functools.partial(_application, self._supervision, snapshots)
        self.serve(target_loader=loader, wrap_loader=False)

    def startup(self, spawn_target: Target, target_loader: Target) -> None:
        """Start the workers and the watchdog."""
        super().startup(spawn_target, target_loader)  # type: ignore[no-untyped-call]
        threading.Thread(target=self._watch, daemon=True).start()

    def shutdown(self, exit_code: int = 0) -> None:
        """Fail `/ready` and `/health` for the drain time, then finish running requests and stop."""
        self._supervision.stop()
        time.sleep(self._drain_seconds)
        super().shutdown(exit_code)  # type: ignore[no-untyped-call]

    def _reload(self, spawn_target: Target, target_loader: Target) -> None:
        """Replace the workers one after the other by new ones, which reload the settings."""
        self.reload_signal = False
        self.main_loop_interrupt.clear()
        for index in range(self.workers):
            if not self._replace(index, spawn_target, target_loader):
                _log.error("a new worker did not start, the old ones stay", worker=index + 1)
                return
        _log.info("workers replaced", workers=self.workers)

    def _replace(self, index: int, spawn_target: Target, target_loader: Target) -> bool:
        """Start a worker and stop its predecessor once the new one runs; return whether it runs."""
        old: Any = self.wrks[index]
        self._supervision.replace(index, old.inner.pid)
        new: Any = self._spawn_worker(index, spawn_target, target_loader)
        new.interrupt_by_parent = True  # a worker that does not start is no crash: the old one still answers
        new.start()
        last = time.monotonic() + START_SECONDS
        while new.is_alive() and not self._supervision.has_begun(index) and time.monotonic() < last:
            time.sleep(_LOOK_SECONDS)
        if not self._supervision.has_begun(index):
            new.kill()
            self._supervision.replace(index, None)
            return False
        new.interrupt_by_parent = False
        self.wrks[index] = new
        old.terminate()
        old.join(FINISH_SECONDS)
        old.kill()
        return True

    def _init_shared_socket(self) -> None:
        super()._init_shared_socket()  # type: ignore[no-untyped-call]
        specified: Any = self._ssp
        self._ssp, shared = None, specified.build()
        self._shd, self._sfd = shared, shared.get_fd()
        self._sso = socket.socket(fileno=self._sfd)
        # Connections inherit it.
        self._sso.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNREAD_SECONDS * 1_000)
        self._sso.listen(self.backlog)

    def _spawn_worker(  # type: ignore[override]  # the base class declares another list than it passes
        self, idx: int, target: Target, callback_loader: Target
    ) -> WorkerProcess:
        self._supervision.start(idx)
        self._starts += 1
        return super()._spawn_worker(idx, target, functools.partial(callback_loader, idx))

    def _watch(self) -> None:
        """Kill hanging workers, so that the server replaces them; none right after this process hung."""
        checked_at = time.monotonic()
        while not self._supervision.is_stopping:
            time.sleep(BEAT_SECONDS)
            previous, checked_at = checked_at, time.monotonic()
            if checked_at - previous > 2 * BEAT_SECONDS:
                continue
            silent = self._supervision.silent()
            for worker in [each for each in self.wrks if each.idx in silent]:
                _log.error("worker hangs and is replaced", worker=worker.idx + 1)
                self._supervision.start(worker.idx)
                worker.inner.kill()


def _application(supervision: Supervision, snapshots: Path | None, worker: int) -> ASGIApp:
    """Load the application, in the worker: Arrow starts a thread when loaded, and a fork copies none."""
    gc.disable()  # loaded modules stay: scanning them in every collection costs a fifth of the time
    rest = importlib.import_module("sankofa.surfaces.rest")
    application: ASGIApp = rest.create(supervision, worker, snapshots)
    gc.freeze()
    gc.enable()
    return application


def _connections() -> int:
    """Return how many connections a worker can hold, with as many files as the system permits."""
    wanted = CONNECTIONS + _OTHER_FILES
    permitted, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if permitted < wanted:
        permitted = min(wanted, most)
        resource.setrlimit(resource.RLIMIT_NOFILE, (permitted, most))
    return min(CONNECTIONS, permitted - _OTHER_FILES)
