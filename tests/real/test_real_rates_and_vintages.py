"""Real exchange rates, inflation and vintages, counted twice: by the parsers, and with csv, json and XML."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections import Counter
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from itertools import pairwise
from xml.etree import ElementTree as ET

import pytest

from sankofa.ingest.bytes.bounds import Rejections
from sankofa.ingest.series import cbk_inflation, cbk_rates, ecb_rates, fred
from sankofa.macro.model import SeriesHead
from support.macro_files import (
    CBK_INFLATION,
    CBK_RATES,
    DATA,
    ECB,
    TODAY,
    name,
    needs_real_files,
    parsed,
    stated,
    table,
)

MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)
GDP = SeriesHead(
    key="FRED.GDP", series_type="indicator", frequency="Q", country_iso3="USA", unit="USD", indicator="GDP"
)

pytestmark = needs_real_files


def ecb_plain(path):
    """Return the rates of a document that are there, by day and currency."""
    if path.suffix == ".xml":
        rates, cube = {}, "{http://www.ecb.int/vocabulary/2002-08-01/eurofxref}Cube"
        for day in ET.parse(path).iter(cube):
            for rate in day if "time" in day.attrib else ():
                rates[day.attrib["time"], rate.attrib["currency"]] = Decimal(rate.attrib["rate"])
        return rates
    if path.suffix == ".zip":
        with zipfile.ZipFile(path) as archive:
            text = archive.read("eurofxref-hist.csv").decode()
    else:
        text = path.read_text()
    return {
        (row["Date"], currency): Decimal(cell)
        for row in csv.DictReader(io.StringIO(text))
        for currency, cell in row.items()
        if currency not in ("Date", "") and cell != "N/A"
    }


@pytest.mark.parametrize("path", ECB, ids=name)
def test_every_reference_rate_is_an_observation(path):
    expected = ecb_plain(path)
    snapshots, rejected = parsed(ecb_rates, path)
    assert rejected == {}
    assert stated(snapshots) == {
        (f"FX.EUR.{currency}", date.fromisoformat(day), date.fromisoformat(day)): rate
        for (day, currency), rate in expected.items()
    }
    assert {s.is_whole for s in snapshots} == {"eurofxref-hist_" in path.stem}


def test_a_confirmation_of_195305_rates_differs_in_none():
    old, new = (
        DATA / "fx/ecb" / file for file in ("eurofxref-hist_moneyman.csv", "eurofxref-hist_2026-04.zip")
    )
    for before, after in (
        (ecb_plain(old), ecb_plain(new)),
        (stated(parsed(ecb_rates, old)[0]), stated(parsed(ecb_rates, new)[0])),
    ):
        shared = before.keys() & after.keys()
        assert len(shared) == 195_305
        assert sum(before[cell] != after[cell] for cell in shared) == 0


@pytest.mark.parametrize("path", CBK_RATES, ids=name)
def test_every_rate_of_a_kenyan_export_is_an_observation(path):
    header, *rows = table(path)
    snapshots, rejected = parsed(cbk_rates, path)
    assert rejected == {}
    found = stated(snapshots)
    assert len(found) == len(rows) * (len(header) - 2)
    prefixes = {"Mean": "FX", "EXCHANGE RATE": "FX", "Buy": "FX_BUY", "Sell": "FX_SELL"}
    pairs = {"US DOLLAR": "USD.KES", "KES/USHS": "KES.UGX", "KES/TSHS": "KES.TZS", "JPY(100)": "JPY.KES"}
    compared = 0
    for day, label, *cells in rows:
        pair = pairs.get(label.replace(" / ", "/").replace(" (", "("))
        first = datetime.strptime(day, "%d/%m/%Y").replace(tzinfo=UTC).date()
        for column, cell in zip(header[2:], cells, strict=True) if pair else ():
            rate = Decimal(cell) / 100 if pair == "JPY.KES" else Decimal(cell)
            assert found[f"{prefixes[column]}.{pair}", first, first] == rate
            compared += 1
    assert compared >= 246


def test_kenya_s_names_of_currencies_mean_what_the_european_rates_say():
    """The euro in shillings, by the dollar in shillings, is the dollar for a euro; so for every name."""
    [archive] = [path for path in ECB if path.suffix == ".zip"]
    history = {key[:2]: rate for key, rate in stated(parsed(ecb_rates, archive)[0]).items()}
    checked = Counter()
    for path in CBK_RATES:
        rates = {key[:2]: rate for key, rate in stated(parsed(cbk_rates, path)[0]).items()}
        for (key, day), rate in rates.items():
            kind, base, quote = key.split(".")
            euro, reference = rates.get(("FX.EUR.KES", day)), history.get((f"FX.EUR.{base}", day))
            if kind == "FX" and quote == "KES" and euro and reference:
                assert abs(euro / rate / reference - 1) < Decimal("0.08"), (key, day)
                checked[base] += 1
    # The dirham and the riyal are not among the European rates; the euro is their base.
    assert checked.keys() == {
        "AUD",
        "CAD",
        "CHF",
        "CNY",
        "DKK",
        "GBP",
        "HKD",
        "INR",
        "JPY",
        "NOK",
        "SEK",
        "SGD",
        "USD",
        "ZAR",
    }
    assert min(checked.values()) > 200


def test_trade_weighted_rates_of_two_exports_agree():
    first, second = (
        stated(parsed(cbk_rates, path)[0]) for path in CBK_RATES if path.stem.startswith("trade")
    )
    assert [first[key] != second[key] for key in first.keys() & second.keys()] == [False] * 159


def test_kenya_s_inflation_was_revised_in_exactly_two_months():
    documents = []
    for path in CBK_INFLATION:
        rows = {(year, MONTHS.index(month) + 1, *values) for year, month, *values in table(path)[1:]}
        assert len(rows) == len(table(path)) - 2  # each file has April 2019 twice, with the same values
        snapshots, rejected = parsed(cbk_inflation, path)
        assert rejected == {}
        found = {}
        for snapshot in snapshots:
            for one in snapshot.observations:
                found.setdefault(one.period_start, {})[snapshot.head.key] = one.value
        assert found == {
            date(int(year), month, 1): {"CPI_12M_AVG.KEN": Decimal(average), "CPI_YOY.KEN": Decimal(change)}
            for year, month, average, change in rows
        }
        documents.append(found)
    revised = [
        {month for month in before.keys() & after.keys() if before[month] != after[month]}
        for before, after in pairwise(documents)
    ]
    assert revised == [{date(2021, 2, 1), date(2021, 7, 1)}, set(), set(), set()]


def alfred(file):
    return DATA / "vintages/alfred" / f"alfred_GDP_{file}.json"


def observations(file):
    return json.loads(alfred(file).read_text())["observations"]


def vintages(file, **known):
    snapshots, rejected = parsed(fred, alfred(file), fetched_at=TODAY, series=GDP, **known)
    assert rejected == {}
    return snapshots


def known_on(snapshots, day):
    """Write the vintages as ALFRED would for a window that ends on a day: each value, from when to when."""
    rows = {}
    for snapshot in snapshots:
        for one in snapshot.observations:
            if snapshot.available_at <= day:
                rows.setdefault(one.period_start, []).append((snapshot.available_at, one.value))
    return {
        (str(began), str(min(ended - timedelta(1), day)), str(period), value)
        for period, values in rows.items()
        for (began, value), (ended, _) in pairwise([*values, (date.max, None)])
    }


def written(rows):
    return {
        (
            row["realtime_start"],
            row["realtime_end"],
            row["date"],
            None if row["value"] == "." else Decimal(row["value"]),
        )
        for row in rows
    }


def test_all_releases_cut_at_a_day_are_the_answer_that_alfred_gave_for_it():
    recorded = written(observations("asof_2019-01-01"))
    assert len(recorded) == 2_902
    assert known_on(vintages("all_releases"), date(2019, 1, 1)) == recorded
    assert known_on(vintages("asof_2019-01-01"), date(2019, 1, 1)) == recorded


def test_the_first_vintage_of_a_quarter_is_its_initial_release():
    first = {}
    for snapshot in vintages("all_releases"):
        for one in snapshot.observations:
            first.setdefault(one.period_start, (snapshot.available_at, one.value))
    initial = {
        date.fromisoformat(row["date"]): (date.fromisoformat(row["realtime_start"]), Decimal(row["value"]))
        for row in observations("initial_release")
    }
    assert len(initial) == 132
    assert {quarter: first[quarter] for quarter in initial} == initial
    assert [(s.available_at, o.value) for s in vintages("initial_release") for o in s.observations] == list(
        initial.values()
    )


def test_vintage_dates_are_complete():
    listed = json.loads(alfred("vintagedates").read_text())["vintage_dates"]
    assert len(listed) == 395
    assert [str(s.available_at) for s in vintages("all_releases")] == listed


@pytest.mark.parametrize("opened", ["2000-01-01", "2018-07-27"])  # the second is a vintage date itself
def test_no_vintage_is_dated_by_the_query(opened):
    """Clip the real answer as ALFRED would have, and compare what is left with the whole."""
    answer = json.loads(alfred("all_releases").read_text())
    rows = [row for row in answer["observations"] if row["realtime_end"] >= opened]
    clipped = [row for row in rows if row["realtime_start"] <= opened]
    for row in clipped:
        row["realtime_start"] = opened
    answer |= {"realtime_start": opened, "observations": rows, "count": len(rows)}
    still_in_force = {row["date"] for row in clipped if row["realtime_end"] == "9999-12-31"}
    rejections = Rejections()
    data = json.dumps(answer).encode()
    *read, last = fred.parse(data, rejections, fetched_at=TODAY, series=GDP)
    later = [s for s in vintages("all_releases") if str(s.available_at) > opened]
    assert read == later
    assert (last.available_at, last.available_at_basis, last.is_whole) == (TODAY.date(), "first_seen", False)
    assert {str(one.period_start) for one in last.observations} == still_in_force
    assert rejections.counts == {"realtime_clipped": len(clipped) - len(still_in_force)}
