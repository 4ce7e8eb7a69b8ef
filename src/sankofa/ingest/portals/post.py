"""Requests by POST: lists of ids, so many at a time, each answered in the order of the list; or a form.

An answer to a list does not repeat the ids. So the document is one JSON object with both, byte for byte as
they were sent and received: `{"request":…,"answer":…}`. An answer that is not JSON makes an unreadable
document. An answer to a form is the document.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Annotated, Literal, NamedTuple
from urllib.parse import urlencode

import msgspec

_ITEM = "{item}"
_Count = Annotated[int, msgspec.Meta(ge=1)]


class Post(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which ids are asked for, and how a request states them."""

    id_type: Literal["isin"]
    ids_of: tuple[str, ...]  # sources whose ids are asked for, if this source has no answer about them yet
    each: dict[str, str]  # the JSON object of one id, with `{item}` in its place
    batch: _Count  # ids in a request
    most: _Count  # ids in a run, about; the others have their turn on other days

    def __post_init__(self) -> None:
        """Raise unless a request states the ids of some source."""
        if _ITEM not in self.each.values() or not self.ids_of:
            raise ValueError('`each` needs a value "{item}", and `ids_of` a source')


class Body(NamedTuple):
    """What is sent with a request."""

    content: bytes
    media_type: str = "application/json"


class Request(NamedTuple):
    """One request: the address, with a name of the request after it, and the body."""

    url: str
    body: Body


def requests(address: str, post: Post, ids: Sequence[str]) -> Iterator[Request]:
    """Yield the requests for some ids. What follows `#` is not sent: it distinguishes documents of a run."""
    for start in range(0, len(ids), post.batch):
        part = ids[start : start + post.batch]
        objects = [
            {name: one if value == _ITEM else value for name, value in post.each.items()} for one in part
        ]
        yield Request(f"{address}#{part[0]}-{part[-1]}", Body(msgspec.json.encode(objects)))


def form(fields: Mapping[str, str]) -> Body | None:
    """Return a form as a browser sends it; None without fields."""
    return Body(urlencode(fields).encode(), "application/x-www-form-urlencoded") if fields else None


@contextmanager
def exchange(request: bytes, answer: Path) -> Iterator[Path]:
    """Yield the file of a request and its answer; it is removed afterwards."""
    with NamedTemporaryFile(prefix="sankofa-") as both, answer.open("rb") as received:
        both.write(b'{"request":' + request + b',"answer":')
        shutil.copyfileobj(received, both)
        both.write(b"}")
        both.flush()
        yield Path(both.name)
