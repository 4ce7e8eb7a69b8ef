"""Who is recorded with a decision: a given name, or else the login of the operating system.

The record states who acted on this machine. It is no proof: whoever has the database login can give any name.
"""

from __future__ import annotations

import typer

from sankofa.core.errors import Refused
from sankofa.surfaces.settings import Settings

_LONGEST = 100
AsOperator = typer.Option("--as", help="Who decides; default: SANKOFA_OPERATOR, SUDO_USER or the login.")


def acting(given: str, settings: Settings) -> str:
    """Return who acts: the name given with the command, the setting, the login behind sudo, or the login."""
    name = given or settings.operator or settings.login()
    if not name.isprintable() or not name.strip() or len(name) > _LONGEST:
        raise Refused(f"the operator's name must have 1 to {_LONGEST} printable characters")
    return name
