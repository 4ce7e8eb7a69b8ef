"""KEY-2, KEY-4, KEY-6, KEY-9, KEY-10: who is admitted, in which order the checks come, and why not."""

from __future__ import annotations

import asyncio
import hashlib
import time

import pytest
from redis import Redis as Client

from dev.installation import Installation
from dev.ports import unused_ports
from dev.redis_server import Redis
from dev.stack import temporary_home
from sankofa.access import records
from sankofa.access.caller import Caller
from sankofa.access.decision import LimitReached
from sankofa.access.gate import Gate, GateOptions
from sankofa.access.keys import KeyHash, generate
from sankofa.access.limiter import LimiterOptions
from sankofa.access.ratelimit_fields import fields
from sankofa.access.registry import Registry
from sankofa.access.tiers import Tiers
from sankofa.core.errors import StoreUnavailable, Unauthorised
from sankofa.storage.key_events import KeyEvents
from sankofa.storage.objects import Objects
from sankofa.storage.postgres import connect
from sankofa.storage.redis import JobStore, RedisOptions

PEPPER = b"a pepper for tests only"
HERE = "203.0.113.7"
NOWHERE = "redis://127.0.0.1:1/0"
CALLERS = 300  # that wait, each for its answer of 50 ms in one of five places: 3 s


@pytest.fixture(scope="module")
def servers():
    with temporary_home() as home:
        servers = [
            Redis(home / name, name, next(unused_ports()), persistent=False)
            for name in ("redis_keys", "redis_usage")
        ]
        for server in servers:
            server.start()
        yield servers
        for server in servers:
            server.destroy()


@pytest.fixture(scope="module")
def installation(stack):
    installation = Installation(stack, "test_gate")
    installation.prepare()
    return installation


@pytest.fixture(scope="module")
def connection(installation):
    with connect(installation.dsn("keys")) as connection:
        yield connection


@pytest.fixture
def key_store(servers):
    with Client.from_url(servers[0].url, decode_responses=True) as client:
        yield client


@pytest.fixture
def make_registry(installation, connection, servers):
    """Return a maker of registries that hash keys in a way of their own."""
    store = JobStore(RedisOptions(url=servers[0].url, component="keys"))
    journal = Objects(installation.settings().journal())
    yield lambda hashing: Registry(connection, store, hashing, journal, operator="a test")
    store.close()


@pytest.fixture
def registry(make_registry, key_store):
    key_store.flushall()
    registry = make_registry(KeyHash(PEPPER))
    registry.sync()
    return registry


@pytest.fixture
def gated(servers, connection):
    """Return a runner of async acts on a gate that reads the registry itself."""

    def key_events():
        rows = connection.execute("SELECT event, key_id FROM ops.key_event ORDER BY event DESC LIMIT 100")
        events = rows.fetchall()
        return KeyEvents(events[0][0] if events else 0, [key_id for _, key_id in events])

    def run(act, key_events=key_events, **options):
        urls = {"keys_url": servers[0].url, "usage_url": servers[1].url}
        options = GateOptions(**{**urls, "hashing": KeyHash(PEPPER), **options})

        async def inside():
            async with Gate(options, key_events) as gate:
                return await act(gate)

        return asyncio.run(inside())

    return run


async def refusal(gate, key, address=HERE):
    with pytest.raises((Unauthorised, StoreUnavailable, LimitReached)) as caught:
        await gate.admit(key, address)
    return caught.value


def test_a_valid_key_becomes_a_caller_within_limits(registry, gated):
    issued = registry.issue("starter", "a customer")
    caller, decision = gated(lambda gate: gate.admit(issued.key, HERE))
    assert caller.key_id == issued.key_id
    assert caller.tier == Tiers().named("starter")
    assert not caller.is_public
    assert caller.client_prefix is None
    policies = '"burst";q=300;w=60, "month";q=250000, "rows";q=120000;w=60'
    assert fields(decision)["RateLimit-Policy"] == policies
    assert issued.key not in repr((caller, decision))


def test_a_public_key_is_counted_per_client_prefix(registry, gated):
    issued = registry.issue("sample", "the sandbox", public=True)
    caller, decision = gated(lambda gate: gate.admit(issued.key, "2001:db8:1:2:3::9"))
    assert caller.is_public
    assert caller.client_prefix == "2001:db8:1:2::/64"
    assert [window.policy for window in decision.windows] == ["burst", "month", "rows", "ceiling"]


def test_a_request_that_would_come_too_late_is_refused_before_it_is_counted(registry, gated):
    issued = registry.issue("starter", "a customer")

    async def hold(gate, number):
        caller = Caller(key_id=f"{number:012}", tier=Tiers().named("starter"))
        async with gate.turn(caller, is_large=False):
            await asyncio.Event().wait()

    async def act(gate):
        _, before = await gate.admit(issued.key, HERE)
        callers = [asyncio.create_task(hold(gate, number)) for number in range(CALLERS)]
        await asyncio.sleep(0)
        with pytest.raises(StoreUnavailable) as refused:
            await gate.admit(issued.key, HERE, is_at_hand=lambda _caller: False)
        _, after = await gate.admit(issued.key, HERE, is_at_hand=lambda _caller: True)
        for task in callers:
            task.cancel()
        await asyncio.gather(*callers, return_exceptions=True)
        return before, refused.value, after

    before, refused, after = gated(act)
    assert refused.retry_after >= 3
    for was, left in zip(before.windows[:2], after.windows[:2], strict=True):
        assert left.remaining == was.remaining - 1


@pytest.mark.parametrize("key", [None, "", "snk_", "snk_" + "0" * 36, "x" * 10_000])
def test_a_key_that_cannot_be_one_needs_no_store(gated, key):
    caught = gated(lambda gate: refusal(gate, key), keys_url=NOWHERE, usage_url=NOWHERE)
    assert isinstance(caught, Unauthorised)


def test_missing_malformed_unknown_and_revoked_are_one(registry, gated):
    revoked = registry.issue("sample", "gone")
    registry.revoke(revoked.key_id)

    async def act(gate):
        return [await refusal(gate, key) for key in (None, "nonsense", generate(), revoked.key)]

    caught = gated(act)
    assert {(type(error), str(error), error.args) for error in caught} == {
        (Unauthorised, str(caught[0]), caught[0].args)
    }


def test_without_a_key_store_nobody_is_called_unauthorised(registry, gated):
    issued = registry.issue("sample", "valid")
    for key in (issued.key, generate()):
        caught = gated(lambda gate, key=key: refusal(gate, key), keys_url=NOWHERE)
        assert (type(caught), caught.component) == (StoreUnavailable, "keys")


def test_a_key_store_that_lost_its_contents_is_unavailable(registry, gated, key_store):
    issued = registry.issue("sample", "valid")

    async def act(gate):
        key_store.flushall()
        return [await refusal(gate, key) for key in (issued.key, generate())], await gate.probe()

    caught, health = gated(act)
    assert [(type(error), error.component) for error in caught] == [(StoreUnavailable, "keys")] * 2
    assert (health["keys"].ok, health["usage"].ok) == (False, True)


def test_a_key_store_gone_back_in_time_judges_no_key_whose_events_it_lacks(registry, gated, key_store):
    first = registry.issue("sample", "valid")
    older = key_store.get(records.SENTINEL)
    second, third = (registry.issue("sample", label) for label in ("valid too", "valid as well"))

    async def act(gate):
        await gate.admit(second.key, HERE)
        key_store.set(records.SENTINEL, older)
        await gate.admit(first.key, HERE)
        return [await refusal(gate, key) for key in (third.key, generate())], await gate.probe()

    (of_third, of_stranger), health = gated(act)
    assert (type(of_third), of_third.component) == (StoreUnavailable, "keys")
    assert isinstance(of_stranger, Unauthorised)
    assert (health["keys"].ok, health["keys"].stops) == (False, False)


def test_a_key_store_gone_back_further_than_a_lagging_server_shows_judges_no_key(registry, gated, key_store):
    first = registry.issue("sample", "valid")
    older = key_store.get(records.SENTINEL)
    second, third = (registry.issue("sample", label) for label in ("valid too", "valid as well"))

    async def act(gate):
        await gate.admit(second.key, HERE)
        key_store.set(records.SENTINEL, older)
        return [await refusal(gate, key) for key in (first.key, third.key, generate())]

    caught = gated(act, key_events=lambda: KeyEvents(int(older), [first.key_id]))
    assert [(type(error), error.component) for error in caught] == [(StoreUnavailable, "keys")] * 3


def test_a_new_process_does_not_trust_a_key_store_that_lacks_too_many_events(registry, gated, key_store):
    first = registry.issue("sample", "valid")
    older = key_store.get(records.SENTINEL)
    for number in range(101):
        registry.issue("sample", f"valid too, {number}")
    key_store.set(records.SENTINEL, older)

    async def act(gate):
        caught = [await refusal(gate, key) for key in (first.key, generate())]
        return caught, await gate.probe()

    caught, health = gated(act)
    assert [(type(error), error.component) for error in caught] == [(StoreUnavailable, "keys")] * 2
    assert (health["keys"].ok, health["keys"].stops, health["usage"].ok) == (False, True, True)


def test_a_remembered_key_is_judged_anew_only_after_an_event_of_its_own(registry, gated, key_store):
    first, second = (registry.issue("sample", label) for label in ("first", "second"))

    async def act(gate):
        for issued in (first, second):
            await gate.admit(issued.key, HERE)
        registry.change_tier(second.key_id, "starter")
        key_store.config_resetstat()
        await gate.admit(first.key, HERE)
        before = key_store.info("commandstats")
        caller, _ = await gate.admit(second.key, HERE)
        return "cmdstat_mget" in before, caller.tier.name

    assert gated(act) == (False, "starter")


def test_without_word_from_the_registry_nobody_is_admitted_or_refused(registry, gated):
    issued = registry.issue("sample", "valid")
    for key in (issued.key, generate()):
        caught = gated(lambda gate, key=key: refusal(gate, key), key_events=lambda: None)
        assert (type(caught), caught.component) == (StoreUnavailable, "keys")


def test_a_request_between_record_and_key_store_waits_for_the_store(registry, gated, key_store):
    registry.issue("sample", "valid")
    older = key_store.get(records.SENTINEL)
    second = registry.issue("sample", "valid too")

    async def act(gate):
        newer = key_store.getset(records.SENTINEL, older)
        asyncio.get_running_loop().call_later(0.1, key_store.set, records.SENTINEL, newer)
        admitted = await gate.admit(second.key, HERE)
        assert key_store.get(records.SENTINEL) == newer
        return admitted

    caller, _ = gated(act)
    assert caller.key_id == second.key_id


@pytest.mark.parametrize("text", ["nonsense", "{}", '{"tier":"gold","is_public":false}'])
def test_a_record_that_cannot_be_read_is_no_reason_to_refuse_the_key(registry, gated, key_store, text):
    issued = registry.issue("sample", "damaged")
    key_store.set(records.name(KeyHash(PEPPER).of(issued.key)), text)
    caught = gated(lambda gate: refusal(gate, issued.key))
    assert (type(caught), caught.component) == (StoreUnavailable, "keys")


@pytest.mark.usefixtures("registry")
def test_a_planted_row_is_useless_without_the_pepper(gated, key_store):
    key = generate()
    for planted in (hashlib.sha256(key.encode()).hexdigest(), KeyHash(PEPPER + b"?").of(key)):
        key_store.set(records.name(planted), '{"tier":"professional","is_public":false}')
    assert isinstance(gated(lambda gate: refusal(gate, key)), Unauthorised)


def test_a_revocation_holds_everywhere_within_five_seconds(registry, gated):
    issued = registry.issue("professional", "to be revoked")

    async def act(gate):
        await gate.admit(issued.key, HERE)
        registry.revoke(issued.key_id)
        revoked_at = time.monotonic()
        while True:
            try:
                await gate.admit(issued.key, HERE)
            except Unauthorised:
                return time.monotonic() - revoked_at

    seconds = gated(act, tiers=Tiers.changed({"professional": {"per_minute": 1_000_000}}))
    assert seconds < 2


def test_a_new_key_is_admitted_at_once_by_a_process_that_refused_it(registry, gated, key_store):
    issued = registry.issue("sample", "new")
    name = records.name(KeyHash(PEPPER).of(issued.key))
    record = key_store.get(name)

    async def act(gate):
        key_store.delete(name)
        before = await refusal(gate, issued.key)
        key_store.set(name, record)
        await gate.admit(issued.key, HERE)
        return before

    assert isinstance(gated(act), Unauthorised)


def test_a_key_is_looked_up_once_while_it_is_remembered(registry, gated, key_store):
    issued = registry.issue("sample", "busy")

    async def act(gate):
        await gate.admit(issued.key, HERE)
        key_store.config_resetstat()
        for _ in range(20):
            await gate.admit(issued.key, HERE)
        return key_store.info("commandstats")

    assert "cmdstat_mget" not in gated(act)


def test_a_key_of_a_retired_pepper_is_recognised_and_no_key_costs_more_than_another(
    make_registry, registry, gated, key_store
):
    old = registry.issue("starter", "before the new pepper")
    hashing = KeyHash(b"a newer pepper, for tests", [b"a pepper between the two", PEPPER])
    new = make_registry(hashing).issue("sample", "under the new pepper")

    async def act(gate):
        found = {}
        for key in (old.key, new.key, generate()):
            key_store.config_resetstat()
            outcome = (await gate.admit(key, HERE))[0].key_id if key in (old.key, new.key) else None
            if outcome is None:
                assert isinstance(await refusal(gate, key), Unauthorised)
            found[outcome] = key_store.info("commandstats")["cmdstat_mget"]["calls"]
        return found

    assert gated(act, hashing=hashing) == {old.key_id: 1, new.key_id: 1, None: 1}
    assert isinstance(gated(lambda gate: refusal(gate, new.key)), Unauthorised)  # without its pepper


def test_a_limit_that_is_reached_says_which_and_when(registry, gated):
    issued = registry.issue("sample", "eager")
    tiers = Tiers.changed({"sample": {"per_minute": 3}})

    async def act(gate):
        for _ in range(3):
            await gate.admit(issued.key, HERE)
        return await refusal(gate, issued.key)

    caught = gated(act, tiers=tiers)
    assert isinstance(caught, LimitReached)
    assert (caught.policy, caught.limit) == ("burst", 3)
    assert 1 <= caught.retry_after <= 61
    assert fields(caught.decision)["RateLimit"].startswith('"burst";r=0;t=')


def test_a_refused_key_is_not_counted(registry, gated):
    issued = registry.issue("sample", "patient")

    async def act(gate):
        for _ in range(10):
            await refusal(gate, generate())
        return (await gate.admit(issued.key, HERE))[1]

    assert gated(act).windows[0].remaining == 59


@pytest.mark.usefixtures("registry")
def test_probing_takes_real_work_and_tells_the_time(gated):
    health = gated(lambda gate: gate.probe())
    assert set(health) == {"keys", "usage"}
    assert all(store.ok and 0 < store.latency_ms < 1_000 for store in health.values())
    health = gated(lambda gate: gate.probe(), usage_url=NOWHERE, limiter=LimiterOptions(processes=2))
    assert (health["keys"].ok, health["usage"].ok) == (True, False)
