"""KEY-3, KEY-4, KEY-6: never more than the limit in any sliding minute, exactly the month's cap."""

from __future__ import annotations

import asyncio
import calendar
import multiprocessing
import random
import re
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime, timedelta
from importlib import resources

import pytest
from redis import Redis as Client

from sankofa.access.decision import Decision
from sankofa.access.limiter import Limiter, LimiterOptions
from sankofa.access.ratelimit_fields import fields
from sankofa.storage.redis import RedisOptions, Store
from support.usage_store import caller, limiting, month_keys, worst_minute

SOURCE = resources.files("sankofa.access").joinpath("limiter.lua").read_text()
FUNCTIONS = SOURCE.partition("\n")[2].partition("redis.register_function")[0]
COUNTERS, MANY = ["b", "m", "r"], 10**9
PATIENCE = timedelta(seconds=10)  # 64 clients at once: it is counts that matter, not how soon they come
# The same functions under a clock that the caller chooses.
TAKE_AT = FUNCTIONS + "return take(KEYS, ARGV, tonumber(ARGV[6]))"
# The same under the server's clock run 40 times as fast; what it admits is logged with that clock's time.
SPEED = 40
TAKE_FAST = f"""{FUNCTIONS}
local clock = redis.call('TIME')
local micros = (clock[1] % 1000000 * 1000000 + clock[2]) * {SPEED}
local answer = take(KEYS, ARGV, math.floor(micros / 1000000) + 1800000000)
if answer[1] == 0 then redis.call('RPUSH', 'admitted', string.format('%.0f', micros)) end
return answer[1]
"""


async def until_refused(limiter, who, most=10_000):
    admitted = []
    for _ in range(most):
        decision = await limiter.take(who)
        if decision.violation:
            return admitted, decision
        admitted.append(decision)
    return admitted, None


# The sliding minute


@pytest.mark.parametrize("seed", range(4))
def test_any_arrivals_are_decided_as_the_rule_says(usage_client, seed):
    print("seed", seed)
    chance = random.Random(seed)
    limit = chance.choice([1, 7, 30])
    take = usage_client.register_script(TAKE_AT)
    now, admitted = 1_800_000_000.0, []
    for _ in range(1_500):
        now += chance.choice(
            [0, 0, 0.01, 0.4, 3, 3, 20, 59.5, 200] if chance.random() < 0.2 else [0, 0.2, 0.5]
        )
        second = int(now)
        counted = [moment for moment in admitted if int(moment) >= second - 60]
        refused, _, remaining, reset, *_ = take(COUNTERS, [limit, 1_000_000, MANY, 0, MANY, second])
        assert (refused == 1) == (len(counted) >= limit)
        if not refused:
            admitted.append(now)
            counted.append(now)
        assert remaining == limit - len(counted)
        assert reset == int(counted[0]) + 61 - second
    assert worst_minute(admitted, 60) <= limit
    assert len(admitted) > limit


def test_retry_after_is_long_enough_and_no_longer(usage_client):
    take = usage_client.register_script(TAKE_AT)
    start = 1_800_000_000
    for offset in (0, 0, 5, 20):
        assert take(COUNTERS, [4, 1_000, MANY, 0, MANY, start + offset])[0] == 0
    refused, _, _, reset, *_ = take(COUNTERS, [4, 1_000, MANY, 0, MANY, start + 20])
    assert (refused, reset) == (1, 41)
    assert take(COUNTERS, [4, 1_000, MANY, 0, MANY, start + 60])[0] == 1
    # A lower limit must wait for more to leave: both of the first second and the one five later.
    assert take(COUNTERS, [2, 1_000, MANY, 0, MANY, start + 20])[3] == 46
    assert take(COUNTERS, [4, 1_000, MANY, 0, MANY, start + 61])[0] == 0


def test_a_clock_set_back_never_admits_more(usage_client):
    take = usage_client.register_script(TAKE_AT)
    start = 1_800_000_000
    assert [take(COUNTERS, [2, 1_000, MANY, 0, MANY, start])[0] for _ in range(2)] == [0, 0]
    assert take(COUNTERS, [2, 1_000, MANY, 0, MANY, start - 30])[0] == 1
    assert take(COUNTERS, [2, 1_000, MANY, 0, MANY, start - 3_600])[0] == 0


def hammer(url, limit, seconds):
    """Be one process of 32 clients; return how many requests were admitted."""

    names = ("u:{k}:burst", "u:{k}:month", "u:{k}:rows")

    async def one(store):
        loop = asyncio.get_running_loop()
        end, admitted = loop.time() + seconds, 0
        while loop.time() < end:
            reply = await store.ask("EVALSHA", digest, 3, *names, limit, MANY, MANY, 0, MANY, 0)
            admitted += reply == 0
        return admitted

    async def run():
        store = Store(RedisOptions(url=url, component="usage", command=PATIENCE))
        try:
            return sum(await asyncio.gather(*(one(store) for _ in range(32))))
        finally:
            await store.close()

    with Client.from_url(url) as loader:
        digest = loader.script_load(TAKE_FAST)
    return asyncio.run(run())


def test_two_processes_of_32_clients_never_exceed_any_sliding_minute(usage_server, usage_client):
    limit = 120
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as processes:
        work = [processes.submit(hammer, usage_server.url, limit, 6) for _ in range(2)]
        admitted = sum(each.result() for each in work)
    moments = [int(text) / 1_000_000 for text in usage_client.lrange("admitted", 0, -1)]
    elapsed = moments[-1] - moments[0]
    print(f"{admitted} admitted in {elapsed:.0f} s of {SPEED}-fold time")
    assert elapsed > 150, "several minutes must have slid by"
    assert len(moments) == admitted
    assert worst_minute(moments, 60) == limit
    assert admitted >= limit * (elapsed // 61)
    assert list(month_keys(usage_client).values()) == [str(admitted)]


def take_and_refund(url, limit):
    """Be one process: 32 clients that ask until refused, giving every fourth request back."""

    async def run():
        store = Store(RedisOptions(url=url, component="usage", command=PATIENCE))
        limiter, who = Limiter(store, LimiterOptions()), caller(limit, 100_000)

        async def one(number):
            counts = [0, 0]
            for turn in range(number, number + limit):
                decision = await limiter.take(who)
                if decision.violation is None:
                    counts[turn % 4 == 0] += 1
                    if turn % 4 == 0:
                        await limiter.refund(decision)
            return counts

        try:
            each = await asyncio.gather(*(one(number) for number in range(32)))
            return [sum(counts) for counts in zip(*each, strict=True)]
        finally:
            await store.close()

    return asyncio.run(run())


def test_counts_are_exact_under_concurrency_and_refunds(usage_server, usage_client):
    limit = 150
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as processes:
        work = [processes.submit(take_and_refund, usage_server.url, limit) for _ in range(2)]
        kept, given_back = map(sum, zip(*(each.result() for each in work), strict=True))
    assert given_back
    assert kept + given_back == limit
    assert list(month_keys(usage_client).values()) == [str(kept)]

    async def one_more(limiter):
        return await limiter.take(caller(limit, 100_000))

    assert limiting(usage_server, one_more).violation.policy == "burst"


# The month


def test_the_month_is_a_utc_calendar_month(usage_client):
    month_of = usage_client.register_script(
        FUNCTIONS + "local m = month_of(tonumber(ARGV[1])) return {m.name, m.first, m.following}"
    )
    for year in (2024, 2026, 2027, 2028, 2099, 2100, 2101):
        for month in range(1, 13):
            first = calendar.timegm((year, month, 1, 0, 0, 0))
            following = calendar.timegm((year + month // 12, month % 12 + 1, 1, 0, 0, 0))
            for moment in (first, first + 1_000_000, following - 1):
                assert month_of([], [moment]) == [f"{year}-{month:02}", first, following]


def test_the_month_is_kept_under_its_name_and_expires_after_it(usage_server, usage_client):
    async def once(limiter):
        return await limiter.take(caller())

    decision = limiting(usage_server, once)
    now = datetime.fromtimestamp(usage_client.time()[0], UTC)
    following = calendar.timegm((now.year + now.month // 12, now.month % 12 + 1, 1, 0, 0, 0))
    name = f"u:{{a1b2c3d4e5f6}}:month:{now:%Y-%m}"
    assert month_keys(usage_client) == {name: "1"}
    assert usage_client.expiretime(name) == following + 86_400
    assert abs(decision.windows[1].reset - (following - now.timestamp())) <= 2


def test_a_month_ends_and_the_next_begins(usage_client):
    take = usage_client.register_script(TAKE_AT)
    end = calendar.timegm((2027, 3, 1, 0, 0, 0))
    verdicts = [take(COUNTERS, [100, 3, MANY, 0, MANY, end - 2])[0] for _ in range(4)]
    assert verdicts == [0, 0, 0, 2]
    assert take(COUNTERS, [100, 3, MANY, 0, MANY, end - 1])[4:6] == [0, 1]
    refused, month, _, _, remaining, reset, *_ = take(COUNTERS, [100, 3, MANY, 0, MANY, end])
    assert (refused, month, remaining, reset) == (0, "2027-03", 2, 31 * 86_400)
    assert (usage_client.get("m:2027-02"), usage_client.get("m:2027-03")) == ("3", "1")


def test_the_monthly_cap_refuses_with_the_time_to_its_end(usage_server, usage_client):
    async def act(limiter):
        return await until_refused(limiter, caller(60, 5))

    admitted, refusal = limiting(usage_server, act)
    assert len(admitted) == 5
    assert refusal.violation.policy == "month"
    assert refusal.violation.quota == 5
    assert refusal.violation.retry_after == refusal.windows[1].reset
    assert [window.remaining for window in refusal.windows[:2]] == [55, 0]
    assert list(month_keys(usage_client).values()) == ["5"]


# Giving back


def test_a_refund_gives_back_to_the_month_and_not_to_the_minute(usage_server, usage_client):
    who = caller(5, 100)

    async def act(limiter):
        admitted, refusal = await until_refused(limiter, who)
        assert len(admitted) == 5
        await limiter.refund(refusal)
        await limiter.refund(admitted[2])
        await limiter.refund(admitted[3])
        return (await limiter.take(who)).violation

    assert limiting(usage_server, act).policy == "burst"
    assert list(month_keys(usage_client).values()) == ["3"]


# Rows


def test_rows_are_counted_by_the_next_request_and_slide_out_with_the_minute(usage_client):
    take = usage_client.register_script(TAKE_AT)
    start = 1_800_000_000

    def asked(sent, second):
        refused, _, _, _, _, _, remaining, reset, *_ = take(
            COUNTERS, [100, 1_000, 500, sent, MANY, start + second]
        )
        return refused, remaining, reset

    assert asked(0, 0) == (0, 500, 0)
    assert asked(200, 0) == (0, 300, 61)
    assert asked(299, 10) == (0, 1, 51)
    assert asked(700, 20) == (3, 0, 61)  # sent already: they count, and this request is refused
    assert asked(0, 61) == (3, 0, 20)
    assert asked(0, 80) == (3, 0, 1)
    assert asked(0, 81) == (0, 500, 0)


def test_a_caller_that_was_sent_its_rows_waits_and_others_do_not(usage_server, usage_client):
    async def act(limiter):
        for _ in range(3):
            assert (await limiter.take(caller(rows=100))).violation is None
            limiter.sent(caller(rows=100), 40)
        refusal = await limiter.take(caller(rows=100))
        other = await limiter.take(caller(rows=100, key_id="f" * 12))
        return refusal, other.violation

    refusal, other = limiting(usage_server, act)
    assert (refusal.violation.policy, refusal.violation.quota) == ("rows", 100)
    assert 0 < refusal.violation.retry_after <= 61
    assert other is None
    assert sorted(month_keys(usage_client).values()) == ["1", "3"]


# Public keys


def test_a_public_key_counts_each_client_under_one_ceiling(usage_server, usage_client):
    async def act(limiter):
        first = await until_refused(limiter, caller(10, client="203.0.113.7"))
        second = await until_refused(limiter, caller(10, client="2001:db8:1:2::/64"))
        third = await until_refused(limiter, caller(10, client="203.0.113.8"))
        other_key = await until_refused(limiter, caller(10, key_id="f" * 12, client="203.0.113.8"))
        return [
            (len(admitted), refusal.violation.policy)
            for admitted, refusal in (first, second, third, other_key)
        ]

    assert limiting(usage_server, act, public_ceiling=25) == [
        (10, "burst"),
        (10, "burst"),
        (5, "ceiling"),
        (10, "burst"),
    ]
    assert sorted(month_keys(usage_client).values()) == ["10", "10", "10", "5"]


# Keeping house


def test_every_counter_expires_and_stands_under_its_keys_tag(usage_server, usage_client):
    async def act(limiter):
        for who in (caller(), caller(client="203.0.113.7")):
            await limiter.take(who)
            limiter.sent(who, 1)
            await limiter.take(who)
        await limiter.probe()

    limiting(usage_server, act)
    names = usage_client.keys()
    assert all(re.fullmatch(r"(answer:)?u:\{(a1b2c3d4e5f6|probe)\}:.+", name) for name in names)
    assert all(usage_client.pttl(name) != -1 for name in names)
    # Beside them stand the answers, each kept for a moment.
    names = [name for name in names if not name.startswith("answer:")]
    assert len(names) == 3 + 4 + 2
    assert all(usage_client.ttl(name) > 0 for name in names)
    assert all(usage_client.ttl(name) <= 64 for name in names if ":month" not in name)


def test_a_server_that_lost_the_functions_is_given_them_again(usage_server, usage_client):
    async def act(limiter):
        usage_client.function_flush()
        before = await limiter.take(caller())
        usage_client.function_flush()
        await limiter.refund(before)
        return [before, await limiter.take(caller())]

    decisions = limiting(usage_server, act)
    assert [decision.degraded for decision in decisions] == [False, False]
    assert [window.remaining for window in decisions[1].windows[:2]] == [58, 4_999]


@pytest.mark.usefixtures("usage_client")
def test_the_fields_say_where_the_caller_stands(usage_server):
    async def act(limiter):
        return await limiter.take(caller())

    decision = limiting(usage_server, act)
    assert fields(decision) == {
        "RateLimit-Policy": '"burst";q=60;w=60, "month";q=5000, "rows";q=30000;w=60',
        "RateLimit": (f'"burst";r=59;t=61, "month";r=4999;t={decision.windows[1].reset}, "rows";r=30000;t=0'),
    }
    assert fields(Decision(degraded=True)) == {}
