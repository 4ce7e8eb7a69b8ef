"""The command that keeps both Redis and the journal in step with PostgreSQL, without an end.

It also copies the usage of keys from the usage store to PostgreSQL.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from functools import partial

import structlog
import typer

from sankofa.access.following import Following
from sankofa.access.key_journal import KeyRecord, key_journal
from sankofa.access.months import Months
from sankofa.access.settling import Settling
from sankofa.core.errors import Refused, ServiceError
from sankofa.editions.takedown_journal import TakedownRecord, takedown_journal
from sankofa.storage.journal import Journal
from sankofa.storage.objects import Objects
from sankofa.storage.postgres import Connection, connect, within
from sankofa.storage.redis import JobStore
from sankofa.surfaces import logs
from sankofa.surfaces.settings import Settings
from sankofa.surfaces.terminal import running

app = typer.Typer()
_log = structlog.get_logger()
_PAUSE_SECONDS = 0.2
_KEEP_SECONDS = 5.0
_SETTLE_SECONDS = 1.0
_LOOK_SECONDS = 10.0
_FILL_SECONDS = 600.0
_FIRST_SECONDS = 3.0

Act = Callable[[], None]
Journals = tuple[Journal[KeyRecord] | Journal[TakedownRecord], ...]


class Timer:
    """Due at once, and again so many seconds after it was."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._due = 0.0

    def is_due(self) -> bool:
        """Return whether the time has come, and begin to wait for the next."""
        now = time.monotonic()
        if now < self._due:
            return False
        self._due = now + self._seconds
        return True


@app.command()
def follow() -> None:
    """Bring the key store and the journal up to date after every decision, and keep the usage of keys."""
    with running("follow") as settings:
        logs.configure()
        _follow(settings)


def _follow(settings: Settings) -> None:
    key_store, usage_store = JobStore(settings.key_store()), JobStore(settings.usage_store())
    objects = Objects(settings.journal())
    journal_tried = threading.Event()

    def keys(connection: Connection) -> Act:
        # A restored registry is recognised by the journal. If S3 is silent, keys are followed all the same.
        journal_tried.wait(_FIRST_SECONDS)
        return partial(_follow_keys, connection, Following(connection, key_store))

    def months(connection: Connection) -> Act:
        return partial(_keep_months, connection, Months(connection, usage_store), Timer(_KEEP_SECONDS))

    def usage(connection: Connection) -> Act:
        settling = Settling(connection, usage_store)
        with within(connection, _FILL_SECONDS):
            settling.repeat()
        return partial(_settle, connection, settling, Timer(_SETTLE_SECONDS))

    def journal(connection: Connection) -> Act:
        journals = (key_journal(objects, connection), takedown_journal(objects, connection))
        try:
            _require_caught_up(journals, Following(connection, key_store))
        finally:
            journal_tried.set()
        return partial(_keep_journals, connection, journals, [journal.complete() for journal in journals])

    # Apart, so that a silent store delays its own duty only.
    for duty, begin in (("months", months), ("usage", usage), ("journal", journal)):
        threading.Thread(target=_forever, args=(duty, settings.follow_dsn, begin), daemon=True).start()
    _forever("keys", settings.follow_dsn, keys)


def _forever(duty: str, dsn: str, begin: Callable[[Connection], Act]) -> None:
    """Repeat a duty; after a failure, on a new connection. A failure that goes on is logged once."""
    failure = ""
    while True:
        try:
            with connect(dsn) as connection:
                act = begin(connection)
                while True:
                    act()
                    if failure:
                        _log.info("works again", duty=duty)
                    failure = ""
                    time.sleep(_PAUSE_SECONDS)
        except Exception as error:  # whatever fails, the stores must follow in the end
            reason = str(error) if isinstance(error, ServiceError) else type(error).__name__
            if reason != failure:
                _log.warning("trying again", duty=duty, reason=reason)
            failure = reason
            time.sleep(_PAUSE_SECONDS)


def _follow_keys(connection: Connection, following: Following) -> None:
    with within(connection, _LOOK_SECONDS):
        is_behind = following.is_behind()
    if is_behind:
        with within(connection, _FILL_SECONDS):
            _log.info("the key store is up to date", newest_event=following.follow())


def _require_caught_up(journals: Journals, following: Following) -> None:
    """Raise Refused if a restored database lacks decisions; no key is valid until it has them."""
    try:
        for journal in journals:
            journal.require_not_ahead()
    except Refused:
        following.set_aside()
        raise


def _keep_journals(connection: Connection, journals: Journals, kept: list[int]) -> None:
    with within(connection, _FILL_SECONDS):
        kept[:] = [journal.keep_after(number) for journal, number in zip(journals, kept, strict=True)]


def _keep_months(connection: Connection, months: Months, timer: Timer) -> None:
    with within(connection, _FILL_SECONDS):
        if restored := months.restore():
            _log.info("the usage store had lost its contents", restored=restored)
        if timer.is_due():
            months.keep()


def _settle(connection: Connection, settling: Settling, timer: Timer) -> None:
    if timer.is_due():
        with within(connection, _FILL_SECONDS):
            settling.settle()
