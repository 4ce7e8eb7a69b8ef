"""Make an edition: take in what no edition holds yet, reconcile what it touches, make the edition current.

Atomic by number: rows of edition n are written in many short transactions that no reader sees, because
readers ask for an edition that exists. The row in `serving.edition`, written last, is the publish. An
interrupted build is continued by the next publish, and any number of workers may share one (`work.py`).
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import cast

from sankofa.core.dataset import Dataset, ServingTable
from sankofa.core.errors import BelowFloor, HeldBack
from sankofa.editions import build as builds
from sankofa.editions.build import CHUNK_SECONDS, CLOSED_SOURCES, SQL, Build, Versions
from sankofa.editions.digests import Sealing, conclude
from sankofa.editions.locks import publishing, share_with_takedowns
from sankofa.editions.outside import Outside
from sankofa.editions.provenance import move_provenance
from sankofa.editions.reconcile import Changes
from sankofa.editions.signing import SigningKey
from sankofa.editions.touched import touch
from sankofa.editions.walk import Chunk, Step, Walk
from sankofa.editions.work import Stages, wait_for_others, work_off
from sankofa.storage.objects import Objects
from sankofa.storage.postgres import Connection, connect, transaction_within, within
from sankofa.storage.queries import named

_SQL = named(__package__, "publish.sql")
_TOUCH_SECONDS = 7_200  # finding out who is who, when a whole register arrives at once
_BULK_ROWS = 10_000  # from here on statistics are renewed before anybody else reads the rows

Progress = Callable[[int, int], None]  # chunks done, and all there are, of one stage
Check = Callable[[Connection, int], None]  # looks at a build that is whole; raises if it must not be current


@dataclass(frozen=True, kw_only=True)
class Publisher:
    """Everything a publish needs; the same object serves the command line and the tests."""

    dsn: str
    objects: Objects
    walks: tuple[Walk, ...]
    closed_sources: frozenset[str] = frozenset()  # their documents are stored and never served
    check: Check = lambda _connection, _edition: None
    signing_key: SigningKey | None = None  # without one, editions are sealed and not signed

    @property
    def steps(self) -> tuple[Step, ...]:
        """Every step of every walk, in order."""
        return tuple(step for walk in self.walks for step in walk.steps)

    @property
    def datasets(self) -> tuple[Dataset, ...]:
        """Everything that is published, in order."""
        return tuple(dict.fromkeys(step.dataset for step in self.steps))

    @property
    def tables(self) -> tuple[ServingTable, ...]:
        """Every table of edition rows."""
        return tuple(table for dataset in self.datasets for table in dataset.tables)

    @cached_property
    def sealing(self) -> Sealing:
        """The stage after all walks."""
        return Sealing(self.datasets)

    @cached_property
    def stages(self) -> Stages:
        """The stages of a build by name: each walk, then the sealing."""
        return {walk.name: walk for walk in (*self.walks, self.sealing)}

    def versions(self) -> Versions:
        """Return the versions of the rules that an edition is computed with, by part."""
        rules = {part: version for step in self.steps for part, version in step.versions().items()}
        return {CLOSED_SOURCES: ",".join(sorted(self.closed_sources)), **rules}


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """An edition that became current."""

    edition: int
    mark: str
    published_at: datetime
    changes: dict[str, Changes] = field(default_factory=dict)
    changed_rules: frozenset[str] = frozenset()  # parts whose version differs from the edition before


def is_due(connection: Connection, publisher: Publisher) -> bool:
    """Return whether a publish would have something to do: new data, other rules, or no edition yet."""
    before, versions = builds.newest(connection)
    return not before or versions != publisher.versions() or builds.is_anything_new(connection)


def publish(
    publisher: Publisher,
    progress: Progress = lambda _done, _total: None,
    call_workers: Callable[[], None] = lambda: None,
) -> Published | None:
    """Make the next edition current, or return None when nothing has changed since the last one.

    An interrupted build is finished first, with what it holds; what came in since makes another edition. A
    stage of several chunks calls workers.
    """
    with connect(publisher.dsn) as connection, publishing(connection):
        work = _Work(connection, publisher, progress, call_workers)
        outside = Outside(publisher.objects, connection)
        build = builds.find(connection, publisher.versions())
        if build and (build.is_refused or outside.manifest(build.edition)):
            builds.undo(connection, build.edition, publisher.tables)
            build = None
        finished = work.finish(build) if build else None
        if not is_due(connection, publisher):
            return finished
        edition = max(builds.newest(connection)[0], outside.highest_issued()) + 1
        for step in publisher.steps:
            step.install(connection)
        opened = builds.open_build(connection, edition, publisher.versions(), publisher.closed_sources)
        return work.finish(opened) or finished


@dataclass(frozen=True, slots=True)
class _Work:
    """The coordinator's part in a build: begin each stage, do chunks like any worker, end it."""

    connection: Connection
    publisher: Publisher
    progress: Progress
    call_workers: Callable[[], None]

    def finish(self, build: Build) -> Published | None:
        """Do all stages that are not done, and make the edition current; None if it changes nothing."""
        try:
            begun = self._begun()
            for walk in self.publisher.walks:
                self._run(build, walk, begun)
            if not self._is_to_be_published(build):
                builds.undo_needless(self.connection, build.edition, self.publisher.tables)
                return None
            self._run(build, self.publisher.sealing, begun, lambda: self._approve(build))
        except (BelowFloor, HeldBack):
            builds.refuse(self.connection)
            raise
        return self._make_current(build)

    def _begun(self) -> dict[str, bool]:
        """Return the stages that were begun, by an interrupted publish, and whether each is finished."""
        return dict(cast("list[tuple[str, bool]]", self.connection.execute(SQL["stages"]).fetchall()))

    def _run(
        self, build: Build, walk: Walk, begun: Mapping[str, bool], approve: Callable[[], None] = lambda: None
    ) -> None:
        """Run one stage: touch, all chunks, finish; each of these once, whatever was interrupted."""
        connection, stages = self.connection, self.publisher.stages
        if begun.get(walk.name):
            return
        total = _to_do(connection, walk) if walk.name in begun else _begin(connection, build, walk, approve)
        if not total and walk.name not in begun:
            return  # nothing was touched, and it is finished
        if total > 1:
            self.call_workers()
            connection.execute(SQL["call_workers"])
        left = total
        while left:
            self.progress(total - left, total)
            if not work_off(connection, stages, build.edition, limit=max(total // 100, 1)):
                wait_for_others(connection, stages, build.edition)
            left = _to_do(connection, walk)
        self.progress(total, total)
        with transaction_within(connection, _TOUCH_SECONDS):
            move_provenance(connection)
            walk.finish(connection)
            connection.execute(SQL["finish_stage"], {"stage": walk.name})
        self._renew_statistics(walk)

    def _renew_statistics(self, walk: Walk) -> None:
        """Analyse the tables of a stage that put many rows: later stages join them, and then readers do."""
        counted = builds.changes(self.connection)
        for dataset in dict.fromkeys(step.dataset for step in walk.steps):
            if dataset.name in counted and counted[dataset.name].put.total() >= _BULK_ROWS:
                for name in (*(table.name for table in dataset.tables), "provenance"):
                    self._prepare("renew_statistics", name)

    def _prepare(self, act: str, table: str) -> None:
        with within(self.connection, CHUNK_SECONDS):
            self.connection.execute(_SQL[act], {"dataset": table})

    def _is_to_be_published(self, build: Build) -> bool:
        """Return whether any row or rule differs from the edition before, or the build holds a takedown."""
        if not build.before or build.versions_before != self.publisher.versions():
            return True
        reader = self.publisher.sealing.reader(self.connection)
        values = {"edition": build.edition, "datasets": reader.datasets}
        changed = self.connection.execute(_SQL["closes_or_takes_down"], values).fetchone()
        return changed is not None or bool(set(reader.unsealed(build.edition)) - {"serving.provenance"})

    def _approve(self, build: Build) -> None:
        """Check the build; before a large first edition is read, pack its indexes."""
        self.publisher.check(self.connection, build.edition)
        rows = sum(change.put.total() for change in builds.changes(self.connection).values())
        if rows >= _BULK_ROWS and not build.before:
            for table in self.publisher.tables:
                self._prepare("pack_indexes", table.name)

    def _make_current(self, build: Build) -> Published:
        connection, edition = self.connection, build.edition
        outside = Outside(self.publisher.objects, connection)
        outside.issue(edition)
        versions, before = self.publisher.versions(), build.versions_before
        counted = builds.changes(connection)
        changes = {dataset.name: counted.get(dataset.name, Changes()) for dataset in self.publisher.datasets}
        mark = "".join(secrets.choice("0123456789abcdefghjkmnpqrstvwxyz") for _ in range(8))
        with transaction_within(connection, CHUNK_SECONDS):
            # No takedown is half-way: each is listed once, by the first edition after it.
            share_with_takedowns(connection)
            connection.execute(_SQL["close_taken_down"], {"before": build.before, "edition": edition})
            touch(connection, edition, self.publisher.tables)
            rules = {"parts": list(versions), "versions": list(versions.values())}
            connection.execute(_SQL["record_versions"], {"edition": edition, **rules})
            counts = json.dumps({name: change.counts() for name, change in changes.items()})
            row = connection.execute(
                _SQL["make_current"], {"edition": edition, "mark": mark, "changes": counts}
            ).fetchone()
            reader = self.publisher.sealing.reader(connection)
            conclude(reader, outside, edition, self.publisher.signing_key)
        connection.execute(SQL["clear"])  # what the build found out is of no use any more, and takes room
        return Published(
            edition=edition,
            mark=mark,
            published_at=cast("tuple[datetime]", row)[0],
            changes=changes,
            changed_rules=frozenset(part for part in before if versions.get(part) != before[part]),
        )


def _begin(connection: Connection, build: Build, walk: Walk, approve: Callable[[], None]) -> int:
    """Touch what a walk must look at and store its chunks: all of it, or nothing if it is interrupted.

    Return how many there are. A stage without chunks is finished at once: most stages of a small edition are
    such, and each statement counts there.
    """
    held_back: HeldBack | None = None
    chunks: Sequence[Chunk] = ()
    with transaction_within(connection, _TOUCH_SECONDS):
        approve()
        try:
            chunks = walk.touch(connection, build.edition, build.versions_before)
        except HeldBack as error:
            held_back = error  # raised below, so that what it recorded is committed
        is_finished = not chunks and held_back is None
        if is_finished:
            walk.finish(connection)
        connection.execute(SQL["begin_stage"], {"stage": walk.name, "is_finished": is_finished})
        if chunks:
            _add(connection, walk, chunks)
    if held_back:
        raise held_back
    if len(chunks) > 1:
        connection.execute("SELECT build.renew_statistics('chunk')")
    return len(chunks)


def _add(connection: Connection, walk: Walk, chunks: Sequence[Chunk]) -> None:
    connection.execute(
        SQL["add_chunks"],
        {
            "stage": walk.name,
            "numbers": list(range(len(chunks))),
            "parts": [chunk.part for chunk in chunks],
            "after": [chunk.after for chunk in chunks],
            "until": [chunk.until for chunk in chunks],
        },
    )


def _to_do(connection: Connection, walk: Walk) -> int:
    row = connection.execute(SQL["to_do"], {"stage": walk.name}).fetchone()
    return cast("tuple[int]", row)[0]
