"""What a publisher calls a version of a file: `ETag` and `Last-Modified`, word for word.

They are sent back with the next request, so that an unchanged file is not sent again. Our own time of fetch
would not do: the publisher's clock may be slow, and a file may be uploaded long after it was modified.
"""

from __future__ import annotations

from typing import NamedTuple


class Validators(NamedTuple):
    """The header fields that name a version; empty if the answer had none."""

    etag: str = ""
    last_modified: str = ""

    def conditions(self) -> dict[str, str]:
        """Return the header fields of a request for another version."""
        fields = {"If-None-Match": self.etag, "If-Modified-Since": self.last_modified}
        return {name: value for name, value in fields.items() if value}
