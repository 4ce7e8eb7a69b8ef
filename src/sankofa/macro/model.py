"""The words of the domain: series, and what one document states of them."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Literal, NamedTuple

import msgspec

SeriesType = Literal["fx", "cpi", "indicator"]
Frequency = Literal["A", "Q", "M", "D"]
Basis = Literal["publisher", "first_seen", "filing"]


class SeriesHead(msgspec.Struct, frozen=True, kw_only=True):
    """What a series is, apart from its values."""

    key: str  # by the grammar of series.py: "FX.USD.KES", "WB.NY.GDP.MKTP.CD.KEN"
    series_type: SeriesType
    frequency: Frequency
    country_iso3: str | None  # None where the series is of no single country: aggregates, dissolved states
    unit: str | None  # "USD", "index", "percent"; None where the source does not say
    indicator: str | None = None  # the source's own code
    indicator_name: str | None = None


class Period(NamedTuple):
    """A stretch of time, both days included; one day has two equal ends."""

    start: date
    end: date


class Observation(NamedTuple):
    """One value of a series. `value` None says: stated as missing."""

    period_start: date
    period_end: date
    value: Decimal | None


class Release(NamedTuple):
    """When a statement could be known, and what shows it."""

    available_at: date | None
    basis: Basis | None


class Snapshot(msgspec.Struct, frozen=True, kw_only=True):
    """One vintage of one series, as far as one document states it. Observations are in order of time.

    A whole snapshot holds no missing values: what it does not list is not there, and a value of an earlier
    vintage that it lacks was withdrawn. A snapshot that is not whole says nothing about what it does not
    list, and names what it states to be missing.
    """

    head: SeriesHead
    available_at: date | None
    available_at_basis: Basis | None
    is_whole: bool
    observations: list[Observation]
    # Keys with this beginning that the document does not name were withdrawn with it; None: not known.
    covers: str | None = None
    # The publisher releases each value on the day it is for. The first statement of a value then counts
    # from that day on, by the publisher; a later one that differs counts from `available_at`.
    is_released_daily: bool = False
