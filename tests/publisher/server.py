"""The publisher's servers: one for each host, one for control, and a stranger that only notes its callers.

A document's Last-Modified is the moment at which the publisher advanced to its day. Days before the start are
a real day apart, and the last of them ended a day ago: so a file that has not changed since the start is old.
"""

from __future__ import annotations

import threading
import time
from contextlib import ExitStack
from dataclasses import replace
from datetime import timedelta
from typing import NamedTuple

from publisher import validators
from publisher.faults import FAULTS, Occasion
from support.answering import Answer, Portal

_DAY_SECONDS = 86_400
_NOTED = ("User-Agent", "Host", "Range", "If-Range", "If-Modified-Since", "If-None-Match")
_ANSWERED = ("Retry-After", "Location", "ETag", "Last-Modified", "Content-Range")
_STRANGER = "stranger"  # the name under which requests to the other server are noted


class _Found(NamedTuple):
    answer: Answer
    sha256: str = ""  # of the whole document, if this is one
    previous: bytes | None = None


class Publisher:
    """A world on one of its days, with the faults that were ordered and all requests so far."""

    def __init__(self, world, day=0, hosts=1, port=0):
        self.world, self.day = world, day
        self.entries = []
        self._lock = threading.Lock()
        self._ordered = []  # [source, fault, times left, value]
        self._appears = {}  # sha256 of a late document: the day on which it is offered
        began = time.time()
        self._advanced_at = [began - _DAY_SECONDS * (1 + day - each) for each in range(day + 1)]
        self._hosts = [Portal(self.answer, f"127.0.0.{1 + place}", port) for place in range(hosts)]
        self._stranger = Portal(self._note_stranger)

    def run(self, stack: ExitStack):
        """Start all servers; the stack stops them."""
        for server in (*self._hosts, self._stranger):
            stack.enter_context(server)

    def hosts(self):
        """Return the address of each source's server: they take turns."""
        urls = [server.url for server in self._hosts]
        return {name: urls[place % len(urls)] for place, name in enumerate(self.world.sources)}

    def advance(self):
        with self._lock:
            if self.day + 1 >= self.world.days:
                raise ValueError(f"the world ends after {self.world.days} days")
            self.day += 1
            self._advanced_at.append(time.time())
        return self.state()

    def misbehave(self, source, fault, times=1, value=None):
        """Spoil the next `times` answers of a source, or offer the day's last page `times` days later."""
        if source not in self.world.sources or fault not in FAULTS:
            raise ValueError(f"no source {source} or no fault {fault}; there are: {', '.join(FAULTS)}")
        with self._lock:
            if fault != "late":
                value = FAULTS[fault].value if value is None else value
                self._ordered.append([source, fault, times, value])
                return self._state()
            new = self.world.new_on(source, self.day)
            if not self.world.sources[source].has_pages or not new:
                raise ValueError(f"{source} has no page of day {self.day} that could be late")
            self._appears[new[-1].sha256] = self.day + times
            return self._state()

    def forgive(self):
        """Drop the faults that are still to come; late pages stay late."""
        with self._lock:
            self._ordered.clear()
            return self._state()

    def state(self):
        with self._lock:
            return self._state()

    def _state(self):
        fields = ("source", "fault", "times", "value")
        return {
            "day": self.day,
            "date": str(self.world.first_day + timedelta(days=self.day)),
            "faults": [dict(zip(fields, each, strict=True)) for each in self._ordered],
        }

    def offered(self):
        """Return every document that was offered so far, with the day on which it first was."""
        hosts, rows = self.hosts(), []
        for name in self.world.sources:
            for one in self.world.offered(name, self.day):
                day = self._appears.get(one.sha256, one.day)
                if day <= self.day:
                    url = hosts[name] + one.target
                    rows.append({"source": name, "sha256": one.sha256, "day": day, "url": url})
        return rows

    def answer(self, asked):
        """Return the answer to a request, spoiled if a fault was ordered for its source."""
        name = asked.path.split("/")[1]
        with self._lock:
            found = self._find(name, asked)
            ordered, answer = self._spoiled(name, found)
            return self._noted(asked, name, answer, ordered and ordered[1], found.sha256)

    def _find(self, name, asked):
        """Return the honest answer."""
        source = self.world.sources.get(name)
        if source is None:
            return _Found(_missing())
        held = self.world.current(name, self.day)
        if self._appears:
            held = [one for one in held if self._appears.get(one.sha256, one.day) <= self.day]
        if source.has_pages:
            chosen, place = source.selected(asked, held)
            previous = chosen[place - 1].content if 0 < place <= len(chosen) else None
            if place >= len(chosen):
                return _Found(validators.page(source.empty()))
            return _Found(validators.page(chosen[place].content), chosen[place].sha256, previous)
        for one in held:
            if one.target == asked.target:
                changed_at = self._advanced_at[one.day] + self._clock_error(name)
                return _Found(validators.file(one.content, changed_at, asked), one.sha256)
        return _Found(_missing())

    def _clock_error(self, name):
        """Return the seconds by which the clock of a source's server is wrong."""
        return next(
            (value for source, fault, _, value in self._ordered if (source, fault) == (name, "clock")), 0
        )

    def _spoiled(self, name, found):
        """Return the order that is due and the answer that it spoils, or no order and the honest answer."""
        for ordered in self._ordered:
            source, fault, _, value = ordered
            occasion = Occasion(value, self.world.sources.get(name), found.previous, self._stranger.url)
            if source == name and FAULTS[fault].can_spoil(found.answer, occasion):
                ordered[2] -= 1
                if not ordered[2]:
                    self._ordered.remove(ordered)
                return ordered, replace(FAULTS[fault].spoil(found.answer, occasion), sized=False)
        return None, found.answer

    def _note_stranger(self, asked):
        with self._lock:
            return self._noted(asked, _STRANGER, validators.page(b"a stranger's document"), None, "")

    def _noted(self, asked, name, answer, fault, sha256):
        """Return an answer whose bytes are counted in the log as they are handed to the connection."""
        entry = {
            "source": name,
            "day": self.day,
            "method": asked.method,
            "target": asked.target,
            "headers": {header: asked.headers[header] for header in _NOTED if header in asked.headers},
            "monotonic": asked.began,
            "wall": time.time(),
            "alongside": asked.alongside,
            "status": answer.status,
            "answered": {header: answer.headers[header] for header in _ANSWERED if header in answer.headers},
            "bytes": 0,
            "fault": fault,
            "sha256": sha256,
        }
        self.entries.append(entry)
        return replace(answer, body=_counted(answer.body, entry))


def _missing():
    return replace(validators.page(b""), status=404)


def _counted(body, entry):
    for piece in [body] if isinstance(body, bytes) else body:
        entry["bytes"] += len(piece)
        yield piece
