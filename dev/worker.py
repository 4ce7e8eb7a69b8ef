"""How `sankofa work` runs beside an installation: it fetches what is due, and publishes it."""

from pathlib import Path

from dev.background import Background
from dev.installation import Installation

# What fetching, publishing and building are given, and nothing more.
_SETTINGS = (
    "SANKOFA_INGEST_DSN",
    "SANKOFA_PUBLISH_DSN",
    "SANKOFA_INSTANCE_SECRET",
    "SANKOFA_S3_ENDPOINT",
    "SANKOFA_S3_BUCKET",
    "SANKOFA_S3_ACCESS_KEY",
    "SANKOFA_S3_SECRET_KEY",
)


class Worker(Background):
    """The worker of one installation, with a folder of sources of its own."""

    def __init__(self, installation: Installation, name: str = "worker") -> None:
        """Describe the worker; if there are several, each has a name of its own."""
        environment = {name: installation.environment[name] for name in _SETTINGS}
        super().__init__(name, installation, environment, "work")
        self.environment = environment | {  # type: ignore[misc]  # as in `Background`
            "SANKOFA_SOURCES": str(self.sources),
            "SANKOFA_CONTACT": "the demo world on this machine",
        }

    @property
    def sources(self) -> Path:
        """The folder of sources; whoever starts the worker writes it."""
        return self.home / "sources"
