"""The drills of the alerts about the data: how each fault begins and ends."""

from __future__ import annotations

from contextlib import contextmanager

from audit.drills import ONCE, Drill
from sankofa.drift.holds import holds
from support.waiting import until

MANY_SOURCES = 60
TAKEDOWNS = 12
_BUILDING = "SELECT count(*) FROM ops.edition_build WHERE edition > coalesce(serving.current_edition(), 0)"


@contextmanager
def stopped(part):
    part.stop()
    try:
        yield
    finally:
        part.start()


@contextmanager
def stopped_database(world):
    with stopped(world.stack.postgres):
        yield
    # As the service manager does: the queue's worker ends without its database, some time after it was lost.
    world.fetcher.stop()
    world.fetcher.start()


def stopped_fetcher(world):
    return stopped(world.fetcher)


def stopped_follower(world):
    return stopped(world.follower)


@contextmanager
def stopped_publisher(world):
    with stopped(world.publisher):
        world.ingest()
        yield


@contextmanager
def killed_publisher(world):
    """Kill the publisher in the middle of a build, which a lock holds up."""
    with world.service.connect() as admin, admin.transaction():
        admin.execute("LOCK TABLE serving.fundamentals_fact IN ACCESS EXCLUSIVE MODE")
        world.ingest()
        until(lambda: world.service.rows(_BUILDING) == [(1,)])
        world.publisher.kill9()
    try:
        yield
    finally:
        world.publisher.start()


@contextmanager
def leaping_values(world):
    """Let two filers restate their revenue to zero; the runbook's commands decide about both."""
    filers = [world.ingest(), world.ingest()]
    world.await_publisher()
    for filer in filers:
        world.service.ingest(filer.says(0, filed="2024-06-01").document())
    yield
    with world.service.connect("review") as connection:
        assert holds(connection) == []


@contextmanager
def silent_portal(world):
    world.failing.add(world.feed)
    try:
        yield
    finally:
        world.failing.remove(world.feed)
    world.operate("feeds", "resume", world.feed, "--because", "the portal answers again")


@contextmanager
def failing_run(world):
    """Declare a source whose portal fails. It is not due again, so only the runbook's command mends it."""
    world.feed = "zz-failing"
    world.failing.add(world.feed)
    world.declare(world.feed, ONCE)
    try:
        yield
    finally:
        world.failing.remove(world.feed)


@contextmanager
def waiting_sources(world):
    """Declare many sources while the portal keeps every worker waiting."""
    world.answers.clear()
    for number in range(MANY_SOURCES):
        world.declare(f"zz-many-{number}", ONCE)
    try:
        yield
    finally:
        world.answers.set()


@contextmanager
def many_takedowns(world):
    filers = [world.ingest() for _ in range(TAKEDOWNS)]
    world.await_publisher()
    for filer in filers:
        world.service.take_down(world.service.id_of(filer.identifier))
    yield


DRILLS = (
    Drill(alert="SankofaDatabaseNotRead", fault=stopped_database, afterwards=("sankofa migrate",)),
    Drill(alert="SankofaBuildStuck", fault=killed_publisher),
    Drill(alert="SankofaPublisherBehind", fault=stopped_publisher),
    Drill(alert="SankofaHoldsWait", fault=leaping_values),
    Drill(
        alert="SankofaFeedStale",
        fault=silent_portal,
        finds={"sankofa feeds run": "status 503"},
    ),
    Drill(
        alert="SankofaFeedFailed",
        fault=failing_run,
        afterwards=("sankofa feeds run",),
    ),
    Drill(alert="SankofaNoFetcher", fault=stopped_fetcher, finds={"sankofa doctor": "no worker fetches"}),
    Drill(alert="SankofaQueueLong", fault=waiting_sources),
    Drill(alert="SankofaTakedowns", fault=many_takedowns),
    Drill(alert="SankofaUsageBehind", fault=stopped_follower),
)
