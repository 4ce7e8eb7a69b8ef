"""The networks that use a key: a key that many of them use on one day has probably been passed on.

A network is the /24 of an IPv4 address or the /48 of an IPv6 address. The usage store keeps a HyperLogLog for
each key and UTC day. No address can be read from it, and its counts are right within about 1 %.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Iterator
from contextlib import AbstractAsyncContextManager, suppress
from datetime import UTC, date, datetime
from importlib import resources
from ipaddress import ip_network
from itertools import islice
from typing import NamedTuple

from sankofa.access.caller import UNKNOWN, parsed_address
from sankofa.access.keys import is_key_id
from sankofa.core.background import in_background
from sankofa.core.errors import StoreUnavailable
from sankofa.storage.redis import JobStore, Store

_ADD = resources.files(__package__).joinpath("networks.lua").read_text(encoding="utf-8")
_KEPT_SECONDS = 8 * 86_400
_REPORT_SECONDS = 1.0
_BATCH = 500
_MARK = "networks"
_MOST = 100_000  # addresses that a process remembers
_PREFIXES = {4: 24, 6: 48}


class UsedNetworks(NamedTuple):
    """How many networks used a key on a day."""

    key_id: str
    networks: int


def network(address: str) -> str:
    """Return the network of an address; what is no address, such as a Unix socket, is one network."""
    parsed = parsed_address(address)
    if parsed is None:
        return UNKNOWN
    return str(ip_network((int(parsed), _PREFIXES[parsed.version]), strict=False))


class Networks:
    """Notes from where keys are used in one API process, and tells the usage store what is new."""

    def __init__(self, store: Store, many: int) -> None:
        self._store = store
        self._threshold = many
        self._day = _today()
        self._noted: set[tuple[str, str]] = set()  # keys and addresses
        self._unsent: set[tuple[str, str]] = set()
        self._mark: str | None = None  # of the store's contents
        self.many = 0  # keys that many networks have used today, in all processes

    def note(self, key_id: str, address: str) -> None:
        """Note that a key was used from an address."""
        if (key_id, address) not in self._noted and len(self._unsent) < _MOST:
            self._noted.add((key_id, address))
            self._unsent.add((key_id, address))

    def running(self) -> AbstractAsyncContextManager[None]:
        """Report once a second while this is entered."""
        return in_background(self._report_forever())

    async def _report_forever(self) -> None:
        while True:
            with suppress(StoreUnavailable):  # the next report has the same, and more
                await self._report()
            await asyncio.sleep(_REPORT_SECONDS)

    async def _report(self) -> None:
        """Send what is new. A request of the last second before midnight may count for the day after."""
        if self._day != _today() or len(self._noted) >= _MOST:
            self._day = _today()
            self._noted.clear()
        while True:
            batch = list(islice(self._unsent, _BATCH))
            names = [_MARK, _sketch(self._day, "many"), *(_sketch(self._day, key_id) for key_id, _ in batch)]
            words = [word for key_id, address in batch for word in (key_id, network(address))]
            settings = (secrets.token_hex(8), _KEPT_SECONDS, self._threshold)
            mark, self.many = await self._store.ask("EVAL", _ADD, len(names), *names, *settings, *words)
            self._unsent.difference_update(batch)
            if mark != self._mark:  # another store, or one that lost its contents
                self._mark, self._unsent = mark, set(self._noted)
            elif len(batch) < _BATCH:
                return


def used_networks(store: JobStore, day: date) -> list[UsedNetworks]:
    """Return the keys that were used on a day, and by how many networks; those with most networks first."""
    return sorted(_counted(store, day), key=lambda one: (-one.networks, one.key_id))


def _counted(store: JobStore, day: date) -> Iterator[UsedNetworks]:
    prefix = _sketch(day, "")
    found = {name.removeprefix(prefix) for names in store.names(f"{prefix}*") for name in names}
    for key_id in filter(is_key_id, found):
        yield UsedNetworks(key_id, store.ask("PFCOUNT", _sketch(day, key_id)))


def _sketch(day: date, key_id: str) -> str:
    return f"{_MARK}:{day}:{key_id}"


def _today() -> date:
    return datetime.now(UTC).date()
