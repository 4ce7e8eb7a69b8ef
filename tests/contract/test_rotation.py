"""KEY-13: secrets are replaced by the commands of the page, under load, and callers notice nothing."""

from __future__ import annotations

import os
import re
import signal
from contextlib import contextmanager

import httpx
import pytest

from contract.keyed import furnish
from dev.ports import unused_ports
from dev.redis_server import Redis
from dev.service import wait_until
from dev.stack import temporary_home
from sankofa.ask.cursor import CursorKeys, decode, encode
from sankofa.storage.postgres import connect
from support.deployment import Deployment
from support.repository import ROOT
from support.snippets import assert_prints, blocks, commands
from support.walkers import Walkers

PAGE = ROOT / "docs" / "operations" / "secrets.md"
TENDERS = "/v1/tenders"


@pytest.fixture(scope="module")
def deployment(module_service, tmp_path_factory):
    """A deployment with data, on stores that want passwords."""
    furnish(module_service)
    module_service.export()
    module_service.publish()
    installation = module_service.installation
    with temporary_home() as home, passwords_wanted(installation):
        installation.keys = Redis(home / "keys", "redis_keys", next(unused_ports()), persistent=False)
        installation.usage = Redis(home / "usage", "redis_usage", next(unused_ports()), persistent=False)
        for server in (installation.keys, installation.usage):
            server.start()
        deployment = Deployment(installation, tmp_path_factory.mktemp("operator"))
        deployment.api.start()
        deployment.key = deployment.issue()
        yield deployment
        for server in (deployment.api, installation.keys, installation.usage):
            server.stop()


@contextmanager
def passwords_wanted(installation):
    """Make PostgreSQL ask the API of this installation for its password; leave the stack as it was."""
    stack = installation.stack
    rules, identities = stack.postgres.data / "pg_hba.conf", stack.s3.config
    before = {file: file.read_text() for file in (rules, identities)}
    rules.write_text(f"host {installation.database} sankofa_api 127.0.0.1/32 scram-sha-256\n{before[rules]}")
    with connect(stack.postgres_dsn()) as admin:
        admin.execute("SELECT pg_reload_conf()")
        yield
        for file, text in before.items():
            file.write_text(text)
        admin.execute("SELECT pg_reload_conf()")
    os.kill(stack.s3.pid, signal.SIGHUP)


def steps():
    """Return the page's shell commands by step, and the commands of its terminals with what they print."""
    shells = [block.text for block in blocks(PAGE) if block.language == "sh"]
    terminals = [pair for block in blocks(PAGE) if block.language == "console" for pair in commands(block)]
    return dict(zip(("add", "use", "drop", "others"), shells, strict=True)), terminals


def signed_with_the_next_secret(deployment, text):
    """Return a cursor as workers will sign it once the secret that was added is in use."""
    current = deployment.secret("sankofa_cursor_key_id"), deployment.secret("sankofa_cursor_secret").encode()
    key_id, secret = re.findall('"([^"]+)"', deployment.secret("next_cursor"))
    cursor = decode(CursorKeys(current=current), "tenders", text)
    return encode(CursorKeys(current=(key_id, secret.encode())), "tenders", cursor)


def left_of_the_month(response):
    return int(re.search(r'"month";r=(\d+)', response.headers["ratelimit"])[1])


@pytest.mark.proves("KEY-13", "OPS-4", "TEN-2", "ENV-11")
def test_every_secret_is_replaced_under_load_and_nobody_notices(deployment):
    run, (log, connections, peppers) = steps()
    walkers = Walkers(lambda: deployment.client(deployment.key), TENDERS)
    with walkers.walking(), deployment.client(deployment.key) as client:
        assert wait_until(lambda: walkers.outcomes[200] > 50, 40)
        listed = client.get("/v1/export").json()["data"]
        file = next(each["url"] for each in listed if each["access"] == "licensed")
        old_link, old_page = client.get(file).headers["location"], client.get(TENDERS, params={"limit": 1})

        with deployment.replacing_workers():
            deployment.run(run["add"])
        assert client.get(TENDERS, params={"limit": 1}).headers["etag"] == old_page.headers["etag"]
        assert_prints(deployment.run(log[0]), log[1], log[0])
        coming = signed_with_the_next_secret(deployment, old_page.json()["next_cursor"])
        assert client.get(TENDERS, params={"cursor": coming}).status_code == 200
        with deployment.replacing_workers():
            deployment.run(run["use"])
            new_key = deployment.issue()
            with deployment.client(new_key, Connection="close") as new_client:
                assert {new_client.get(TENDERS).status_code for _ in range(20)} == {200}
        for command, printed in (connections, peppers):
            assert_prints(deployment.run(command), printed, command)

        new_link, new_page = client.get(file).headers["location"], client.get(TENDERS, params={"limit": 1})
        with deployment.client(new_key) as new_client:
            assert new_client.get(TENDERS, params={"limit": 1}).content == new_page.content
        assert httpx.get(old_link).content == httpx.get(new_link).content != b""
        deployment.run(run["drop"])
        assert wait_until(lambda: httpx.get(old_link).status_code == 403, 10)
        assert httpx.get(new_link).status_code == 200

        deployment.run(run["others"])
        answered = walkers.outcomes[200]
        assert wait_until(lambda: walkers.outcomes[200] > answered + 50, 40)
    print(dict(walkers.outcomes))
    assert set(walkers.outcomes) == {200}
    assert old_page.json()["data"] == new_page.json()["data"]
    assert old_page.json()["next_cursor"] != new_page.json()["next_cursor"]
    assert old_page.headers["etag"] != new_page.headers["etag"]
    assert left_of_the_month(new_page) < left_of_the_month(old_page) - 50


@pytest.mark.proves("OPS-4")
def test_a_worker_that_does_not_start_replaces_none(deployment):
    file = deployment.secrets / "sankofa_cursor_secret"
    good, workers = file.read_text(), deployment.workers
    file.write_text("too short")
    os.kill(deployment.api.pid, signal.SIGHUP)
    assert wait_until(lambda: "a new worker did not start" in deployment.api.log.read_text(), 60)
    file.write_text(good)
    assert deployment.workers == workers
    assert "too short" not in deployment.api.log.read_text()
    with deployment.client(deployment.key) as client:
        assert client.get(TENDERS).status_code == 200
