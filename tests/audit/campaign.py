"""Every way in which the campaign breaks an installation with failover, and what may be refused for it."""

from __future__ import annotations

import signal
from contextlib import suppress
from dataclasses import dataclass

from redis import Redis, RedisError

from audit.soak import Kind
from dev import process
from sankofa.storage.postgres import connect
from support.broken_machine import Clock, Disk, Split
from support.links import Link

KEYS = frozenset({"keys"})
DATASTORE = frozenset({"datastore"})
SLOW_SECONDS = 0.05  # for each piece of an answer
HOUR = 3_600
FROZEN = ("SIGSTOP", "pause", "resume")
KILLED = ("kill -9", "kill9", "start")


@dataclass
class Tools:
    """What faults are made with."""

    links: list[Link]
    disks: dict[str, Disk]  # by the name of a node of PostgreSQL
    clock: Clock  # of the API processes
    split: Split


class Broken:
    """A process that is chosen when the fault begins, since roles change; it is mended at the end."""

    def __init__(self, choose, fail, mend):
        self._choose, self._fail, self._mend = choose, fail, mend
        self._chosen = None

    def begin(self):
        self._chosen = self._choose()
        getattr(self._chosen, self._fail)()

    def end(self):
        getattr(self._chosen, self._mend)()


def kinds(available, tools):
    """Return every kind of fault of an `Available` service that runs on `tools`."""
    stack, apis = available.stack, available.apis
    cluster, keys, usage = stack.postgres, stack.redis_keys, stack.redis_usage
    chosen = {
        "the machine of the primary": (lambda: cluster.primary, frozenset()),
        "the machine of a replica": (lambda: cluster.replicas[0], frozenset()),
        "the master of the keys": (lambda: keys.master, KEYS),
        "the replica of the keys": (lambda: other(keys), frozenset()),
        "the master of the usage": (lambda: usage.master, frozenset()),
        "a Sentinel": (lambda: keys.sentinels[0], frozenset()),
        "etcd": (lambda: cluster.etcd, frozenset()),
        "S3": (lambda: stack.s3, frozenset()),
        "an API process": (lambda: apis[0], frozenset()),
        "the publisher": (lambda: available.publisher, frozenset()),
        "the follower": (lambda: available.follower, frozenset()),
    }
    for name, (choose, causes) in chosen.items():
        for how, fail, mend in (KILLED, FROZEN):
            broken = Broken(choose, fail, mend)
            # A frozen process finds its deadlines passed when it goes on.
            is_frozen_api = (how, name) == ("SIGSTOP", "an API process")
            yield Kind(
                f"{how} {name}", broken.begin, broken.end, KEYS | DATASTORE if is_frozen_api else causes
            )
    yield Kind("kill -9 PostgreSQL of the primary", lambda: kill_postgres(cluster), nothing)
    yield Kind("kill -9 a worker of an API process", lambda: kill_worker(apis[1]), nothing)
    yield from replays(cluster)
    yield from emptied(keys, usage)
    yield from cut(tools.links)
    yield from filled(cluster, tools.disks)
    yield from stepped(tools.clock)
    yield from split(apis[0], (keys, usage), tools.split)


def nothing():
    """Do nothing: the service mends itself."""


def other(watched):
    """Return the replica of a Redis with Sentinels."""
    master = watched.master
    return next(server for server in watched.servers if server is not master)


def kill_postgres(cluster):
    cluster.primary.server.kill9()


def kill_worker(api):
    process.send(min(process.children(api.pid)), signal.SIGKILL)


def replays(cluster):
    """A replica that receives everything and shows nothing of it."""
    lagging = []

    def pause():
        lagging.append(cluster.replicas[0])
        with connect(lagging[-1].server.dsn()) as standby:
            standby.execute("SELECT pg_wal_replay_pause()")

    def resume():
        with connect(lagging[-1].server.dsn()) as standby:
            standby.execute("SELECT pg_wal_replay_resume() WHERE pg_is_in_recovery()")

    yield Kind("replay paused on a replica", pause, resume)


def emptied(keys, usage):
    """Stores that lost everything; the follower fills them again."""

    def flush(watched):
        with suppress(RedisError), Redis.from_url(watched.master.url, socket_timeout=2) as client:
            client.flushall()

    yield Kind("the keys flushed", lambda: flush(keys), nothing, KEYS)
    yield Kind("the usage flushed", lambda: flush(usage), nothing)


def cut(links):
    """Connections between the API and one database: reset, half-open, slow."""
    first, *_ = links

    def slow():
        for link in links:
            link.slow(SLOW_SECONDS)

    def mend():
        for link in links:
            link.mend()

    def reset():
        for link in links:
            link.cut()

    yield Kind("connections to all databases reset", reset, nothing, DATASTORE)
    yield Kind("a database is silent", first.silence, mend)
    yield Kind("all databases are slow", slow, mend)


def filled(cluster, disks):
    """A disk without room for another byte."""
    primary = Broken(lambda: disks[cluster.primary.name], "fill", "empty")
    replica = Broken(lambda: disks[cluster.replicas[0].name], "fill", "empty")
    yield Kind("the primary's disk is full", primary.begin, primary.end)
    yield Kind("a replica's disk is full", replica.begin, replica.end)


def stepped(clock):
    """A clock that is wrong for a while."""
    for name, seconds in (("an hour ahead", HOUR), ("an hour behind", -HOUR), ("a day ahead", 24 * HOUR)):
        yield Kind(
            f"the API's clock is {name}", lambda seconds=seconds: clock.step(seconds), lambda: clock.step(0)
        )


def split(api, stores, network):
    """An API process that reaches no Redis, while everybody else does."""

    def begin():
        ports = {port for store in stores for each in store.services for port in each.ports.values()}
        network.begin([api.pid, *process.children(api.pid)], ports)

    yield Kind("an API process is cut off from both Redis", begin, network.end, KEYS)
