"""The local stack keeps its promises: data stays, crashes are survived, strangers are named."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path

import obstore
import psycopg
import pytest
from redis import Redis as RedisClient
from redis.exceptions import TimeoutError as RedisTimeoutError

from dev.__main__ import status
from dev.ports import Ports, unused_ports
from dev.postgres import Postgres
from dev.process import is_frozen, is_gone
from dev.redis_server import Redis
from dev.service import StackError, wait_until
from dev.stack import ROOT, Stack, temporary_home


@pytest.fixture(scope="module")
def stack() -> Iterator[Stack]:
    with Stack.throwaway() as running:
        write(running, "0")
        yield running


@pytest.fixture
def home() -> Iterator[Path]:
    with temporary_home() as folder:
        yield folder


def write(stack: Stack, text: str) -> None:
    with psycopg.connect(stack.postgres_dsn()) as session:
        session.execute("CREATE TABLE IF NOT EXISTS kept (line text)")
        session.execute("INSERT INTO kept VALUES (%s)", [text])
    with RedisClient.from_url(stack.redis_keys_url) as keys:
        keys.set("kept", text)
    obstore.put(stack.s3.store("documents"), "kept", text.encode())


def kept(stack: Stack) -> tuple[list[str], str, str]:
    with psycopg.connect(stack.postgres_dsn()) as session:
        lines = [line for (line,) in session.execute("SELECT line FROM kept ORDER BY line")]
    with RedisClient.from_url(stack.redis_keys_url, decode_responses=True) as keys:
        value = keys.get("kept")
    return lines, value, bytes(obstore.get(stack.s3.store("documents"), "kept").bytes()).decode()


def same(stack: Stack) -> Stack:
    """Describe the same stack again, as the next run of a program would."""
    return Stack(stack.home, stack.ports, durable=False, shared_buffers="128MB")


def pids(stack: Stack) -> list[int | None]:
    return [service.pid for service in stack.services]


def await_that(condition: Callable[[], bool]) -> None:
    assert wait_until(condition, 10), "the condition did not come true in time"


def test_starting_twice_keeps_what_runs(stack):
    before = pids(stack)
    stack.start()
    same(stack).start()
    assert None not in before
    assert pids(stack) == before


def test_stopping_and_starting_keeps_the_data(stack):
    write(stack, "1")
    stack.stop()
    assert pids(stack) == [None] * 4
    stack.start()
    assert kept(stack) == (["0", "1"], "1", "1")


def test_killing_everything_and_starting_keeps_the_data(stack):
    write(stack, "2")
    for service in stack.services:
        service.kill9()
    assert pids(stack) == [None] * 4
    again = same(stack)
    again.start()
    assert kept(again) == (["0", "1", "2"], "2", "2")


def test_anonymous_callers_read_the_open_bucket_only(stack):
    for bucket in ("open-panels", "licensed"):
        obstore.put(stack.s3.store(bucket), "panel", b"rows")
    statuses = {}
    for path in ("open-panels/panel", "open-panels/", "licensed/panel"):
        with socket.create_connection(("127.0.0.1", stack.ports.s3)) as connection:
            connection.sendall(f"GET /{path} HTTP/1.0\r\nHost: 127.0.0.1:{stack.ports.s3}\r\n\r\n".encode())
            statuses[path] = int(connection.makefile().readline().split()[1])
    assert statuses == {"open-panels/panel": 200, "open-panels/": 403, "licensed/panel": 403}


def test_a_paused_store_is_silent_until_it_is_resumed(stack):
    with RedisClient.from_url(stack.redis_usage_url, socket_timeout=0.3, retry=None) as client:
        stack.redis_usage.pause()
        with pytest.raises(RedisTimeoutError):
            client.ping()
        stack.redis_usage.resume()
        assert client.ping()


def test_pausing_postgres_freezes_sessions_that_are_already_open(stack):
    with psycopg.connect(stack.postgres_dsn()) as session:
        session.execute("SELECT 1")
        stack.postgres.pause()
        frozen = [is_frozen(pid) for pid in (stack.postgres.pid, session.info.backend_pid)]
        same(stack).postgres.start()
        assert frozen == [True, True]
        assert session.execute("SELECT 2").fetchone() == (2,)


def test_a_replica_follows_and_its_replay_can_be_paused(stack, home):
    replica = stack.postgres.replica(home / "replica", next(unused_ports()))
    replica.start()
    try:
        with (
            psycopg.connect(stack.postgres_dsn(), autocommit=True) as primary,
            psycopg.connect(replica.dsn(), autocommit=True) as standby,
        ):

            def count() -> int:
                return standby.execute("SELECT count(*) FROM followed").fetchone()[0]

            def replayed() -> bool:
                written = primary.execute("SELECT pg_current_wal_lsn()").fetchone()[0]
                asked = standby.execute("SELECT pg_last_wal_replay_lsn() >= %s", [written])
                return asked.fetchone()[0]

            primary.execute("CREATE TABLE followed (n int)")
            await_that(replayed)
            assert standby.execute("SELECT pg_is_in_recovery()").fetchone() == (True,)
            standby.execute("SELECT pg_wal_replay_pause()")
            await_that(
                lambda: standby.execute("SELECT pg_get_wal_replay_pause_state()").fetchone() == ("paused",)
            )
            primary.execute("INSERT INTO followed VALUES (1)")
            flushed = "SELECT flush_lsn >= pg_current_wal_lsn() FROM pg_stat_replication"
            await_that(lambda: primary.execute(flushed).fetchone() == (True,))
            assert count() == 0
            standby.execute("SELECT pg_wal_replay_resume()")
            await_that(lambda: count() == 1)
        replica.kill9()
        replica.start()
        assert replica.alive
    finally:
        replica.destroy()


def test_a_pid_file_that_names_a_living_stranger_does_not_stop_postgres(home):
    postgres = Postgres(home / "postgres", next(unused_ports()), durable=False)
    postgres.start()
    stranger = subprocess.Popen(["sleep", "60"], **postgres.identity)
    try:
        postgres.kill9()
        lock = postgres.data / "postmaster.pid"
        lines = lock.read_text().splitlines()
        lock.write_text("\n".join([str(stranger.pid), *lines[1:]]) + "\n")
        postgres.start()
        assert postgres.ready()
        assert stranger.poll() is None
    finally:
        postgres.destroy()
        stranger.kill()
        stranger.wait()


def test_a_session_that_outlived_its_server_does_not_stop_the_next_one(home):
    postgres = Postgres(home / "postgres", next(unused_ports()), durable=False)
    postgres.start()
    try:
        with psycopg.connect(postgres.dsn()) as session:
            session.pgconn.send_query(b"SELECT sum(n) FROM generate_series(1, 1e9) n")
            os.kill(postgres.pid, signal.SIGKILL)
            await_that(lambda: not postgres.alive)
            assert not is_gone(session.info.backend_pid)
            postgres.start()
            assert postgres.ready()
            assert is_gone(session.info.backend_pid)
            session.pgconn.finish()
    finally:
        postgres.destroy()


def test_an_interrupted_creation_is_begun_again(home):
    postgres = Postgres(home / "postgres", next(unused_ports()), durable=False)
    half_made = postgres.home / "data.unfinished"
    half_made.mkdir(parents=True)
    (half_made / "PG_VERSION").write_text("15\n")
    try:
        postgres.start()
        assert postgres.ready()
    finally:
        postgres.destroy()
    assert not postgres.home.exists()


def test_what_a_killed_run_left_is_taken_over(home):
    ports = Ports.free()
    run = (
        "import os, signal; from pathlib import Path; from dev.redis_server import Redis;"
        f"Redis(Path({str(home)!r}), 'redis_keys', {ports.redis_keys}, persistent=True).start();"
        "os.kill(os.getpid(), signal.SIGKILL)"
    )
    killed = subprocess.run([sys.executable, "-c", run], cwd=ROOT, check=False)
    assert killed.returncode == -signal.SIGKILL
    found = Redis(home, "redis_keys", ports.redis_keys, persistent=True)
    moved = Redis(home, "redis_keys", ports.redis_usage, persistent=True)
    try:
        left = found.pid
        assert left is not None
        found.start()
        assert found.pid == left
        moved.start()
        assert moved.pid != left
        assert moved.ready()
        assert not found.ready()
    finally:
        found.destroy()


def test_one_variable_moves_every_port(monkeypatch):
    monkeypatch.delenv("SANKOFA_DEV_PORT_OFFSET", raising=False)
    usual = asdict(Ports.default())
    monkeypatch.setenv("SANKOFA_DEV_PORT_OFFSET", "100")
    assert asdict(Ports.default()) == {name: port + 100 for name, port in usual.items()}
    assert Stack.local().s3_endpoint == f"http://127.0.0.1:{usual['s3'] + 100}"


@pytest.mark.parametrize("offset", ["many", "1.5", "60000", "-9000"])
def test_an_offset_that_no_port_can_have_is_refused(monkeypatch, offset):
    monkeypatch.setenv("SANKOFA_DEV_PORT_OFFSET", offset)
    with pytest.raises(StackError, match="SANKOFA_DEV_PORT_OFFSET"):
        Stack.local()


def test_no_server_listens_on_a_port_that_the_offset_does_not_move(stack):
    for service in stack.services:
        assert listening(service.pid) == set(service.ports.values())
    declared = {port for service in stack.services for port in service.ports.values()}
    on_top = {stack.ports.api, stack.ports.edge, stack.ports.edge_purges}
    assert declared == set(asdict(stack.ports).values()) - on_top


def listening(pid: int) -> set[int]:
    """Return the TCP ports on which a process listens."""
    held = {str(entry.readlink()) for entry in Path(f"/proc/{pid}/fd").iterdir() if entry.is_symlink()}
    lines = [
        line.split()
        for table in ("tcp", "tcp6")
        for line in Path(f"/proc/{pid}/net/{table}").read_text().splitlines()[1:]
    ]
    return {
        int(local.rpartition(":")[2], 16)
        for _, local, _, state, *_, inode in (line[:10] for line in lines)
        if state == "0A" and f"socket:[{inode}]" in held
    }


def test_a_port_taken_by_a_stranger_is_named_with_the_variable_that_moves_it(home):
    ports = Ports.free()
    service = Redis(home, "redis_keys", ports.redis_keys, persistent=True)
    with socket.create_server(("127.0.0.1", ports.redis_keys)):
        with pytest.raises(StackError, match=rf"port {ports.redis_keys} .* SANKOFA_DEV_PORT_OFFSET=100"):
            service.start()
        assert not service.alive


def test_a_failed_start_shows_the_end_of_the_log(home):
    service = Redis(home, "redis_keys", next(unused_ports()), persistent=True)
    (home / "appendonlydir").mkdir()
    (home / "appendonlydir" / "appendonly.aof.manifest").write_text("not a manifest\n")
    with pytest.raises(StackError, match=r"(?s)redis_keys ended while starting.*Invalid AOF manifest"):
        service.start()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root hands PostgreSQL to another user")
def test_a_home_the_postgres_user_cannot_enter_is_no_obstacle(home):
    closed = home / "closed"
    closed.mkdir(mode=0o700)
    postgres = Postgres(closed / "postgres", next(unused_ports()), durable=False)
    try:
        postgres.start()
        assert postgres.ready()
        assert closed not in postgres.home.parents
    finally:
        postgres.destroy()
    assert not postgres.home.exists()


def test_status_lists_every_process(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status(Stack(home, Ports.free()))
    listed = [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    on_top = ["edge", "varnish", "worker", "follower", "api"]
    assert listed == ["postgres", "redis_keys", "redis_usage", "s3", *on_top]
