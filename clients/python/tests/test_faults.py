"""When things fail: what is asked again, for how long, and what is never asked again."""

from __future__ import annotations

import asyncio
import time
from datetime import UTC, datetime

import pytest

from faulty import DRIP, DROP, Says, faulty
from sankofa_client import (
    AsyncClient,
    Client,
    ConnectionFailed,
    DeadlineExceeded,
    Fault,
    InvalidKey,
    Unavailable,
    UnexpectedAnswer,
)
from sankofa_client._retry import Patience, Reply, Silence, retry_after

GONE = Silence("gone")


def pause(outcome, *, attempt=1, left=30.0, chance=0.0):
    return Patience(chance=lambda: chance).pause(outcome, attempt=attempt, left=left)


def reply(status, after=None):
    return Reply(status, {} if after is None else {"retry-after": after}, b"")


@pytest.mark.parametrize("status", [200, 307, 400, 401, 402, 403, 404, 405, 406, 414, 421, 500, 501])
def test_what_will_not_pass_is_never_asked_again(status):
    assert pause(reply(status, after="1")) is None


def test_the_service_says_how_long_to_wait():
    assert pause(reply(429, after="7")) == 7
    assert pause(reply(503, after="2"), chance=1.0) == 2.25
    assert pause(reply(503, after="2"), left=1.0) is None
    assert pause(reply(429, after="86400")) is None


def test_a_limit_of_the_minute_is_waited_for_if_asked_and_a_month_is_not():
    def wait(outcome, **chosen):
        return Patience(chance=lambda: 0.0, **chosen).limit(outcome)

    assert wait(reply(429, after="59"), waits_for_limits=True) == 59
    assert wait(reply(429, after="59")) is None
    assert wait(reply(429, after="86400"), waits_for_limits=True) is None
    assert wait(reply(503, after="2"), waits_for_limits=True) is None


def test_a_walk_outlasts_limits_that_come_more_often_than_it_would_ask_again(demo):
    limits = [Says(429, {"Retry-After": "0"})] * 9
    with faulty(demo.api.url, *limits) as server:
        key = demo.issue().key
        with Client(server.url, key=key, wait_for_limits=True, attempts=2) as client:
            assert client.editions().first_page.rows
        assert len(server.asked) == 10


def test_without_a_word_pauses_grow_and_differ():
    assert [pause(GONE, attempt=attempt) for attempt in (1, 2, 3)] == [0.1, 0.2, 0.4]
    assert [pause(reply(502), attempt=attempt, chance=1.0) for attempt in (1, 2, 3)] == [0.2, 0.4, 0.8]
    assert Patience(attempts=99).pause(GONE, attempt=50, left=99) <= 5.0


def test_patience_ends():
    assert pause(GONE, attempt=4) is None
    assert pause(GONE, left=0.05) is None


def test_retry_after_may_be_a_date():
    now = datetime(2024, 3, 15, 12, tzinfo=UTC)
    assert retry_after({"retry-after": "Fri, 15 Mar 2024 12:00:05 GMT"}, now) == 5
    assert retry_after({"retry-after": "Fri, 15 Mar 2024 11:00:00 GMT"}, now) == 0
    assert [retry_after({"retry-after": text}) for text in ("", "soon", "-1", "1.5")] == [None] * 4


def test_what_passes_by_itself_is_not_noticed(demo, key):
    faults = [DROP, Says(503, {"Retry-After": "1"}), Says(502)]
    with faulty(demo.api.url, *faults) as server, Client(server.url, key=key) as client:
        assert client.editions().edition == 2
        first, second, third, _ = (moment for moment, *_ in server.asked)
        assert third - second >= 1.0
        assert second - first >= 0.1


def test_the_same_holds_for_who_awaits(demo, key):
    async def ask(url):
        async with AsyncClient(url, key=key) as client:
            return (await client.editions().first_page()).edition

    with faulty(demo.api.url, DROP, Says(503)) as server:
        assert asyncio.run(ask(server.url)) == 2
        assert len(server.asked) == 3


def test_an_outage_is_told_with_its_component(demo, key):
    body = b'{"status":503,"title":"Temporarily unavailable","code":"unavailable","component":"keys"}'
    down = [Says(503, {"Retry-After": "0"}, body)] * 4
    with faulty(demo.api.url, *down) as server, Client(server.url, key=key) as client:
        with pytest.raises(Unavailable) as caught:
            client.editions().one()
        assert (caught.value.told.component, caught.value.retry_after) == ("keys", 0)
        assert len(server.asked) == 4


@pytest.mark.parametrize(
    ("says", "kind"),
    [
        (Says(401, body=b'{"status":401,"title":"No","code":"invalid-key"}'), InvalidKey),
        (Says(500, body=b'{"status":500,"title":"No","code":"fault"}'), Fault),
        (Says(404, body=b"<html>a proxy</html>"), UnexpectedAnswer),
        (Says(200, body=b"<html>a portal that wants a login</html>"), UnexpectedAnswer),
        (Says(418, body=b'{"status":418,"title":"New","code":"of-a-newer-service"}'), UnexpectedAnswer),
    ],
)
def test_a_refusal_is_asked_once(demo, key, says, kind):
    with faulty(demo.api.url, *[says] * 2) as server, Client(server.url, key=key) as client:
        with pytest.raises(kind):
            client.editions().one()
        assert len(server.asked) == 1


def test_a_page_in_place_of_a_table_is_told(demo, key):
    with (
        faulty(demo.api.url, Says(200, body=b"<html>a portal that wants a login</html>")) as server,
        Client(server.url, key=key) as client,
        pytest.raises(UnexpectedAnswer),
    ):
        client.editions().to_arrow()


def test_nobody_there_is_told():
    with Client("http://127.0.0.1:1", key="nobody", timeout=2) as client, pytest.raises(ConnectionFailed):
        client.editions().one()


def test_an_answer_that_never_ends_is_given_up_in_time(demo, key):
    async def ask(url):
        async with AsyncClient(url, key=key, timeout=0.4, attempts=1) as client:
            await client.editions().one()

    with faulty(demo.api.url, DRIP, DRIP) as server:
        began = time.monotonic()
        with Client(server.url, key=key, timeout=0.4, attempts=1) as client, pytest.raises(DeadlineExceeded):
            client.editions().one()
        with pytest.raises(DeadlineExceeded):
            asyncio.run(ask(server.url))
        assert time.monotonic() - began < 5
