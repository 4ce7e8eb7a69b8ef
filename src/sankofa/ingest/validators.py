"""The publisher's name of a file version: `ETag` and `Last-Modified`, unchanged.

They are sent with the next request, so that an unchanged file is not sent again. Our own fetch time would be
wrong: the publisher's clock may be slow, and a file may be uploaded long after it was modified.
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
