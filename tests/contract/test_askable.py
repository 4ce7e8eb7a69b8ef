"""CAT-1: every key that the catalogue of the demo world lists has rows when it is asked for as documented."""

from __future__ import annotations

import pytest

KINDS = ("metrics", "line-items", "indicators", "series", "signals", "categories", "exchanges", "sources")


@pytest.fixture(scope="module")
def issuers(demo):
    """The ids of all organisations."""
    found = demo.rows("SELECT DISTINCT service_id FROM serving.organisation ORDER BY service_id")
    return [service_id for (service_id,) in found]


@pytest.fixture(scope="module")
def tickers(demo, issuers):
    """Every ticker as the crosswalk shows it."""
    rows = [row for one in issuers for row in demo.get(f"/v1/crosswalk/{one}").exact["data"]]
    return {row["id_value"] for row in rows if row["id_type"] == "ticker"}


def listed(demo, kind):
    body = demo.get(f"/v1/catalog/{kind}", limit=1000).exact
    assert body["data"]
    assert not body["truncated"]
    return body["data"]


def answer(demo, path, **asked):
    response = demo.get(path, **asked)
    assert response.status_code == 200, response.text
    return response.exact


@pytest.mark.proves("CAT-1")
@pytest.mark.parametrize("kind", KINDS)
def test_what_is_listed_has_coverage_dates_and_licence(demo, kind):
    for entry in listed(demo, kind):
        assert sum(entry["coverage"].values()) > 0, entry
        assert entry["first_date"], entry
        assert entry["license_class"] == "synthetic"


@pytest.mark.proves("CAT-1", "MET-3")
def test_every_metric_can_be_screened(demo):
    for entry in listed(demo, "metrics"):
        ranked = answer(demo, "/v1/screen", metric=entry["key"], absent="true")
        assert ranked["count"] > 0, entry


@pytest.mark.proves("CAT-1", "SHF-4")
def test_every_line_item_is_a_measure_of_some_issuer(demo, issuers):
    wanted = {entry["key"] for entry in listed(demo, "line-items")}
    for issuer in issuers:
        wanted -= {
            row["measure"] for row in answer(demo, "/v1/shared/facts", entity_id=issuer, limit=1000)["data"]
        }
    assert wanted == set()


@pytest.mark.proves("CAT-1", "MAC-1")
def test_every_indicator_has_years_in_each_country_that_it_covers(demo):
    for entry in listed(demo, "indicators"):
        for country in entry["coverage"]:
            rows = answer(demo, "/v1/macro", indicator=entry["key"], country=country, limit=1000)["data"]
            assert rows, (entry, country)
            assert {row["indicator"] for row in rows} == {entry["key"]}


@pytest.mark.proves("CAT-1", "MAC-1")
def test_every_series_has_observations(demo):
    for entry in listed(demo, "series"):
        rows = answer(demo, "/v1/macro", series=entry["key"])["data"]
        assert rows, entry
        assert {row["series"] for row in rows} == {entry["key"]}
        assert rows[0]["date"] == entry["last_date"]


@pytest.mark.proves("CAT-1", "SIG-2")
def test_every_signal_and_category_has_observations_in_each_country_that_it_covers(demo):
    for entry in listed(demo, "signals"):
        for country in entry["coverage"]:
            rows = answer(demo, f"/v1/signals/{entry['key']}", country=country)["observations"]
            assert rows, (entry, country)
    for entry in listed(demo, "categories"):
        for country in entry["coverage"]:
            asked = {"country": country, "category": entry["key"]}
            rows = answer(demo, "/v1/signals/procurement-demand", **asked)["observations"]
            assert rows, (entry, country)


@pytest.mark.proves("CAT-1", "XWK-2")
def test_every_exchange_finds_its_tickers_by_mic_and_by_each_alias(demo, tickers):
    entries = listed(demo, "exchanges")
    for entry in entries:
        symbols = [ticker.partition(":")[2] for ticker in tickers if ticker.startswith(f"{entry['key']}:")]
        assert symbols, entry
        for code in (entry["key"], *entry["aliases"]):
            for symbol in symbols:
                (row,) = answer(demo, "/v1/crosswalk", id_type="ticker", id_value=f"{code}:{symbol}")["data"]
                assert row["id_value"] == f"{entry['key']}:{symbol}"
    aliases = {entry["key"]: entry["aliases"] for entry in entries}
    assert (aliases["XJSE"], aliases["XNAI"], aliases["XNSA"]) == (["JNB", "JSE"], ["NBO"], ["LAG", "NGX"])


@pytest.mark.proves("CAT-1", "ENV-4")
def test_every_source_is_cited_by_some_row_unless_an_earlier_one_states_the_same(demo, issuers):
    paths = [
        f"/v1/{endpoint}/{one}" for endpoint in ("entities", "crosswalk", "fundamentals") for one in issuers
    ]
    paths += ["/v1/tenders?country=ZA", "/v1/tenders?country=KE", "/v1/macro", "/v1/macro?series=CPI.KEN"]
    paths += ["/v1/macro?series=FX.EUR.ZAR"]
    cited = set()
    for path in paths:
        response = demo.get(path)
        if response.status_code == 200:
            cited |= {row["source_ref"].partition("@")[0].partition(":")[0] for row in response.exact["data"]}
    # The pairs of CIK and LEI only join issuers: filings and the register state both numbers first.
    assert {entry["key"] for entry in listed(demo, "sources")} == cited | {"demo-cik-lei"}
