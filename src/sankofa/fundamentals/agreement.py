"""Agreement with the golden statements: how many headline figures of real filers are served as read by hand.

The statements and the real files are no part of an installation, so the measured numbers are kept as data
(`agreement.toml`), with the version of the line-item map that they were measured under and the command that
measured them. Under any other map nothing is known.
"""

from __future__ import annotations

import tomllib
from importlib import resources

import msgspec

_FILE = "agreement.toml"
_HEAD = """\
# Agreement of what is served with the golden statements: figures that agree, of those compared, under one
# version of the line-item map. Written by the command below, never by hand. Without numbers, nothing was
# measured.
"""


class Agreement(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a comparison with the golden statements."""

    map_version: str
    agreed: int
    compared: int
    command: str  # measures it again

    def __post_init__(self) -> None:
        """Raise ValueError if the numbers are impossible."""
        if not 0 <= self.agreed <= self.compared or not self.compared:
            raise ValueError(f"{self.agreed} of {self.compared} cannot agree")


def agreement() -> Agreement | None:
    """Return the agreement that was measured last, if any was."""
    return parsed(kept())


def parsed(text: str) -> Agreement | None:
    """Parse the text of the file; return None if it has no numbers."""
    fields = tomllib.loads(text)
    return msgspec.convert(fields, Agreement) if fields else None


def kept() -> str:
    """Return the text of the file."""
    return resources.files(__package__).joinpath(_FILE).read_text(encoding="utf-8")


def written(found: Agreement | None) -> str:
    """Return the file as the measuring command writes it."""
    if found is None:
        return _HEAD
    lines = (
        f"{name} = {msgspec.json.encode(value).decode()}"
        for name, value in msgspec.structs.asdict(found).items()
    )
    return "\n".join((_HEAD, *lines, ""))
