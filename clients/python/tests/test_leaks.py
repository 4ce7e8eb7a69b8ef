"""The leak checker finds what was planted, all of it, and nothing else, in whatever holds the table."""

from __future__ import annotations

import asyncio
from datetime import date
from decimal import Decimal

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from planted import planted
from sankofa_client import AsyncClient, leaks
from sankofa_client.leaks import Columns, LookAhead

SEED = 20240315


@pytest.fixture(scope="module")
def issuers(client):
    return [row.service_id for row in client.screen(metric="net_margin").head(6)]


@pytest.fixture(scope="module")
def table(demo, issuers, issuer):
    return planted(demo, dict.fromkeys([issuer, *issuers]), SEED)


def test_what_was_planted_is_found(table, client):
    assert min(table.counts.values()) > 20
    report = leaks.check(table.rows, client=client)
    assert report.verdicts == table.verdicts
    assert [finding.days_early for finding in report.findings] == table.days
    assert report.counts == table.counts
    assert report.restated == table.restated > 0
    assert report.share == table.counts["known_later"] / (
        table.counts["known_later"] + table.counts["as_known"]
    )
    worst = max(days for days in table.days if days)
    assert report.leaks[0].days_early == worst
    assert f"{worst:,} days early" in str(report)
    assert f"{report.share:.1%} of the figures known here could not be known on their day" in str(report)


@pytest.mark.parametrize(
    "held",
    [
        pl.DataFrame,
        lambda rows: pl.DataFrame(rows).lazy(),
        pa.Table.from_pylist,
        pd.DataFrame,
        lambda rows: pl.DataFrame(rows).with_columns(pl.col("value").cast(pl.Float64)),
        lambda rows: pd.DataFrame(rows).assign(
            value=lambda frame: frame["value"].astype(float),
            known_on=lambda frame: pd.to_datetime(frame["known_on"]),
            period=lambda frame: pd.to_datetime(frame["period"]),
        ),
        lambda rows: pl.DataFrame(rows).to_dict(as_series=False),
    ],
    ids=["polars", "lazy", "arrow", "pandas", "floats", "pandas-floats", "columns"],
)
def test_whatever_holds_the_table(table, client, held):
    assert leaks.check(held(table.rows), client=client).verdicts == table.verdicts


def test_who_awaits_gets_the_same(table, demo, key):
    async def check():
        async with AsyncClient(demo.api.url, key=key) as client:
            return await leaks.check_async(table.rows, client=client)

    assert asyncio.run(check()).verdicts == table.verdicts


def test_a_day_around_the_check_does_not_hide_what_came_later(table, client):
    with client.as_of("2020-01-01"), client.pinned(1):
        report = leaks.check(table.rows, client=client)
    assert (report.verdicts, report.edition) == (table.verdicts, 1)


def revenue(issuer, value, known_on, period=2022):
    return {
        "service_id": issuer,
        "line_item": "revenue",
        "period": period,
        "value": value,
        "known_on": known_on,
    }


def test_the_restated_revenue_of_the_demo_world(client, issuer):
    rows = [
        revenue(issuer, 1_100_000_000, "2023-06-30"),
        revenue(issuer, 1_150_000_000, "2023-06-30", "FY2022"),
        revenue(issuer, 1_150_000_000, date(2024, 3, 15), "2022-12-31"),
        revenue(issuer, 1_150_000_000, "2023-03-15"),
    ]
    leak, known, stale, early = leaks.check(rows, client=client).findings
    assert (leak.verdict, leak.days_early, leak.known_then) == ("known_later", 259, Decimal(1_150_000_000))
    assert (leak.first_known, known.verdict, known.restated_on) == (date(2024, 3, 15), "as_known", None)
    assert (stale.verdict, stale.restated_on) == ("as_known", date(2024, 3, 15))
    assert (early.verdict, early.days_early, early.known_then) == ("known_later", 1, None)


def test_rounded_figures_are_compared_as_rounded(client, issuer):
    row = revenue(issuer, 1_150_000_400, "2023-06-30")
    assert leaks.check([row], client=client).verdicts == ["never_reported"]
    assert leaks.check([row], client=client, rounded_to=1_000).verdicts == ["as_known"]


def test_verdicts_stand_beside_the_table(table, client):
    frame = pl.DataFrame(table.rows)
    report = leaks.check(frame, client=client)
    beside = pl.concat([frame, report.to_polars()], how="horizontal")
    assert beside.filter(pl.col("verdict") == "known_later")["days_early"].to_list() == [
        days for days in table.days if days
    ]
    assert report.to_pandas()["verdict"].tolist() == table.verdicts


def test_a_test_of_ones_own_can_require_that_there_is_none(client, issuer):
    leaks.check([revenue(issuer, 1_150_000_000, "2023-06-30")], client=client).require_none()
    with pytest.raises(LookAhead, match="259 days early"):
        leaks.check([revenue(issuer, 1_100_000_000, "2023-06-30")], client=client).require_none()


def test_columns_may_have_other_names_and_what_cannot_be_read_is_told(client, issuer):
    named = {"id": issuer, "item": "revenue", "year": 2022, "amount": "1150000000", "date": "2023-06-30"}
    names = Columns(service_id="id", line_item="item", period="year", value="amount", known_on="date")
    assert leaks.check([named], client=client, columns=names).verdicts == ["as_known"]
    with pytest.raises(ValueError, match="no column service_id"):
        leaks.check([named], client=client)
    for wrong in ({"date": "soon"}, {"year": "the last"}, {"amount": "much"}, {"item": None}):
        with pytest.raises(ValueError, match="row 0"):
            leaks.check([named | wrong], client=client, columns=names)
