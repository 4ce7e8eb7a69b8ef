"""What every service of the stack can do: start, stop, crash, freeze, thaw, and say why it did not start."""

import functools
import os
import shutil
import signal
import subprocess
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import ClassVar, TypedDict

from dev import process
from dev.ports import OFFSET, is_unused

_POLL_SECONDS = 0.02
_LOG_LINES = 20
# A process that is just ending may hold its port a moment longer.
_PORT_SECONDS = 1.0


class StackError(RuntimeError):
    """The local stack cannot do what was asked; the message says what to change."""


class Identity(TypedDict, total=False):
    """Whom a process runs as, in the words of `subprocess`; empty for ourselves."""

    user: int
    group: int
    extra_groups: list[int]


class Service(ABC):
    """One server process (and its children) with its data under `home`, found again by its command line."""

    program: str
    environment: ClassVar[Mapping[str, str]] = {}
    stop_signal = signal.SIGTERM
    start_seconds = 60.0
    stop_seconds = 60.0

    def __init__(self, home: Path, ports: Mapping[str, int]) -> None:
        """Describe a service; nothing runs and nothing is written before `start`."""
        self.home = home.resolve()
        self.ports = ports

    @property
    @abstractmethod
    def command(self) -> list[str]:
        """The full command; it names `mark`, and differs when the service must be restarted to obey it."""

    @property
    def identity(self) -> Identity:
        """Whom the server runs as."""
        return {}

    @property
    @abstractmethod
    def mark(self) -> str:
        """The argument of `command` that only a process of this home has."""

    @abstractmethod
    def prepare(self) -> None:
        """Make the home ready for the command; called only while nothing of ours runs there."""

    @abstractmethod
    def ready(self) -> bool:
        """Tell whether clients are answered."""

    def tidy(self) -> None:  # noqa: B027 - most services leave nothing behind
        """Remove what the ended server left outside its home."""

    @property
    def name(self) -> str:
        """What people call it: the first of its ports."""
        return next(iter(self.ports))

    @property
    def log(self) -> Path:
        """The file that gets everything the service prints."""
        return self.home / "log"

    @property
    def pid(self) -> int | None:
        """The process id of the server, also when another run started it; None when it does not run."""
        return process.find(self.program, self.mark)

    @property
    def alive(self) -> bool:
        """Whether the server process exists, frozen or not."""
        return self.pid is not None

    def start(self) -> None:
        """Bring the service to answering clients; one that already runs as wanted is kept."""
        pid = self.pid
        if pid is not None and process.command_line(pid) == self.command:
            _thaw(pid)
        else:
            self.stop()
            self._require_ports()
            self.prepare()
            self._launch()
        self._await_ready()

    def stop(self) -> None:
        """End the service in good order, or by force when it takes longer than `stop_seconds`."""
        pid = self.pid
        if pid is None:
            return
        _thaw(pid)
        process.send(pid, self.stop_signal)
        if not self._await_end([pid]):
            self.kill9()

    def destroy(self) -> None:
        """Stop the service and remove its data."""
        self.stop()
        shutil.rmtree(self.home, ignore_errors=True)

    def kill9(self) -> None:
        """End every process of the service at once, as a crash would."""
        pid = self.pid
        if pid is None:
            return
        family = [pid, *process.children(pid)]
        for each in family:
            process.send(each, signal.SIGKILL)
        if not self._await_end(family):
            raise StackError(f"{self.name}: process {pid} outlived SIGKILL")

    def pause(self) -> None:
        """Freeze every process of the service: connections stay open and nobody answers."""
        pid = self._require_pid()
        # The server first: a frozen parent has no new children.
        self._freeze([pid])
        self._freeze(process.children(pid))

    def resume(self) -> None:
        """Thaw what `pause` froze."""
        _thaw(self._require_pid())

    def _freeze(self, pids: list[int]) -> None:
        for pid in pids:
            process.send(pid, signal.SIGSTOP)
        if not wait_until(lambda: all(map(process.is_frozen, pids)), self.stop_seconds):
            raise StackError(f"{self.name}: processes {pids} do not freeze")

    def _launch(self) -> None:
        with self.log.open("wb") as log:
            launched = subprocess.Popen(
                self.command,
                cwd=self.home,
                env={**os.environ, **self.environment},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                # Ctrl-C at the terminal must not reach the services.
                start_new_session=True,
                **self.identity,
            )
        # The service outlives this object and this program; its end is seen in /proc, by whoever looks.
        launched.returncode = 0
        # A program that is just being loaded has no command line yet, and would look gone.
        wait_until(
            lambda: bool(process.command_line(launched.pid)) or process.is_gone(launched.pid),
            self.start_seconds,
        )

    def _await_end(self, pids: list[int]) -> bool:
        ended = wait_until(lambda: all(map(process.is_gone, pids)), self.stop_seconds)
        if ended:
            self.tidy()
        return ended

    def _await_ready(self) -> None:
        pid = self.pid
        ended: Callable[[], bool] = functools.partial(process.is_gone, pid) if pid else lambda: True
        if wait_until(lambda: self.ready() or ended(), self.start_seconds) and self.ready():
            return
        what = f"gave no answer within {self.start_seconds:.0f} s" if self.alive else "ended while starting"
        raise StackError(f"{self.name} {what}; the end of {self.log}:\n{self._log_tail()}")

    def _log_tail(self) -> str:
        if not self.log.exists():
            return "(empty)"
        return "\n".join(self.log.read_text(errors="replace").splitlines()[-_LOG_LINES:])

    def _require_ports(self) -> None:
        for name, port in self.ports.items():
            if not wait_until(functools.partial(is_unused, port), _PORT_SECONDS):
                raise StackError(
                    f"port {port} for {name} is taken by another program: "
                    f"stop that one, or move all ports of this stack, for example with {OFFSET}=100"
                )

    def _require_pid(self) -> int:
        pid = self.pid
        if pid is None:
            raise StackError(f"{self.name} is not running")
        return pid


def _thaw(pid: int) -> None:
    for each in (*process.children(pid), pid):
        process.send(each, signal.SIGCONT)


def wait_until(condition: Callable[[], bool], seconds: float) -> bool:
    """Wait for a condition to hold; tell whether it did before the time was over."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(_POLL_SECONDS)
    return True
