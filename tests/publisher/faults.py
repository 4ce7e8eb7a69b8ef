"""The ways in which the publisher misbehaves: each turns an honest answer into a wrong one.

An honest answer has a body of bytes and states its length. A fault is used up by an answer that it can spoil;
it waits for one if the next answer has nothing to spoil, such as a 304.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from email.utils import formatdate
from typing import NamedTuple

from publisher.formats import renamed
from support.answering import Answer

_HTML = b"<!DOCTYPE html><html><body><h1>We will be back soon</h1></body></html>"
_PIECES = 8
_DAY_SECONDS = 86_400


class Occasion(NamedTuple):
    """What is known where an answer is spoiled."""

    value: object  # of the fault, or as `misbehave` set it
    source: object  # a `Kind`
    previous: bytes | None  # the page before, if this is a later page
    elsewhere: str  # the address of another server, which only notes who asks it


def _status(status):
    def spoil(_answer, _occasion):
        return Answer(b"", status, {"Content-Length": "0"})

    return spoil


def _busy_seconds(_answer, occasion):
    return Answer(b"", 429, {"Content-Length": "0", "Retry-After": str(occasion.value)})


def _busy_date(_answer, occasion):
    until = formatdate(time.time() + occasion.value, usegmt=True)
    return Answer(b"", 429, {"Content-Length": "0", "Retry-After": until})


def _truncated(answer, _occasion):
    return replace(answer, body=answer.body[: len(answer.body) // 2])


def _truncated_unsized(answer, _occasion):
    kept = {name: text for name, text in answer.headers.items() if name != "Content-Length"}
    return replace(answer, body=answer.body[: len(answer.body) // 2], headers=kept)


def _slow(answer, occasion):
    def drip():
        size = max(1, len(answer.body) // _PIECES)
        for start in range(0, len(answer.body), size):
            yield answer.body[start : start + size]
            threading.Event().wait(occasion.value)

    return replace(answer, body=drip())


def _reset(answer, _occasion):
    return replace(answer, body=answer.body[: len(answer.body) // 2], resets=True)


def _length(answer, occasion):
    stated = int(len(answer.body) * occasion.value)
    return replace(answer, headers=answer.headers | {"Content-Length": str(stated)})


def _with_body(answer, body, **headers):
    kept = {name: text for name, text in answer.headers.items() if name == "Content-Type"}
    return Answer(body, 200, kept | headers | {"Content-Length": str(len(body))})


def _schema(answer, occasion):
    return _with_body(answer, renamed(answer.body, *occasion.source.renames))


def _html(answer, _occasion):
    return _with_body(answer, _HTML, **{"Content-Type": "text/html"})


def _half(answer, occasion):
    return _with_body(answer, occasion.source.empty())


def _duplicate(answer, occasion):
    return _with_body(answer, occasion.previous)


def _clock(answer, occasion):
    wrong = formatdate(time.time() + occasion.value, usegmt=True)
    return replace(answer, headers=answer.headers | {"Date": wrong})


def _redirect_private(_answer, occasion):
    return Answer(b"", 302, {"Content-Length": "0", "Location": occasion.value})


def _redirect_elsewhere(_answer, occasion):
    return Answer(b"", 302, {"Content-Length": "0", "Location": f"{occasion.elsewhere}/stolen"})


class Fault(NamedTuple):
    """One way to misbehave."""

    name: str
    spoil: Callable[[Answer, Occasion], Answer] | None  # None: a document is offered later, no answer changes
    value: object = None  # what `misbehave` may set: seconds, a share, an address
    spoils: str = "any"  # any answer, a whole or partial "body", a "whole" body, or a "later" page

    def can_spoil(self, answer, occasion):
        """Return whether an answer has what this fault spoils."""
        return (
            self.spoil is not None
            and {
                "any": True,
                "body": answer.status in {200, 206} and len(answer.body) > 1,
                "whole": answer.status == 200 and len(answer.body) > 1,
                "later": occasion.previous is not None,
            }[self.spoils]
        )


FAULTS = {
    fault.name: fault
    for fault in (
        Fault("not_modified", _status(304)),
        Fault("busy_seconds", _busy_seconds, 1),
        Fault("busy_date", _busy_date, 2),
        Fault("unavailable", _status(503)),
        Fault("truncated", _truncated, spoils="body"),
        Fault("truncated_unsized", _truncated_unsized, spoils="body"),
        Fault("slow", _slow, 0.02, spoils="body"),
        Fault("reset", _reset, spoils="body"),
        Fault("length_too_large", _length, 1.5, spoils="body"),
        Fault("length_too_small", _length, 0.5, spoils="body"),
        Fault("schema", _schema, spoils="whole"),
        Fault("html", _html, spoils="whole"),
        Fault("half", _half, spoils="later"),
        Fault("duplicate", _duplicate, spoils="later"),
        Fault("late", None),
        Fault("clock", _clock, 3 * _DAY_SECONDS),  # Last-Modified and what follows from it are wrong too
        Fault("redirect_private", _redirect_private, "http://169.254.169.254/latest"),
        Fault("redirect_elsewhere", _redirect_elsewhere),
    )
}
