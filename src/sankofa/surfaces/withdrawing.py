"""The removal of files that takedowns reached; it needs nothing that writes files."""

from __future__ import annotations

from sankofa.export.sweep import withdraw
from sankofa.storage.objects import Objects
from sankofa.storage.postgres import connect
from sankofa.surfaces.settings import Settings


def withdraw_files(settings: Settings, dsn: str) -> int:
    """Remove the files that takedowns reached from the bucket, and return how many there were."""
    with connect(dsn) as connection:
        return withdraw(connection, Objects(settings.objects(settings.licensed_bucket)))
