"""Files: the way to one, and a place for it that shows it only when it is whole and what was promised."""

from __future__ import annotations

import contextlib
import hashlib
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import IO
from urllib.parse import quote, urljoin, urlsplit

from sankofa_client import _endpoints as ask
from sankofa_client._conversation import Conversation, Core
from sankofa_client._errors import UnexpectedAnswer, failure
from sankofa_client._question import Scope, question
from sankofa_client.rows import Artifact

_LEADS_ON = frozenset({307})


class Incoming:
    """The bytes of a file while they arrive."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._hash = hashlib.sha256()

    def take(self, chunk: bytes) -> None:
        """Take what has arrived."""
        self._file.write(chunk)
        self._hash.update(chunk)

    def anew(self) -> None:
        """Begin again."""
        self._file.seek(0)
        self._file.truncate()
        self._hash = hashlib.sha256()

    @property
    def sha256(self) -> str:
        """The digest of what has arrived."""
        return self._hash.hexdigest()


@contextlib.contextmanager
def incoming(target: Path) -> Iterator[Incoming]:
    """Give room beside the target; on success it takes the target's place, else it is gone."""
    part = target.with_name(f".{target.name}.{uuid.uuid4().hex}.part")
    try:
        with part.open("wb") as file:
            yield Incoming(file)
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)


def download(core: Core, scope: Scope, file: Artifact | str, into: Incoming) -> Conversation[None]:
    """Find the way to a file and read it; its digest must be the one that the service lists.

    The key goes to the service alone. Where the file is kept, the address is all that is needed.
    """
    artifact = file if isinstance(file, Artifact) else (yield from _listed(core, scope, file))
    if artifact and artifact.access == "open":
        url = urljoin(core.url, artifact.url)
    else:
        url = yield from link(core, scope, artifact.name if artifact else str(file))
    yield from core.fetch(url, into.take, into.anew)
    if artifact and into.sha256 != artifact.sha256:
        detail = "What arrived has another sha256 than the service lists; it was not kept."
        raise failure(UnexpectedAnswer, "Not the file that was promised", detail)


def link(core: Core, scope: Scope, name: str) -> Conversation[str]:
    """Return an address that a licensed file can be read from for some minutes, without a key."""
    pinned = f"?edition={scope.edition}" if scope.edition else ""
    reply = yield from core.ask(f"/v1/export/files/{quote(name, safe='')}{pinned}", fine=_LEADS_ON)
    url = urljoin(core.url, reply.headers.get("location", ""))
    if urlsplit(url).scheme not in {"http", "https"}:
        raise failure(UnexpectedAnswer, "The file is nowhere", "Its address is not one of the web.")
    return url


def _listed(core: Core, scope: Scope, name: str) -> Conversation[Artifact | None]:
    """Return what the service says of a file; None if it lists no such file."""
    asked = question(ask.EXPORT, {}, scope)
    while True:
        page = yield from core.page(asked)
        found = next((artifact for artifact in page.rows if artifact.name == name), None)
        if found or not page.next_cursor:
            return found
        asked = asked.with_(cursor=page.next_cursor)
