"""How a command of an operator runs beside an installation, without a port, until it is stopped."""

import sys
from collections.abc import Mapping
from pathlib import Path

from dev.installation import Installation, command
from dev.service import Service


class Background(Service):
    """A command that goes on running; it is found again by an option that only this process has."""

    program = Path(sys.executable).name

    def __init__(
        self, name: str, installation: Installation, environment: Mapping[str, str], *arguments: str
    ) -> None:
        """Describe the command; `environment` is all that it is given beside the caller's own."""
        super().__init__(installation.stack.home / f"{name}-{installation.database}", {})
        self._name = name
        self.environment = environment  # type: ignore[misc]  # each has its own
        self._line = command(installation, *arguments)[0]

    @property
    def name(self) -> str:
        """What people call it: it has no port to be named after."""
        return self._name

    @property
    def mark(self) -> str:
        """An option that the interpreter ignores."""
        return f"home={self.home}"

    @property
    def command(self) -> list[str]:
        """Return the operator's command."""
        interpreter, *arguments = self._line
        return [interpreter, "-X", self.mark, *arguments]

    def prepare(self) -> None:
        """Make room for the log."""
        self.home.mkdir(parents=True, exist_ok=True)

    def ready(self) -> bool:
        """Return whether it runs; it answers nobody."""
        return self.alive
