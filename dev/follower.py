"""How `sankofa follow` runs beside an installation: the process that keeps both Redis in step."""

import sys
from pathlib import Path

from dev.installation import Installation, command
from dev.service import Service

# What the follower is given, and nothing more.
_SETTINGS = ("SANKOFA_FOLLOW_DSN", "SANKOFA_KEYS_URL", "SANKOFA_USAGE_URL", "SANKOFA_S3_ENDPOINT")


class Follower(Service):
    """The follower of one installation; it listens on no port."""

    program = Path(sys.executable).name

    def __init__(self, installation: Installation) -> None:
        """Describe the follower."""
        super().__init__(installation.stack.home / f"follower-{installation.database}", {})
        access, secret = installation.stack.s3.keys_of("keeper")
        self.environment = {name: installation.environment[name] for name in _SETTINGS} | {  # type: ignore[misc]
            "SANKOFA_S3_ACCESS_KEY": access,
            "SANKOFA_S3_SECRET_KEY": secret,
        }
        self._line = command(installation, "follow")[0]

    @property
    def name(self) -> str:
        """What people call it: it has no port to be named after."""
        return "follower"

    @property
    def mark(self) -> str:
        """An option that the interpreter ignores, and only this process has."""
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
