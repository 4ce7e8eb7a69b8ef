"""Requests that parsers get wrong, as bytes: HTTP clients would refuse to send most of them.

A trap says which statuses are right and, for a parameter, which name the 400 must bear.
"""

from __future__ import annotations

import itertools
import tomllib
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import quote

from sankofa.ask.params import parameters

TEXTS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
CANARY = "q7canary"  # stands in values, and must never come back
HOST = b"127.0.0.1"
ANY_NAME = ""
GOOD = {
    "as_of": "2024-01-01",
    "edition": "1",
    "limit": "1",
    "period_type": "FY",
    "vintages": "all",
    "cursor": "v1.1.a.b",
    "series_type": "fx",
    "frequency": "daily",
    "country": "KEN",
    "from": "2024-01-01",
    "to": "2024-12-31",
    "entity_id": "KEN",
    "dataset": "AF-MACRO",
    "since": "1",
    "reason": "added",
}
# What must be asked where a path alone is no question.
ASKED = {
    "crosswalk_lookup": "?id_type=lei&id_value=1",
    "shared_facts": "?entity_id={service_id}",
    "screen": "?metric=net_margin",
    "diff": "?from_as_of=2024-01-01&to_as_of=2024-06-30",
    "panel": "?line_item=revenue",
    "search": "?q=foods",
}
REPEATED = {"series"}  # an answer lists the values that it knows nothing of (MAC-9)
NAMED = {"signal_key": "tender-value", "kind": "metrics", "sku": "AF-FUND"}  # in paths
NOBODY_IS_EMPTY = {"metrics"}  # an id that nobody has is no error there (MET-4)
FITTING = {"country": {"NaN"}}  # three letters are a country, if one that nobody has
SEVERAL = {("macro", "country"): {"KE,ZA"}}  # MAC-9
LONG = ["9" * 400, "1" + "0" * 300, "A" * 3_000, "%41" * 900]
LONG_HEADERS = {
    "Accept": b"a/b," * 3_000,
    "If-None-Match": b'"a",' * 1_000,
    "Accept-Encoding": b"gzip;" * 999,
    "X-Request-Id": b"x" * 65,
    "X-Forwarded-For": b"1," * 999,
    "Range": b"bytes=" + b"0-0," * 1_000,
}


@dataclass(frozen=True)
class Trap:
    """One request. One that is no HTTP may be refused by the server, before the application sees it."""

    kind: str
    target: bytes
    statuses: frozenset[int]
    method: bytes = b"GET"
    headers: tuple[tuple[bytes, bytes], ...] = ()
    host: bytes | None = HOST
    key: bytes | None = None  # None: a valid one
    parameter: str | None = None
    version: bytes = b"HTTP/1.1"
    is_http: bool = True

    def request(self, key):
        """Return the bytes, with a key that is valid unless the trap brings its own."""
        lines = [self.method + b" " + self.target + b" " + self.version]
        if self.host is not None:
            lines.append(b"Host: " + self.host)
        sent = key if self.key is None else self.key
        lines += [b"X-API-Key: " + sent, *(name + b": " + value for name, value in self.headers)]
        return b"\r\n".join(lines) + b"\r\n\r\n"


def trap(kind, target, *statuses, **rest):
    target = target if isinstance(target, bytes) else target.encode()
    return Trap(kind, target, frozenset(statuses), **rest)


def octets(texts):
    return [text.encode("latin-1") for text in texts]


def with_query(path, query):
    """Return an address with more parameters than it may have already."""
    return f"{path}{'&' if '?' in path else '?'}{query}"


def values(endpoint, path):
    """Bad values, repeats, unknown names: each a 400 under the parameter's own name."""
    query = TEXTS["query"]
    for name, declared in parameters(endpoint.params).items():
        if declared.in_path or f"{name}=" in path:
            continue
        good = GOOD.get(name)
        if good is None:
            for value in (*query["instead"], *query["after"], *LONG):
                if name not in REPEATED or CANARY not in value:
                    yield trap("text", with_query(path, f"{name}={value}"), 200, 400, 402, 404)
            yield trap("twice", with_query(path, f"{name}=1&{name}=1"), 400, parameter=ANY_NAME)
            continue
        bad = [*query["instead"], *TEXTS["parameters"][name], *LONG]
        bad += [f"{good}{text}" for text in query["after"]] + [f"{text}{good}" for text in query["after"]]
        fitting = FITTING.get(name, set()) | SEVERAL.get((endpoint.name, name), set())
        asked = [f"{name}={value}" for value in bad if value not in fitting]
        asked += [f"{name}={good}&{name}={good}", f"{name}={good}&{name}=", name]
        for each in asked:
            yield trap("value", with_query(path, each), 400, parameter=name)
    known = endpoint.params.__struct_encode_fields__
    for name in (*(name for name in query["unknown"] if name not in known), "q" * 900):
        yield trap("unknown name", with_query(path, f"{name}={CANARY}"), 400, parameter=ANY_NAME)
    for each in (*query["broken"], "&".join(f"p{number}=1" for number in range(500))):
        yield trap("broken query", with_query(path, each), 400, parameter=ANY_NAME)


def ids(prefix, good, *also):
    """Bad ids in the path: 400, or 404 where what is asked for is another path altogether."""
    for text in (*TEXTS["query"]["after"], *TEXTS["query"]["instead"], *LONG):
        same = {200} if text in {"?", ""} else set()
        yield trap("id", f"{prefix}/{good}{text}", 400, 404, *same, *also)
        yield trap("id", f"{prefix}/{text}", 400, 404, *also)
    for number in range(33, 127):
        yield trap("id", f"{prefix}/{quote(chr(number), safe='')}", 400, 404, *also)


def paths(path, *also):
    """Paths that look like one of ours and are not: 404; `also` what a neighbour that takes names may say."""
    folder, _, name = path.rpartition("/")
    for text in ("/", "//", "%0a", "%00", "%20", "%ff", ".json", ";x=1", "%3fedition=1", "/..", "%2e", "*"):
        yield trap("path", path + text, 404, *also)
    for between in ("//", "/./", "/x/../", "/%2e%2e/", "%00/", "%5c"):
        yield trap("path", folder + between + name, 404)
    yield trap("path", "/", 200)  # the explorer
    for other in (f"/{path}", path.upper(), "/v1", "/v1/", "/v2/editions", "/.env", "/.git/config", "*"):
        yield trap("path", other, 404)
    for other in ("/health%0a", "/openapi.json%0a", "/v1/status/", "/" + "a/" * 1_500, "/" + "%2f" * 900):
        yield trap("path", other, 404)
    for text in (b"\x00", b"\xff", b" x"):
        yield trap("path", path.encode() + text, 400, 404, is_http=False)


def methods(path):
    """Methods: 405 with what is allowed, before any key is looked at."""
    for method in (*octets(TEXTS["refused"]["methods"]), b"X" * 200):
        yield trap("method", path, 405, method=method)
        yield trap("method", path, 405, method=method, key=b"none")
    yield trap("method", path, 200, method=b"HEAD")
    yield trap("method", path, 204, method=b"OPTIONS", key=b"none")
    for method in (b"G\x00T", b"GET\xff", b"(GET)", b""):
        yield trap("method", path, 400, method=method, is_http=False)


def fields(path):
    """Header fields: whatever they hold, the answer is one of those the page lists."""
    for name, texts in TEXTS["headers"].items():
        for value in (*octets(texts), LONG_HEADERS.get(name, b"x" * 5_000)):
            field = (name.encode(), value)
            for headers in ((field,), (field, field)):
                size = sum(len(value) for _, value in headers)
                right = (200, 401) if name == "Authorization" else (200, 304, 406)
                statuses = (431,) if size > 16 << 10 else right
                yield trap(f"header {name}", path, *statuses, headers=headers)
    for host in (*octets(TEXTS["refused"]["hosts"]), b"x" * 9_000, None):
        yield trap("host", path, 421, host=host)
    yield trap("host", path, 421, headers=((b"Host", b"evil.example"),))
    for key in (*octets(TEXTS["refused"]["keys"]), b"a" * 9_000):
        yield trap("key", path, 401, key=key)
    for header in ((b"X Y", b"1"), (b"X\x00Y", b"1"), (b"X", b"a\x00b"), (b"X", b"a\r\n b"), (b"", b"x")):
        yield trap("no header", path, 400, headers=(header,), is_http=False)
    for value in (b"x", b"-1", b"1, 2", b"9" * 23):
        yield trap("length", path, 400, headers=((b"Content-Length", value),), is_http=False)


def sizes(path):
    """What is too long: 414 and 431, and at the very limit still an answer."""
    room = 4_096 - len(path)
    yield trap("size", with_query(path, f"a={'x' * (room - 2)}"), 400, parameter="a")
    for length in (room - 1, room, 9_000, 60_000):
        yield trap("size", with_query(path, f"a={'x' * length}"), 414)
    yield trap("size", with_query(path, f"a={'x' * 100_000}"), 414, is_http=False)
    yield trap("size", path, 431, headers=((b"X-Large", b"x" * 16_500),))
    yield trap("size", path, 431, headers=tuple((b"X-%d" % n, b"x" * 300) for n in range(80)))
    yield trap("size", path, 431, headers=tuple((b"X-%d" % n, b"x") for n in range(200)), is_http=False)
    yield trap("size", path, 431, headers=((b"X-Large", b"x" * 600_000),), is_http=False)
    for version in (b"HTTP/2.0", b"HTTP/0.9", b"HTTX/1.1", b""):
        yield trap("version", path, 400, 505, version=version, is_http=False)


def corpus(endpoints, ids_of):
    """Return every trap for every endpoint, about what has these ids."""
    traps = []
    for endpoint in endpoints:
        path = endpoint.path.format(**NAMED, **ids_of)
        asked = path + ASKED.get(endpoint.name, "").format(**ids_of)
        traps += itertools.chain(values(endpoint, asked), methods(asked), fields(asked), sizes(asked))
        if "{" in endpoint.path:
            prefix, _, good = path.rpartition("/")
            traps += ids(prefix, good, *({200} if endpoint.name in NOBODY_IS_EMPTY else ()))
        else:
            folder = path.rpartition("/")[0]
            beside = any(other.path.startswith(f"{folder}/{{") for other in endpoints)
            traps += paths(path, *({400} if beside else ()))
    return traps


def mutated(rng, original):
    """Return a trap with something put into its target; what is right is then only known to be no 5xx."""
    whole = original.target.replace(
        CANARY.encode(), b"value"
    )  # it may become a name, and names are said back
    query = whole.find(b"?") + 1
    place = rng.randrange(query if query and rng.random() < 0.8 else 1, len(whole) + 1)
    put = rng.choice(
        [f"%{rng.randrange(256):02x}", f"%{rng.randrange(256):02X}", "&", "=", "/", "?", "+", "1"]
    )
    target = whole[:place] + put.encode() + whole[place:]
    statuses = frozenset({200, 204, 304, 400, 401, 402, 404, 405, 406, 414, 421, 431})
    return replace(original, kind="mutated", target=target, statuses=statuses, parameter=None)
