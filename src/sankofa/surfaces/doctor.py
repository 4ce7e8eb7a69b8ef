"""What is wrong with an installation, and what to do about it. Nothing is changed.

A check yields its problems and returns what it found in order. Only stores that the settings name are
checked: a machine that serves is not expected to have the logins of a publisher.
"""

from __future__ import annotations

from collections.abc import Collection, Generator, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from typing import Literal, NamedTuple

from sankofa.access.following import Following
from sankofa.core.errors import ServiceError
from sankofa.drift.holds import waiting
from sankofa.feeds.states import feeds, workers_alive
from sankofa.ingest.sources import read as read_sources
from sankofa.storage.health import postgres_server, redis_server
from sankofa.storage.migrate import pending
from sankofa.storage.objects import Objects
from sankofa.storage.postgres import connect, operators_error
from sankofa.storage.redis import JobStore
from sankofa.surfaces.command_settings import SETTINGS_OF, settings_of
from sankofa.surfaces.commands.feeds import feed_problems
from sankofa.surfaces.settings import Settings
from sankofa.surfaces.settings_check import PAGE, description, missing_among, value_of, variable, wrong_among

LARGEST_SKEW = timedelta(seconds=5)
OLDEST_POSTGRES = 15
_ROLES = {
    "read_dsn": "sankofa_api",
    **{
        f"{name}_dsn": f"sankofa_{name}"
        for name in ("ingest", "publish", "privacy", "export", "keys", "follow", "review", "migrate")
    },
}


class Finding(NamedTuple):
    """The result of one check, as it is printed."""

    check: str
    state: Literal["ok", "problem", "skipped"]
    detail: str
    remedy: str = ""


class Problem(NamedTuple):
    """Something that is wrong, and what to do about it."""

    detail: str
    remedy: str


class Passed(NamedTuple):
    """What a check found in order, or why it could not look."""

    detail: str
    is_checked: bool = True


Check = Generator[Problem, None, Passed]


def examine(settings: Settings, mistakes: dict[str, str], commands: Collection[str]) -> Iterator[Finding]:
    """Yield the findings of all checks. `commands` are those that this machine has to be able to run."""
    yield from _findings("settings", "", _settings(settings, mistakes, commands))
    stores: list[tuple[str, str, Check]] = [
        *((f"login {role}", setting, _login(settings, setting, role)) for setting, role in _ROLES.items()),
        ("migrations", "migrate_dsn", _migrations(settings)),
        ("key store", "keys_url", _key_store(settings)),
        ("usage store", "usage_url", _usage_store(settings)),
        *((f"bucket {bucket}", "s3_access_key", _bucket(settings, bucket)) for bucket in _buckets(settings)),
        ("licensed files", "signer_access_key", _licensed_files(settings)),
        ("sources", "", _sources(settings)),
        ("feeds", "ingest_dsn", _feeds(settings)),
        ("held documents", "review_dsn", _held(settings)),
    ]
    for name, setting, check in stores:
        if setting and not value_of(settings, setting):
            yield Finding(name, "skipped", f"{variable(setting)} is not set")
        else:
            yield from _findings(name, setting, check)


def _findings(name: str, setting: str, check: Check) -> Iterator[Finding]:
    """Run a check. A store that does not answer, or refuses the login, is a problem too."""
    problems = 0
    try:
        while True:
            problem = next(check)
            problems += 1
            yield Finding(name, "problem", *problem)
    except StopIteration as end:
        passed: Passed = end.value
        if not problems:
            yield Finding(name, "ok" if passed.is_checked else "skipped", passed.detail)
    except Exception as error:
        reason = str(error) if isinstance(error, ServiceError) else operators_error(error)
        if reason is None:
            raise
        remedy = f"Check that the store runs and that {variable(setting)} is right." if setting else ""
        yield Finding(name, "problem", reason, remedy)


def _settings(settings: Settings, mistakes: dict[str, str], commands: Collection[str]) -> Check:
    if not settings.model_fields_set:
        yield Problem("none is set", f"See {PAGE}.")
    wrong = mistakes | wrong_among(settings, Settings.model_fields.keys() - mistakes.keys())
    for name, why in wrong.items():
        yield Problem(f"{variable(name)} cannot be used: {why}", f"See {PAGE}.")
    needed = {name for command in commands for name in settings_of(command)}
    for name in missing_among(settings, needed):
        yield Problem(f"{variable(name)} is not set", f"{description(name)} See {PAGE}.")
    complete = [command for command in SETTINGS_OF if not missing_among(settings, settings_of(command))]
    return Passed(f"complete for {', '.join(complete)}")


def _login(settings: Settings, setting: str, role: str) -> Check:
    with connect(value_of(settings, setting)) as connection:
        server = postgres_server(connection)
    if server.login != role:
        yield Problem(f"{variable(setting)} logs in as {server.login}", f"Name the role {role} in it.")
    if server.is_superuser:
        yield Problem(f"{server.login} is a superuser", f"ALTER ROLE {server.login} NOSUPERUSER;")
    if server.is_standby and setting != "read_dsn":
        yield Problem("the server is a standby", f"Name the primary in {variable(setting)}.")
    major = server.version // 10_000
    if major < OLDEST_POSTGRES:
        yield Problem(f"PostgreSQL {major} is too old", f"Use PostgreSQL {OLDEST_POSTGRES} or newer.")
    yield from _clock(server.clock)
    return Passed(f"PostgreSQL {major}, {'standby' if server.is_standby else 'primary'}")


def _clock(clock: datetime) -> Iterator[Problem]:
    skew = abs(clock - datetime.now(UTC))
    if skew > LARGEST_SKEW:
        yield Problem(
            f"its clock differs from this machine's by {skew.total_seconds():.0f} s",
            "Synchronise both clocks: fetch times and the ends of keys depend on them.",
        )


def _migrations(settings: Settings) -> Check:
    missing = pending(settings.migrate_dsn)
    if missing:
        yield Problem(f"not applied: {', '.join(missing)}", "Run `sankofa migrate`.")
    return Passed("the schema is that of this version")


def _key_store(settings: Settings) -> Check:
    with closing(JobStore(settings.key_store())) as store:
        server = redis_server(store)
        yield from _clock(server.clock)
        if not server.is_append_only:
            yield Problem("a restart loses the keys", "Set `appendonly yes` in its Redis.")
        if server.eviction != "noeviction":
            yield Problem(
                f"it forgets keys when its memory is full ({server.eviction})",
                "Set `maxmemory-policy noeviction` in its Redis.",
            )
        if settings.follow_dsn:
            with connect(settings.follow_dsn) as connection:
                if Following(connection, store).is_behind():
                    yield Problem(
                        "it lacks decisions that PostgreSQL has",
                        "Start `sankofa follow`, or run `sankofa keys sync` once.",
                    )
    return Passed("it answers, and keeps what it is given")


def _usage_store(settings: Settings) -> Check:
    with closing(JobStore(settings.usage_store())) as store:
        yield from _clock(redis_server(store).clock)
    if settings.usage_url == settings.keys_url:
        yield Problem("it is the key store as well", "Use two Redis servers, or two databases of one.")
    return Passed("it answers")


def _buckets(settings: Settings) -> list[str]:
    return [settings.s3_bucket, settings.journal_bucket, settings.open_bucket, settings.licensed_bucket]


def _bucket(settings: Settings, bucket: str) -> Check:
    yield from ()
    if Objects(settings.objects(bucket)).probe():
        return Passed("it answers")
    return Passed("this access key may not list it", is_checked=False)


def _licensed_files(settings: Settings) -> Check:
    yield from ()
    Objects(settings.licensed_reading()).probe()
    return Passed("the access key that signs addresses is accepted")


def _sources(settings: Settings) -> Check:
    known, mistakes = read_sources(settings.sources)
    for mistake in mistakes:
        yield Problem(mistake, "See docs/operations/sources.md.")
    return Passed(f"{len(known)} are declared")


def _feeds(settings: Settings) -> Check:
    known, _ = read_sources(settings.sources)
    with connect(settings.ingest_dsn) as connection:
        listed, workers = feeds(connection, known.values()), workers_alive(connection)
    for problem in feed_problems(listed, workers, datetime.now(UTC)):
        yield Problem(problem, "See docs/operations/feeds.md.")
    return Passed(f"none is late, held or failed; workers: {workers}")


def _held(settings: Settings) -> Check:
    with connect(settings.review_dsn) as connection:
        held = waiting(connection)
    if held:
        yield Problem(f"{held:,} wait for a decision", "`sankofa held` lists them, with the reasons.")
    return Passed("none waits for a decision")
