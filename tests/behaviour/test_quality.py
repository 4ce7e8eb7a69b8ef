"""Floors: an edition with a fault does not become current; what is measured follows what is published."""

from __future__ import annotations

from dataclasses import replace

import pytest

from demo import companyfacts
from demo.world import FETCHED_AT, World
from sankofa.core.errors import BelowFloor, Refused
from sankofa.editions.publish import publish
from sankofa.editions.walk import Walk
from sankofa.quality.audit import audit
from sankofa.quality.measures import FUND, MEASURES
from sankofa.quality.samples import measure_sample
from support.filings import FY2023
from support.holding import decision
from support.lines import reports
from support.stated_macro import GDP, indicator
from support.stated_quality import furnish, kenyan, metrics, share, values
from support.stated_tenders import CITY, PERSON, fetched, package, release, tender

HIDING = "look_ahead_newest_period"
FY2024 = ("2024-01-01", "2024-12-31")

# For each floor and dataset, what goes wrong in a build after its rows were written.
UNSOURCED = """
INSERT INTO serving.provenance
SELECT md5(provenance_id || 'x')::uuid, document_ref, '', observed_at, available_at_basis, method
FROM serving.provenance ON CONFLICT DO NOTHING;
UPDATE serving.{table} SET provenance_id = md5(provenance_id || 'x')::uuid WHERE published_in = {edition}
"""
# Rows that stood before are replaced by copies that differ in one field alone.
OTHERWISE = """
INSERT INTO serving.{table} OVERRIDING SYSTEM VALUE
SELECT (jsonb_populate_record(told, jsonb_build_object({field}, 'published_in', {edition},
    'row_id', nextval(pg_get_serial_sequence('serving.{table}', 'row_id'))))).*
FROM serving.{table} AS told WHERE {which} AND superseded_in = 2147483647 AND published_in < {edition};
INSERT INTO serving.closing SELECT '{table}', {edition}, row_id, 'corrected'
FROM serving.{table} WHERE {which} AND superseded_in = 2147483647 AND published_in < {edition};
UPDATE serving.{table} SET superseded_in = {edition}
WHERE {which} AND superseded_in = 2147483647 AND published_in < {edition}
"""


def otherwise(table, which, field):
    told = {"table": table, "which": which, "field": field, "edition": "{edition}"}
    return OTHERWISE.format(**told)


FAULTS = {
    ("AF-FUND", "provenance_completeness"): UNSOURCED.replace("{table}", "fundamentals_fact"),
    ("AF-TENDER", "provenance_completeness"): UNSOURCED.replace("{table}", "tender_release"),
    ("AF-MACRO", "provenance_completeness"): UNSOURCED.replace("{table}", "macro_value"),
    ("AF-FUND", "look_ahead_dates"): (
        "UPDATE serving.fundamentals_fact SET available_at = available_at - 1"
        " WHERE published_in = {edition} AND vintage = 3"
    ),
    ("AF-TENDER", "look_ahead_dates"): (
        "UPDATE serving.tender_release SET available_at = available_at - 1"
        " WHERE published_in = {edition} AND vintage = 2"
    ),
    ("AF-MACRO", "look_ahead_dates"): (
        "UPDATE serving.macro_value SET available_at = available_at - 1"
        " WHERE published_in = {edition} AND vintage = 2"
    ),
    ("AF-FUND", "look_ahead_history"): (
        "INSERT INTO serving.closing SELECT 'fundamentals_fact', {edition}, row_id, 'corrected'"
        " FROM serving.fundamentals_fact WHERE period_end = '2022-12-31' AND superseded_in = 2147483647;"
        "UPDATE serving.fundamentals_fact SET superseded_in = {edition}"
        " WHERE period_end = '2022-12-31' AND superseded_in = 2147483647"
    ),
    ("AF-TENDER", "look_ahead_history"): (
        "DELETE FROM serving.tender_release WHERE published_in = {edition} AND vintage = 1"
    ),
    ("AF-MACRO", "look_ahead_history"): (
        "INSERT INTO serving.closing SELECT 'macro_value', {edition}, row_id, 'corrected'"
        " FROM serving.macro_value WHERE period_end = '2021-12-31' AND superseded_in = 2147483647;"
        "UPDATE serving.macro_value SET superseded_in = {edition}"
        " WHERE period_end = '2021-12-31' AND superseded_in = 2147483647"
    ),
    ("AF-FUND", "future_independence"): otherwise(
        "fundamentals_fact", "period_end = '2022-12-31'", "'fiscal_year', 2021"
    ),
    ("AF-TENDER", "future_independence"): (
        "UPDATE serving.tender_release SET has_text = NOT has_text"
        " WHERE published_in = {edition} AND vintage = 1"
    ),
    ("AF-MACRO", "future_independence"): otherwise(
        "macro_value", "period_end = '2021-12-31'", "'unit', 'percent'"
    ),
    ("AF-FUND", "look_ahead_first_vintage"): (
        "UPDATE serving.fundamentals_fact SET value = value + 1"
        " WHERE published_in = {edition} AND vintage = 1"
    ),
    ("AF-TENDER", "look_ahead_first_vintage"): (
        "UPDATE serving.tender_release SET vintage = 1 WHERE published_in = {edition} AND vintage = 2"
    ),
    ("AF-MACRO", "look_ahead_first_vintage"): (
        "UPDATE serving.macro_value SET value = value + 1 WHERE published_in = {edition} AND vintage = 1"
    ),
    ("AF-FUND", "look_ahead_newest_period"): (
        "UPDATE serving.metric_value SET last_until = known_from + 1"
        " WHERE published_in = {edition} AND last_until > known_from"
    ),
    ("AF-TENDER", "look_ahead_newest_period"): (
        "UPDATE serving.tender_release SET known_until = available_at - 1 WHERE published_in = {edition}"
    ),
    ("AF-MACRO", "look_ahead_newest_period"): (
        "UPDATE serving.macro_value SET known_until = available_at - 1"
        " WHERE published_in = {edition} AND vintage = 2"
    ),
}
TRIGGERS = """
SELECT format('ALTER TABLE %s {} TRIGGER %I', tgrelid::regclass, tgname) FROM pg_trigger
WHERE NOT tgisinternal AND tgrelid::regclass::text ~ '^serving'
"""


class Planted(Walk):
    """A step of a build that damages what the steps before it wrote, with all triggers out of the way."""

    name = "planted"

    def __init__(self, service, statement):
        self._service = service
        self._statement = statement

    def touch(self, _connection, edition, _before):
        with self._service.connect() as admin, admin.transaction():
            for (statement,) in admin.execute(TRIGGERS.format("DISABLE")).fetchall():
                admin.execute(statement)
            done = [admin.execute(one).rowcount for one in self._statement.format(edition=edition).split(";")]
            for (statement,) in admin.execute(TRIGGERS.format("ENABLE ALWAYS")).fetchall():
                admin.execute(statement)
        assert 0 not in done
        return []


def damaged(service, fault, override=""):
    publisher = service.publisher(override)
    *data, tallies, totals = publisher.walks
    return replace(publisher, walks=(*data, Planted(service, fault), tallies, totals))


def say_more(service):
    """Load what restates an issuer, a process and a series, and adds to them; all of it is known later."""
    filer = kenyan().says(13, filed="2024-09-01", period=FY2023)
    reports(filer, FY2024, "2025-03-01", revenue=20, net_income=3, total_assets=9)
    service.ingest(filer.document())
    changed = release(
        "ocds-1", date="2024-01-10T08:00:00Z", buyer={"name": CITY}, tender=tender(11, category="Roads")
    )
    service.ingest(fetched(package(changed), "2024-04-01"), source_name="demo-tenders")
    years = {(country, year): year for country in ("KEN", "NGA") for year in (2021, 2022, 2023)}
    page = indicator(years | {("KEN", 2022): 2}, GDP, updated="2024-06-28")
    service.ingest(page, source_name="demo-world-bank")
    decision(service, release=True)  # sources seldom say so much at once


@pytest.fixture(scope="module")
def waiting(module_service):
    """A service that has published once, with more in the ledger."""
    furnish(module_service)
    say_more(module_service)
    return module_service


def test_every_floor_that_stops_a_build_is_tried_here():
    stopping = {(sku, measure.slug) for measure in MEASURES if measure.fault for sku in measure.skus}
    assert set(FAULTS) == stopping


@pytest.mark.parametrize("measure", sorted({measure for _, measure in FAULTS}))
def test_a_build_below_a_floor_does_not_become_current(waiting, measure):
    skus = [sku for sku, floor in FAULTS if floor == measure]
    with pytest.raises(BelowFloor) as refused:
        publish(damaged(waiting, ";".join(FAULTS[sku, measure] for sku in skus)))
    told = str(refused.value)
    for sku in skus:
        assert f"{sku} {measure} is 0" in told
    assert "below its floor of 1" in told
    assert "--override" in told
    assert waiting.rows("SELECT max(edition) FROM serving.edition") == [(1,)]
    assert waiting.rows("SELECT count(*) FROM ops.quality_override") == [(0,)]


def test_labels_that_a_later_filing_changes_for_an_earlier_day_stop_a_build(service):
    """A later filing of the demo world once turned balance sheets of half-years into those of quarters.

    Values and vintages stood as before, so no other check saw it.
    """
    world = World()
    service.ingest((companyfacts.part(world, 1).content, FETCHED_AT))
    service.publish()
    later = companyfacts.later_filing(world, 1, 2)
    service.ingest((later.content, later.fetched_at))
    which = "period_start = '-infinity' AND period_end < '2020-01-01'"
    relabelled = otherwise("fundamentals_fact", which, "'period_type', 'Q2'")
    with pytest.raises(BelowFloor) as refused:
        publish(damaged(service, relabelled))
    assert "AF-FUND future_independence is 0" in str(refused.value)
    assert "look_ahead_history" not in str(refused.value)
    publish(damaged(service, relabelled, "to see that an audit finds it too"))
    (fund,) = (one for one in audit(service.settings.publish_dsn).datasets if one.sku == FUND)
    assert set(fund.faults) == {"future_independence"}


def test_an_override_is_recorded_and_shown_in_its_edition_alone(waiting):
    publish(damaged(waiting, FAULTS[FUND, HIDING], "known, and mended tomorrow"))
    waiting.await_edition(2)
    assert waiting.rows(
        "SELECT edition, sku, measure, value < floor, floor, reason, decided_by FROM ops.quality_override"
    ) == [(2, FUND, HIDING, True, 1, "known, and mended tomorrow", "sankofa_publish")]
    below = metrics(waiting, FUND)
    assert (below[HIDING]["status"], below["floor_overrides"]["value"]) == ("fail", 1)
    assert metrics(waiting, "AF-MACRO")["floor_overrides"]["value"] == 0
    assert metrics(waiting, FUND, edition=1)[HIDING]["status"] == "pass"

    found = audit(waiting.settings.publish_dsn)
    (fund,) = (one for one in found.datasets if one.sku == FUND)
    assert set(fund.faults) == {HIDING}
    assert found.differing == []
    assert metrics(waiting, FUND)["look_ahead_audit"]["value"] == "UNMEASURED"

    waiting.ingest(kenyan().says(14, filed="2025-09-01", period=FY2023).document())
    waiting.publish()
    waiting.await_edition(3)
    mended = metrics(waiting, FUND)
    assert (mended[HIDING]["status"], mended["floor_overrides"]["value"]) == ("pass", 0)
    assert mended["look_ahead_audit"]["status"] == "fail"
    assert mended["look_ahead_audit"]["value"] == share(fund.checked - fund.faults[HIDING], fund.checked)
    assert metrics(waiting, FUND, edition=2) == below
    assert audit(waiting.settings.publish_dsn).is_clean


def test_counts_follow_a_takedown_and_labels_measure_what_no_rule_can_see(waiting):
    waiting.take_down(waiting.id_of("cik:0000000003"))
    lines = [
        "AF-FUND,extraction_accuracy,cik:0000000001,revenue,2022-12-31,KES,10",
        "AF-FUND,extraction_accuracy,cik:0000000001,revenue,2022-12-31,KES,11",
        "AF-MACRO,extraction_accuracy,WB.NY.GDP.MKTP.CD.KEN,,2021-12-31,,2021",
        "AF-TENDER,extraction_accuracy,demo-tenders|ocds-2,tender_value,,ZAR,20",
        f"AF-TENDER,false_withhold_rate,party:ZA:{PERSON.casefold()},,,,",
        f"AF-TENDER,false_withhold_rate,party:ZA:{CITY.casefold()},,,,",
    ]
    header = "sku,measure,identifier,item,period_end,unit,value"
    for wrong in (
        "AF-FUND,freshness,x,,,,",
        "AF-BOND,extraction_accuracy,x,,,,",
        "AF-FUND,extraction_accuracy,,,,,",
    ):
        with pytest.raises(Refused, match="line 1"):
            measure_sample(waiting.settings.publish_dsn, f"{header}\n{wrong}\n".encode())
    measure_sample(waiting.settings.publish_dsn, "\n".join([header, *lines]).encode())
    edition = waiting.publish().edition
    waiting.await_edition(edition)
    fund, tenders = metrics(waiting, FUND), values(waiting, "AF-TENDER")
    assert (fund["coverage_issuers"]["value"], "coverage_issuers.none" in fund) == (2, False)
    assert (fund["extraction_accuracy"]["value"], fund["extraction_accuracy"]["status"]) == (
        share(1, 2),
        "fail",
    )
    assert values(waiting, "AF-MACRO")["extraction_accuracy"] == 1
    assert (tenders["extraction_accuracy"], tenders["false_withhold_rate"]) == (1, share(1, 2))
    assert values(waiting, "AF-TENDER", edition=edition - 1)["false_withhold_rate"] == "UNMEASURED"
    assert audit(waiting.settings.publish_dsn).is_clean
