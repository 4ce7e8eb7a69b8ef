"""The real exports of the World Economic Outlook over HTTP, against a plain reading of the same files.

The reading splits lines and compares years; it shares nothing with the parser but the codes of countries,
which come from the one file that has them, and of subjects, which are written here.
"""

from __future__ import annotations

import csv
import io
import os
from calendar import monthrange
from collections import Counter, defaultdict
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DATA = Path(os.environ.get("SANKOFA_REAL_DATA", ROOT.parent / "shared" / "data")) / "collection-2" / "imf-weo"
pytestmark = [
    pytest.mark.skipif(not DATA.is_dir(), reason=f"no exports of the outlook at {DATA}"),
    pytest.mark.heavy,
]
FETCHED = datetime(2026, 11, 1, 12, tzinfo=UTC)
MONTHS = {"April": 4, "October": 10}
# In the order in which the IMF lists its subjects, as the file of April 2024 has them.
CODES = (
    *("NGDP_R", "NGDP_RPCH", "NGDP", "NGDPD", "PPPGDP", "NGDP_D", "NGDPRPC", "NGDPRPPPPC", "NGDPPC"),
    *("NGDPDPC", "PPPPC", "NGAP_NPGDP", "PPPSH", "PPPEX", "NID_NGDP", "NGSD_NGDP", "PCPI", "PCPIPCH"),
    *("PCPIE", "PCPIEPCH", "TM_RPCH", "TMG_RPCH", "TX_RPCH", "TXG_RPCH", "LUR", "LE", "LP"),
    *("GGR", "GGR_NGDP", "GGX", "GGX_NGDP", "GGXCNL", "GGXCNL_NGDP", "GGSB", "GGSB_NPGDP", "GGXONLB"),
    *("GGXONLB_NGDP", "GGXWDN", "GGXWDN_NGDP", "GGXWDG", "GGXWDG_NGDP", "NGDP_FY", "BCA", "BCA_NGDPD"),
)
ALL = "WEOApr2024all.csv"
REFUSED = "WEO_Data_Oct2024_resaved_decimal_comma.xls"
# Names that the file with codes (October 2022) does not have.
OTHER_NAMES = {"FYR Macedonia": "MKD", "Swaziland": "SWZ", "Turkey": "TUR", "Czech Republic": "CZE"}
OWN_CODES = {"UVK": "XKX", "WBG": "PSE"}


def lines(path):
    """Return the rows of a file as dictionaries, and the words of its last line."""
    body = path.read_bytes()
    text = body.decode("utf-16-le") if body[1] == 0 else body.decode("cp1252")
    separator = ";" if path.suffix == ".csv" else "\t"
    rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=separator))
    header = rows[0]
    named = [dict(zip(header, row, strict=False)) for row in rows[1:]]
    footer = [row[0] for row in rows[1:] if row and row[0].startswith("International Monetary Fund, ")]
    return [row for row in named if row.get("Subject Descriptor")], footer


def countries():
    """Return alpha-3 codes by the IMF's names."""
    rows, _ = lines(DATA / "WEO_Data_Oct2022_utf16.xls")
    return {row["Country"]: OWN_CODES.get(row["ISO"], row["ISO"]) for row in rows} | OTHER_NAMES


def subjects():
    """Return the codes by descriptor and first word of the units."""
    rows, _ = lines(DATA / ALL)
    kenya = [row for row in rows if row["Country"] == "Kenya"]
    return {
        (row["Subject Descriptor"], row["Units"][:8]): code for row, code in zip(kenya, CODES, strict=True)
    }


def read(path):
    """Return a file's day, what it states by series and year (None: no outturn), and what is left out."""
    rows, footer = lines(path)
    day = FETCHED.date()
    if footer:
        month, year = footer[0].split()[-2:]
        day = date(int(year), MONTHS[month], monthrange(int(year), MONTHS[month])[1])
    names, codes, stated, left_out = countries(), subjects(), {}, Counter()
    for row in rows:
        key = f"WEO.{codes[row['Subject Descriptor'], row['Units'][:8]]}.{names[row['Country']]}"
        last = row["Estimates Start After"]
        for year, text in row.items():
            if not (year or "").isdigit():
                continue
            if not last:
                assert text in ("n/a", ""), (key, year, text)
            elif text in ("n/a", "", "--"):
                stated[key, int(year)] = None
            elif int(year) > int(last) or date(int(year), 12, 31) > day:
                left_out["estimate" if int(year) > int(last) else "year_not_over"] += 1
                stated[key, int(year)] = None
            else:
                stated[key, int(year)] = Decimal(text.replace(",", ""))
    return day, stated, left_out


@pytest.fixture(scope="module")
def editions():
    paths = sorted(path for path in DATA.iterdir() if path.suffix in (".xls", ".csv"))
    assert len(paths) == 6
    return {path: read(path) for path in paths if path.name != REFUSED}


@pytest.fixture(scope="module")
def loaded(module_service, editions):
    service = module_service
    service.closed_sources = ()
    for path, (_, stated, left_out) in editions.items():
        (batch,) = service.ingest((path.read_bytes(), FETCHED), source_name="imf-weo")
        assert (batch.outcome, batch.rejected) == ("accepted", dict(left_out)), path
        print(path.name, sum(value is not None for value in stated.values()), dict(left_out))
    service.publish()
    return service


def test_a_file_that_does_not_mark_its_estimates_is_refused(make_service):
    (batch,) = make_service().ingest((DATA / REFUSED).read_bytes(), source_name="imf-weo")
    assert (batch.outcome, list(batch.rejected)) == ("refused", ["missing_column"])


def expected_on(editions, day):
    known = {}
    for stated_on, stated, _ in sorted(editions.values(), key=lambda one: one[0]):
        if stated_on <= day:
            known |= stated
    return {place: value for place, value in known.items() if value is not None}


def served(service, **asked):
    found, cursor = {}, {}
    while True:
        response = service.get("/v1/macro", limit=2_000, **asked, **cursor)
        assert response.status_code == 200, response.text
        body = response.exact
        for row in body["data"]:
            assert found.setdefault((row["series"], int(row["date"][:4])), row["value"]) == row["value"]
        if not body["next_cursor"]:
            return found
        cursor = {"cursor": body["next_cursor"]}


def test_every_value_of_every_edition_on_its_days(loaded, editions):
    """On the day of each edition, the day before and long after: all values, none more."""
    days = sorted({stated_on for stated_on, *_ in editions.values()})
    asked = sorted({day + timedelta(days=more) for day in days for more in (-1, 0)} | {date(2019, 6, 30)})
    compared = 0
    for day in asked:
        expected = expected_on(editions, day)
        assert served(loaded, as_of=day.isoformat()) == expected, day
        compared += len(expected)
        print(day, len(expected))
    assert compared > 200_000


def test_units_have_their_scale(loaded):
    units = defaultdict(set)
    for key in ("WEO.NGDPD.KEN", "WEO.NGDPDPC.KEN", "WEO.LP.KEN", "WEO.PCPIPCH.JPN", "WEO.NGDP.KEN"):
        for row in loaded.get("/v1/macro", series=key).exact["data"]:
            units[key].add(row["unit"])
    assert units == {
        "WEO.NGDPD.KEN": {"USD billions"},
        "WEO.NGDPDPC.KEN": {"USD"},
        "WEO.LP.KEN": {"persons millions"},
        "WEO.PCPIPCH.JPN": {"percent"},
        "WEO.NGDP.KEN": {"national currency billions"},
    }
