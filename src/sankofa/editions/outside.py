"""The records of editions outside the database: the highest number issued, and each manifest.

An attacker who rewrites the database, digests included, does not thereby rewrite these records.
"""

from __future__ import annotations

from sankofa.core.errors import Refused
from sankofa.storage.objects import Objects
from sankofa.storage.postgres import Connection


class Outside:
    """The objects of one installation, by the id that survives backup and restore."""

    def __init__(self, objects: Objects, connection: Connection) -> None:
        row = connection.execute("SELECT instance_id FROM ops.instance").fetchone()
        self._objects = objects
        self._home = f"instances/{row[0] if row else ''}"

    def highest_issued(self) -> int:
        """Return the highest edition number ever issued here, also after a restore of an older database."""
        return int(self._objects.fetch(f"{self._home}/highest-edition") or b"0")

    def issue(self, edition: int) -> None:
        """Record that a number was issued, whether or not its edition becomes current."""
        self._objects.replace(f"{self._home}/highest-edition", str(edition).encode())

    def keep(self, edition: int, manifest: str) -> None:
        """Store an edition's manifest, once; it is never replaced."""
        if not self._objects.keep(self._manifest(edition), manifest.encode()):
            raise Refused(f"S3 has a manifest of edition {edition} that the database knows nothing of")

    def manifest(self, edition: int) -> str | None:
        """Return the manifest that was kept of an edition."""
        kept = self._objects.fetch(self._manifest(edition))
        return None if kept is None else kept.decode(errors="replace")

    def _manifest(self, edition: int) -> str:
        return f"{self._home}/editions/{edition}"
