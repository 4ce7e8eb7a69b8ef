"""The tiers: rows per page, requests and rows per minute, requests per month, concurrent requests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, Self, get_args

import msgspec

from sankofa.core.errors import BadParameter, PaymentRequired, Refused

TierName = Literal["sample", "starter", "professional"]
TIER_NAMES: tuple[TierName, ...] = get_args(TierName)  # in ascending order
NUMBERS = ("rows", "per_minute", "per_month", "rows_per_minute", "at_once")
_PAID_PAGE = 100


class Tier(msgspec.Struct, frozen=True, kw_only=True):
    """The limits of one tier. A month is a UTC calendar month."""

    name: TierName
    rows: int  # the most a page may hold
    per_minute: int
    per_month: int
    rows_per_minute: int  # of all answers together; heavy rows count several times (`Endpoint.weight`)
    at_once: int  # concurrent requests over all processes; further ones wait
    larger: Tier | None = None  # the next tier whose pages hold more rows

    @property
    def is_paid(self) -> bool:
        """Whether this is a paid tier."""
        return self.name != "sample"

    def page(self, limit: int | None) -> int:
        """Return how many rows a page holds, given the requested `limit`, if any."""
        if limit is None:
            return min(_PAID_PAGE, self.rows) if self.is_paid else self.rows
        if limit > self.rows and self.is_paid:
            more = f"the {self.larger.name} tier serves up to {self.larger.rows}; " if self.larger else ""
            raise BadParameter(
                "limit", f"at most {self.rows} a page with this key; {more}next_cursor goes on"
            )
        if limit > self.rows:
            raise PaymentRequired("limit", self.rows)
        return limit


class Tiers(msgspec.Struct, frozen=True, kw_only=True):
    """All tiers. Every number can be configured, as long as higher tiers never allow less."""

    sample: Tier = Tier(
        name="sample", rows=25, per_minute=60, per_month=5_000, rows_per_minute=30_000, at_once=2
    )
    starter: Tier = Tier(
        name="starter", rows=1_000, per_minute=300, per_month=250_000, rows_per_minute=120_000, at_once=4
    )
    professional: Tier = Tier(
        name="professional",
        rows=10_000,
        per_minute=1_200,
        per_month=5_000_000,
        rows_per_minute=1_200_000,
        at_once=8,
    )

    def __post_init__(self) -> None:
        """Raise if a higher tier allows less than a lower one."""
        for column in NUMBERS:
            values = [getattr(self.named(name), column) for name in TIER_NAMES]
            if values[0] < 1 or values != sorted(values):
                raise Refused(f"tiers: {column} must be at least 1 and never fall from tier to tier")
        if any(self.named(name).name != name for name in TIER_NAMES):
            raise Refused("tiers: each tier stands under its own name")

    @classmethod
    def changed(cls, changes: Mapping[str, Mapping[str, int]]) -> Self:
        """Return the table with some numbers changed: `{"sample": {"per_minute": 120}}`."""
        merged = msgspec.to_builtins(cls())
        for name, numbers in changes.items():
            unknown = {name} - set(TIER_NAMES) or set(numbers) - set(NUMBERS)
            if unknown:
                raise Refused(f"tiers: {', '.join(sorted(unknown))} is no tier or number of a tier")
            merged[name] |= numbers
        try:
            return msgspec.convert(merged, cls)
        except msgspec.ValidationError as error:
            raise Refused(f"tiers: {error}") from None

    def named(self, name: TierName) -> Tier:
        """Return the tier of that name, with the next one that serves larger pages."""
        tier: Tier = getattr(self, name)
        above: list[Tier] = [getattr(self, other) for other in TIER_NAMES[TIER_NAMES.index(name) + 1 :]]
        larger = next((other for other in above if other.rows > tier.rows), None)
        return msgspec.structs.replace(tier, larger=larger)
