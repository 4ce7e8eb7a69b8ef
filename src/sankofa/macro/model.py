"""Series, and the values of one document."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Literal, NamedTuple

import msgspec

SeriesType = Literal["fx", "cpi", "indicator"]
Frequency = Literal["A", "Q", "M", "D"]
Basis = Literal["publisher", "first_seen", "filing"]


class SeriesHead(msgspec.Struct, frozen=True, kw_only=True):
    """The description of a series, without its values."""

    key: str  # by the grammar of series.py: "FX.USD.KES", "WB.NY.GDP.MKTP.CD.KEN"
    series_type: SeriesType
    frequency: Frequency
    country_iso3: str | None  # None if the series is of no single country: aggregates, dissolved states
    unit: str | None  # "USD", "index", "percent"; None if the source does not state it
    indicator: str | None = None  # the source's own code
    indicator_name: str | None = None


class Period(NamedTuple):
    """A period, both days included; a single day has two equal ends."""

    start: date
    end: date


class Observation(NamedTuple):
    """One value of a series. `value` is None if the source states it as missing."""

    period_start: date
    period_end: date
    value: Decimal | None


class Release(NamedTuple):
    """The day on which a statement became public, and the basis of that day."""

    available_at: date | None
    basis: Basis | None


class Snapshot(msgspec.Struct, frozen=True, kw_only=True):
    """One vintage of one series in one document. Observations are in order of time.

    A whole snapshot lists every value: a value of an earlier vintage that it does not list was withdrawn. A
    partial snapshot says nothing about unlisted values, and lists missing values explicitly.
    """

    head: SeriesHead
    available_at: date | None
    available_at_basis: Basis | None
    is_whole: bool
    observations: list[Observation]
    # Series with this key prefix that the document does not name were withdrawn; None: unknown.
    covers: str | None = None
    # The publisher releases each value on the day it is for. The first statement of a value then counts
    # from that day on, by the publisher; a later one that differs counts from `available_at`.
    is_released_daily: bool = False
