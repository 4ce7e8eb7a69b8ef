"""The rows of signals.

Made by `generate.py` from the service's OpenAPI page: do not edit.
"""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

import msgspec


class ProcurementDemand(msgspec.Struct, frozen=True, kw_only=True):
    """Procurement demand by category."""

    country: str
    category: str
    month: dt.date
    releases: int
    category_share: Decimal
    buyer_concentration: Decimal | None
    momentum: Decimal | None
    methodology_ref: str
    source_ref: str
    license_class: str
    observed_at: dt.datetime


class SupplierConcentration(msgspec.Struct, frozen=True, kw_only=True):
    """Supplier concentration by currency."""

    country: str
    currency: str
    month: dt.date
    awards: int
    joint_awards: int
    awards_in_concentration: int
    suppliers: int
    total_value: Decimal
    concentration_by_value: Decimal | None
    concentration_by_count: Decimal | None
    methodology_ref: str
    source_ref: str
    license_class: str
    observed_at: dt.datetime


class AwardLeadTime(msgspec.Struct, frozen=True, kw_only=True):
    """Time from deadline to award by category."""

    country: str
    category: str
    month: dt.date
    awards: int
    median_days: Decimal
    p90_days: int
    methodology_ref: str
    source_ref: str
    license_class: str
    observed_at: dt.datetime


class SingleBidderShare(msgspec.Struct, frozen=True, kw_only=True):
    """Share of awards with a single bidder, by category."""

    country: str
    category: str
    month: dt.date
    awards: int
    single_bidder: int
    single_bidder_share: Decimal
    methodology_ref: str
    source_ref: str
    license_class: str
    observed_at: dt.datetime


class TenderValue(msgspec.Struct, frozen=True, kw_only=True):
    """Value of tenders by currency."""

    country: str
    currency: str
    month: dt.date
    tenders: int
    total_value: Decimal
    median_value: Decimal
    methodology_ref: str
    source_ref: str
    license_class: str
    observed_at: dt.datetime
