"""Random answers through the Python client, awaited and not, are those of REST: each value, each digit."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections import Counter
from datetime import date, datetime
from decimal import Decimal

import httpx
import msgspec
import pytest

from audit.client_questions import questions
from demo import companyfacts
from sankofa_client import AsyncClient, Client, SankofaError

# By tier: how many keys take turns, and how often it is asked with. Limits stay as they are.
KEYS = {"sample": 40, "starter": 20, "professional": 12}
WEIGHTS = {"sample": 1, "starter": 3, "professional": 6}
AT_ONCE = 8
PAGES = 3
_ENVELOPE = ("count", "truncated", "next_cursor", "edition", "resolved_from", "ambiguous")
_MORE = ("withheld_id_types", "crosswalk_loaded", "absent")
_PROBLEM = ("status", "code", "title", "detail", "parameter", "limit", "policy")

ROWS = ("data", "observations")
ENCODER = msgspec.json.Encoder(decimal_format="number")


class Digits(str):
    """A number of JSON as it was written."""

    __slots__ = ()


class Rest:
    """REST, read by hand: bare httpx, the standard library's JSON, numbers left as text."""

    def __init__(self, service):
        self.http = httpx.Client(base_url=service.api.url, timeout=30)

    def ask(self, address, key):
        response = self.http.get(address, headers={"X-API-Key": key})
        parts = msgspec.json.decode(response.content, type=dict[str, msgspec.Raw])
        rows = next((bytes(parts.pop(name)) for name in ROWS if name in parts), None)
        return response, {name: read(bytes(part)) for name, part in parts.items()}, rows

    def pages(self, asked, key):
        """Return up to three pages, or the refusal."""
        found = [self.ask(asked.address, key)]
        more = "&" if "?" in asked.address else "?"
        while (cursor := found[-1][1].get("next_cursor")) and len(found) < PAGES:
            found.append(self.ask(f"{asked.address}{more}cursor={cursor}", key))
        return found


def read(text):
    """Read JSON with the standard library, numbers left as they are written."""
    return json.loads(text, parse_float=Digits, parse_int=Digits)


def in_rows(told, held):
    """Return in what rows differ: nothing, if the client's can be written as the very bytes of REST."""
    if ENCODER.encode(held) == told:
        return []
    return list(differences(read(told), held))


def held_by(client, asked):
    try:
        return list(itertools.islice(getattr(client, asked.method)(**asked.arguments).pages(), PAGES))
    except SankofaError as error:
        return error


async def awaited_from(client, asked):
    found = []
    try:
        async for page in getattr(client, asked.method)(**asked.arguments).pages():
            found.append(page)
            if len(found) == PAGES:
                break
    except SankofaError as error:
        return error
    return found


def differences(told, held):
    """Yield in what a value of REST and one of the client differ."""
    if isinstance(held, msgspec.Struct):
        fields = {field.encode_name: getattr(held, field.name) for field in msgspec.structs.fields(held)}
        yield from (f"{name} is lost" for name in told if name not in fields)
        for name, value in fields.items():
            if name in told or value is not None:
                yield from (f"{name}: {each}" for each in differences(told.get(name), value))
    elif isinstance(told, dict) and isinstance(held, dict):
        yield from (["keys"] if list(told) != list(held) else [])
        yield from (each for name in told for each in differences(told[name], held.get(name)))
    elif isinstance(told, list) and isinstance(held, list):
        yield from ([f"{len(told)} and {len(held)} elements"] if len(told) != len(held) else [])
        yield from (each for pair in zip(told, held, strict=False) for each in differences(*pair))
    elif not same(told, held):
        yield f"{told!r} is {held!r}"


def same(told, held):
    """Tell whether a text of JSON and a value mean the same, to the last digit."""
    if isinstance(told, Digits):
        if isinstance(held, Decimal):
            return Decimal(told).as_tuple() == held.as_tuple()
        return type(held) is int and str(held) == told
    if isinstance(held, date | datetime):
        return msgspec.to_builtins(held) == told
    return type(told) is type(held) and told == held


def compared(pages, held, url):
    """Return in what an answer of REST and one of the client differ."""
    response, body, _ = pages[0]
    if response.status_code != 200:
        if not isinstance(held, SankofaError):
            return ["an answer instead of a refusal"]
        wrong = [name for name in _PROBLEM if _plain(body.get(name)) != getattr(held.told, name)]
        link = body.get("upgrade_url")
        return wrong + (["upgrade_url"] if held.upgrade_url != link else [])
    if isinstance(held, SankofaError):
        return [f"a refusal instead of an answer: {held}"]
    wrong = [] if len(pages) == len(held) else [f"{len(pages)} and {len(held)} pages"]
    for (response, body, rows), page in zip(pages, held, strict=False):
        for name in (*_ENVELOPE, *_MORE):
            wrong += [f"{name}: {each}" for each in differences(body.get(name), getattr(page, name))]
        wrong += [f"as_of: {each}" for each in differences(body["as_of"], page.as_of)]
        wrong += differences(body["_license"], page.license)
        wrong += in_rows(rows, page.rows)
        wrong += [] if url + response.headers["content-location"] == page.permanent_address else ["address"]
    return wrong


def _plain(value):
    return int(value) if isinstance(value, Digits) else value


@pytest.mark.timeout(3600)
def test_the_client_says_what_rest_says(demo, rng, seed, size):
    issuers = [demo.id_of(f"cik:{companyfacts.cik(number):010d}") for number in range(20)]
    page = demo.client.get("/openapi.json").json()
    share = min(1.0, size.client_questions / 2_000)
    keys = {
        tier: [(demo.issue(tier).key, demo.issue(tier).key) for _ in range(max(3, int(count * share)))]
        for tier, count in KEYS.items()
    }
    drawn = questions(page, rng, issuers)
    statuses, methods, wrong, rows = Counter(), Counter(), [], 0

    async def ask_all():
        nonlocal rows
        rest, url = Rest(demo), demo.api.url
        turns = {
            tier: itertools.cycle(
                [(there, Client(url, key=here), AsyncClient(url, key=here)) for here, there in pairs]
            )
            for tier, pairs in keys.items()
        }
        tiers = rng.choices(list(WEIGHTS), list(WEIGHTS.values()), k=size.client_questions)
        for start in range(0, size.client_questions, AT_ONCE):
            chosen = [next(turns[tier]) for tier in tiers[start : start + AT_ONCE]]
            asked = list(itertools.islice(drawn, len(chosen)))
            told = [rest.pages(each, key) for each, (key, *_) in zip(asked, chosen, strict=True)]
            if start // AT_ONCE % 2:
                held = [held_by(client, each) for each, (_, client, _) in zip(asked, chosen, strict=True)]
            else:
                held = await asyncio.gather(
                    *(awaited_from(client, each) for each, (*_, client) in zip(asked, chosen, strict=True))
                )
            for each, pages, answer in zip(asked, told, held, strict=True):
                statuses[pages[0][0].status_code] += 1
                methods[each.method] += 1
                rows += sum(int(body.get("count", 0)) for _, body, _ in pages)
                found = compared(pages, answer, url)
                wrong.extend([(each, found[:3])] if found else [])
        rest.http.close()
        for tier, clients in turns.items():
            for _, client, waiting in itertools.islice(clients, len(keys[tier])):
                client.close()
                await waiting.close()

    asyncio.run(ask_all())
    print(
        f"{size.client_questions:,} questions to {len(methods)} methods, seed {seed}: {dict(statuses)}, "
        f"{rows:,} rows, {len(wrong)} answers differ"
    )
    assert wrong == []
    assert len(methods) == 18
    assert min(statuses[status] for status in (200, 400, 404)) > 0
    assert statuses[429] == 0, "too few keys"
