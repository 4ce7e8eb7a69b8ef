"""Open panels, read without a key by the snippets of the docs: right, and only in part."""

from __future__ import annotations

import re
from importlib import resources

import duckdb
import pytest

from support.exports import listed
from support.ranged_proxy import counting
from support.repository import ROOT
from support.stated_tenders import SOURCE, package, release, tender

_SNIPPET = re.compile(r"With (\w+):\n\n```python\n(.*?)```", re.DOTALL)
_FOUND = _SNIPPET.findall((ROOT / "docs" / "export.md").read_text(encoding="utf-8"))
SNIPPETS = {reader.lower(): snippet for reader, snippet in _FOUND}
HTTPFS = resources.files("duckdb_extension_httpfs").joinpath(
    f"extensions/v{duckdb.__version__}/httpfs.duckdb_extension"
)
# Twenty countries, five years, so many categories: several row groups, of which one country has few.
_FILL = """
INSERT INTO serving.signal (
    published_in, signal_id, observed_at, month, reason, cell, panel, country, breakdown, methodology_ref,
    license_class, figures, source_ref
)
SELECT
    2, md5(country || months || category)::uuid, '2026-01-05',
    make_date(2010, 1, 1) + months * interval '1 month', 'added', country || months, 'procurement-demand',
    country, 'Category ' || category, 'procurement-demand-v1',
    CASE WHEN country = 'UG' THEN 'unverified' ELSE 'synthetic' END,
    jsonb_build_object(
        'releases', category, 'category_share', 0.5, 'buyer_concentration', NULL, 'momentum', -0.1234567891
    ),
    'demo-tenders@sha256:' || md5(country || months || category) || md5(category || country || months)
FROM unnest(string_to_array('AO BF BW CI CM DZ EG ET GH KE MA ML MZ NG RW SN TN TZ UG ZM', ' ')) AS country,
    generate_series(0, 59) AS months, generate_series(1, 30) AS category
"""


@pytest.fixture(scope="module")
def panel(module_service):
    """A panel of several row groups, filled by hand under the number of the edition that comes next."""
    service = module_service
    service.ingest(package(release("ocds-1", tender=tender(category="Roads"))), source_name=SOURCE)
    service.publish()
    with service.connect() as admin:
        admin.execute(_FILL)
    service.ingest(package(release("ocds-2", tender=tender(category="Roads"))), source_name=SOURCE)
    assert service.publish().edition == 2
    service.export()
    service.await_edition(service.publish().edition)
    return next(each for each in listed(service) if each["signal_key"] == "procurement-demand")


@pytest.mark.parametrize("reader", ["duckdb", "polars", "pandas"])
def test_a_country_is_found_and_the_rest_of_the_file_is_not_read(panel, reader):
    snippet = SNIPPETS[reader].replace("INSTALL httpfs; LOAD httpfs", f"LOAD '{HTTPFS}'")
    with counting(panel["url"]) as server:
        names = {"url": server.url(panel["url"])}
        exec(snippet, names)
        found = names["found"]
        rows = found.fetchall() if reader == "duckdb" else found.to_numpy().tolist()
    assert len(rows) == 60 * 30
    assert {country for country, *_ in rows} == {"KE"}
    assert sum(int(releases) for *_, releases in rows) == 60 * sum(range(1, 31))
    ranged = [asked for method, _, asked, _ in server.log if method == "GET"]
    assert ranged
    assert all(ranged)
    print(f"{reader}: {server.sent:,} of {panel['bytes']:,} bytes in {len(server.log)} requests")
    assert server.sent < panel["bytes"] / 2


def test_a_panel_that_did_not_change_is_not_written_again(panel, module_service):
    assert panel["rows"] > 2 * 16_384
    assert module_service.export().files == 0


def test_the_three_readers_have_a_snippet():
    assert set(SNIPPETS) == {"duckdb", "polars", "pandas"}


def test_rows_of_a_source_with_a_stricter_licence_stay_behind(panel):
    assert panel["rows"] == 19 * 60 * 30 + 2  # edition 2 replaced the one row of edition 1
    assert panel["license_class"] == "CC-BY-4.0"
