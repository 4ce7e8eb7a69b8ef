"""Vintages of series: what opens one, what ends one, and that the order of arrival decides nothing."""

from __future__ import annotations

import random
from datetime import date, timedelta
from decimal import Decimal

import pytest

from oracle.series import vintages
from oracle.series_histories import FIRST, bank_history
from support.bank_tables import GDP, page, wide

BANK = "demo-world-bank"
KENYA, GHANA = f"WB.{GDP}.KEN", f"WB.{GDP}.GHA"
ROWS = """
SELECT series_key, period_start, vintage, available_at, nullif(known_until, 'infinity'), value
FROM serving.macro_value WHERE superseded_in = 2147483647 ORDER BY series_key, period_start, vintage
"""
# All that an edition says, but the numbers of its rows and of itself.
EDITION = """
SELECT value.fact_id, value.series_key, value.period_start, value.period_end, value.available_at,
    value.known_until::text, value.vintage, value.frequency, value.country_iso3, value.measure, value.value,
    provenance.document_ref, provenance.available_at_basis, provenance.observed_at, series.source,
    series.series_type, series.country_iso2, series.unit, series.indicator, series.indicator_name
FROM serving.macro_value AS value
JOIN serving.provenance AS provenance USING (provenance_id)
JOIN serving.series AS series ON series.series_key = value.series_key AND series.superseded_in = 2147483647
WHERE value.superseded_in = 2147483647 ORDER BY value.series_key, value.period_start, value.vintage
"""


def on(day):
    """Return a moment some days after the first."""
    return FIRST + timedelta(days=day)


def table(day, values, **options):
    """Return a whole table as updated and fetched on a day."""
    return wide(values, on(day).date(), **options), on(day)


def part(day, values, **options):
    """Return a page of the API as updated and fetched on a day."""
    return page(values, on(day).date(), **options), on(day)


def load(service, *documents, source=BANK):
    batches = service.ingest(*documents, source_name=source)
    assert [(batch.outcome, batch.rejected) for batch in batches] == [("accepted", {})] * len(documents)
    return [batch.facts_appended for batch in batches]


def history(service, key=KENYA):
    return [
        (str(row[3])[5:], row[5], row[4] and str(row[4])[5:]) for row in service.rows(ROWS) if row[0] == key
    ]


HUNDRED, NINETY = {"KEN": {2020: "100"}}, {"KEN": {2020: "90"}}


@pytest.mark.parametrize("form", [table, part])
@pytest.mark.parametrize("order", [(0, 1, 2), (0, 2, 1), (2, 0, 1), (2, 1, 0), (1, 0, 2), (1, 2, 0)])
def test_100_90_100_has_three_vintages_in_whatever_order_it_arrives(service, form, order):
    both = {"GHA": {2020: "1"}}
    documents = [form(day, both | said) for day, said in enumerate([HUNDRED, NINETY, HUNDRED])]
    for number in order:
        load(service, documents[number])
        service.publish()
    assert history(service) == [("01-01", 100, "01-02"), ("01-02", 90, "01-03"), ("01-03", 100, None)]
    assert history(service, GHANA) == [("01-01", 1, None)]


def test_a_page_that_is_silent_repeats_nothing(service):
    """100, then a page of another year, then 100 again. The 90 that arrives late comes before both."""
    load(service, part(0, HUNDRED), part(2, {"KEN": {2021: "7"}}), part(3, HUNDRED))
    load(service, part(1, NINETY))
    service.publish()
    year = [row for row in service.rows(ROWS) if row[1].year == 2020]
    assert [(row[3].day, row[5]) for row in year] == [(1, 100), (2, 90), (4, 100)]


def test_a_snapshot_appends_only_what_differs(service):
    values = {"KEN": {year: str(year) for year in range(1960, 2020)}}
    revised = {"KEN": values["KEN"] | {2019: "5"}}
    assert load(service, table(0, values), table(1, values), table(2, revised)) == [60, 0, 1]
    assert [batch.outcome for batch in service.ingest(table(2, revised), source_name=BANK)] == ["seen"]


def test_a_value_that_a_whole_table_lacks_is_withdrawn_and_may_come_back(service):
    load(service, table(0, {"KEN": {2020: "1", 2021: "2"}, "GHA": {2020: "3"}}))
    load(service, table(1, {"KEN": {2020: "1"}, "GHA": {2020: "3"}}, years=[2020, 2021]))
    load(service, table(2, {"KEN": {2020: "1", 2021: "2"}, "GHA": {2020: "3"}}))
    service.publish()
    rows = [row[1:] for row in service.rows(ROWS) if row[0] == KENYA]
    assert [(first.year, vintage, ended and ended.day) for first, vintage, _, ended, _ in rows] == [
        (2020, 1, None),
        (2021, 1, 2),
        (2021, 2, None),
    ]


def test_a_page_withdraws_what_it_states_to_be_missing_and_nothing_else(service):
    load(service, part(0, {"KEN": {2020: "1", 2021: "2"}}), part(1, {"KEN": {2021: None}}))
    service.publish()
    assert [(row[1].year, row[4] is not None) for row in service.rows(ROWS)] == [(2020, False), (2021, True)]


@pytest.mark.parametrize("is_late", [False, True])
def test_a_series_that_a_table_no_longer_names_is_withdrawn(service, is_late):
    """Also where the series itself becomes known after the table that lacks it."""
    other = {"GHA": {2020: "3"}, "UGA": {2020: "4"}}
    documents = [table(0, HUNDRED | other), table(5, other)]
    for document in reversed(documents) if is_late else documents:
        load(service, document)
    service.publish()
    assert history(service) == [("01-01", 100, "01-06")]
    assert history(service, GHANA) == [("01-01", 3, None)]


def test_a_table_covers_its_own_indicator_and_frequency_alone(service):
    """FP.CPI.TOTL.ZG begins like FP.CPI.TOTL, and is another indicator; quarters are in other tables."""
    areas = {"KEN": {2020: "1"}, "GHA": {2020: "2"}}
    load(service, table(0, areas, indicator="FP.CPI.TOTL.ZG"))
    quarters = {area: {"2020Q1": "3"} for area in areas}
    load(service, table(1, quarters, indicator="FP.CPI.TOTL"))
    load(service, table(2, areas, indicator="FP.CPI.TOTL"))
    service.publish()
    rows = service.rows("SELECT count(*), count(nullif(known_until, 'infinity')) FROM serving.macro_value")
    assert rows == [(6, 0)]


def test_another_way_to_write_a_number_is_no_revision(service):
    load(service, table(0, {"KEN": {2020: "1.20"}}), table(1, {"KEN": {2020: "1.2"}}))
    load(service, table(2, {"KEN": {2020: "1.21"}}))
    service.publish()
    assert [row[5] for row in service.rows(ROWS)] == [Decimal("1.2"), Decimal("1.21")]


def test_values_are_exact_to_thirty_decimals_and_longer_ones_are_counted(service):
    exact, too_long = "0.000000000000123456789012345678", "0.0000000000001234567890123456789"
    document = wide({"KEN": {2020: exact, 2021: too_long}}, FIRST.date())
    [batch] = service.ingest((document, FIRST), source_name=BANK)
    assert batch.rejected == {"value_out_of_range": 1}
    service.publish()
    assert [row[5] for row in service.rows(ROWS)] == [Decimal(exact)]


def test_the_more_authoritative_source_answers_from_its_day_on_and_another_order_moves_it(service):
    service.authority = ((BANK,), ("world-bank",))
    load(service, table(0, {"KEN": {2020: "1"}, "GHA": {2020: "1"}}), source="world-bank")
    service.publish()
    assert history(service) == [("01-01", 1, None)]
    load(service, table(1, {"KEN": {2020: "2"}, "UGA": {2020: "2"}}))
    service.publish()
    assert history(service) == [("01-01", 1, "01-02"), ("01-02", 2, None)]
    assert history(service, GHANA) == [("01-01", 1, None)]
    service.authority = (("world-bank",), (BANK,))
    assert service.publish().changed_rules == {"series_sources"}
    assert history(service) == [("01-01", 1, None)]
    keys = service.rows("SELECT series_key, source FROM serving.series WHERE superseded_in = 2147483647")
    assert sorted(keys) == [
        (GHANA, "world-bank"),
        (KENYA, "world-bank"),
        (f"WB.{GDP}.UGA", BANK),
    ]


def test_of_sources_with_one_authority_the_last_to_speak_answers_also_by_repeating(service):
    service.authority = ((BANK, "world-bank"),)
    load(service, table(0, {"KEN": {2020: "1"}, "GHA": {2020: "1"}}), source="world-bank")
    load(service, table(1, {"KEN": {2020: "2"}, "GHA": {2020: "1"}}))
    service.publish()
    assert history(service) == [("01-01", 1, "01-02"), ("01-02", 2, None)]
    # The table differs from the source's last one in what it says of Ghana alone; Kenya is repeated.
    load(service, table(2, {"KEN": {2020: "1"}, "GHA": {2020: "3"}}), source="world-bank")
    service.publish()
    assert history(service) == [("01-01", 1, "01-02"), ("01-02", 2, "01-03"), ("01-03", 1, None)]
    assert history(service, GHANA) == [("01-01", 1, "01-03"), ("01-03", 3, None)]


def test_a_value_that_one_source_withdraws_is_answered_by_another_that_has_it(service):
    service.authority = ((BANK,), ("world-bank",))
    load(service, table(0, {"KEN": {2020: "1"}, "GHA": {2020: "1"}}))
    load(service, table(1, {"KEN": {2020: "2"}, "GHA": {2020: "2"}}), source="world-bank")
    load(service, table(2, {"KEN": {2021: "9"}, "GHA": {2020: "1"}}))
    service.publish()
    assert history(service)[:2] == [("01-01", 1, "01-03"), ("01-03", 2, None)]


def rates(*days):
    """Return a document in the form of the European Central Bank: (day, dollars for a euro)."""
    return "\n".join(["Date, USD, ", *(f"{day:%d %B %Y}, {rate}, " for day, rate in days)]).encode()


def test_a_rate_counts_from_its_own_day_and_a_correction_from_our_fetch(service):
    monday, tuesday = date(2024, 1, 8), date(2024, 1, 9)
    load(service, (rates((monday, "1.1"), (tuesday, "1.2")), on(30)), source="demo-fx")
    load(service, (rates((tuesday, "1.3")), on(40)), source="demo-fx")
    service.publish()
    rows = service.rows(
        "SELECT period_end, available_at, available_at_basis, value FROM serving.macro_value"
        " JOIN serving.provenance USING (provenance_id) ORDER BY period_end, vintage"
    )
    assert rows == [
        (monday, monday, "publisher", Decimal("1.1")),
        (tuesday, tuesday, "publisher", Decimal("1.2")),
        (tuesday, on(40).date(), "first_seen", Decimal("1.3")),
    ]


def test_an_edition_tells_what_it_changed(service):
    load(service, table(0, {"KEN": {2020: "1", 2021: "2"}}))
    assert service.publish().changes["AF-MACRO"].counts() == {"put": {"added": 2}, "removed": {}}
    load(service, table(1, {"KEN": {2020: "5"}}, years=[2020, 2021]))
    changes = service.publish().changes["AF-MACRO"].counts()
    # What was restated is told with its end, and then what took its place.
    assert changes == {
        "put": {"restated": 2, "withdrawn": 1},
        "removed": {"restated": 1, "withdrawn": 1},
    }
    facts = service.rows("SELECT fact_id, count(*) FROM serving.macro_value GROUP BY 1 ORDER BY 2")
    assert [count for _, count in facts] == [1, 2, 2]
    assert service.publish() is None


@pytest.mark.parametrize("seed", range(4))
def test_generated_histories_in_random_orders_are_what_the_oracle_says(make_service, seed):
    """One service takes them in order and publishes once; the other shuffled, publishing in between."""
    rng = random.Random(seed)
    documents = bank_history(rng, GDP)
    expected = [vintage[:6] for vintage in vintages([stated for _, said in documents for stated in said])]
    at_once, step_by_step = make_service(), make_service()
    load(at_once, *(document for document, _ in documents))
    at_once.publish()
    assert at_once.rows(ROWS) == expected
    rng.shuffle(documents)
    for document, _ in documents:
        load(step_by_step, document)
        if rng.random() < 0.5:
            step_by_step.publish()
    step_by_step.publish()
    assert step_by_step.rows(ROWS) == expected
    assert step_by_step.rows(EDITION) == at_once.rows(EDITION)


def test_what_a_closed_source_states_is_kept_and_never_served(service):
    service.ingest(rates((date(2024, 2, 28), "1.1")), source_name="demo-fx")

    def served():
        return service.rows("SELECT series_key FROM serving.macro_value WHERE superseded_in = 2147483647")

    for closed, expected in ((("demo-fx",), []), ((), [("FX.EUR.USD",)]), (("demo-fx",), [])):
        service.closed_sources = closed
        service.publish()
        assert served() == expected
    assert service.rows("SELECT count(*) FROM ledger.observation") == [(1,)]
