"""The parsing of documents as the settings limit it."""

from __future__ import annotations

from sankofa.ingest.parsing import Bounds, Parsing
from sankofa.surfaces.settings import Settings


def parsing(settings: Settings) -> Parsing:
    """Return what parses documents, within the limits of this installation."""
    return Parsing(Bounds(memory=settings.parser_memory, seconds=settings.parser_seconds))
