"""FUN: point-in-time reported facts of one issuer."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

import pytest

from support.filings import FY2022, FY2023, REVENUE, Filer
from support.waiting import until

PATH = "/v1/fundamentals/"


@pytest.fixture(scope="module")
def shown(module_service):
    """A service with a few hand-made filers in edition 1."""
    service = module_service
    restated = (
        Filer(1)
        .says(100, filed="2024-02-01")
        .says(90, filed="2024-06-01")
        .says(90, filed="2024-09-01")
        .says(100, filed="2025-02-01")
    )
    same_day = (
        Filer(2)
        .says(7, filed="2024-03-01", filing="0000000002-24-000009")
        .says(5, filed="2024-03-01", filing="0000000002-24-000001")
        .says(6, filed="2024-03-01", filing="0000000002-24-000002")
    )
    periods = Filer(3)
    for start, end in (
        FY2022,
        FY2023,
        ("2023-01-01", "2023-03-31"),
        ("2023-04-01", "2023-06-30"),
        ("2023-01-01", "2023-06-30"),
        ("2023-07-01", "2023-12-31"),
        ("2023-01-01", "2023-09-30"),
        ("2023-10-01", "2023-12-31"),
        ("2023-07-01", "2023-09-30"),
        ("2023-01-01", "2023-01-31"),
    ):
        periods.says(1, filed="2024-02-01", period=(start, end))
    periods.says(1, filed="2024-02-01", concept="ifrs-full:Assets", period=(None, "2023-12-31"))
    preferred = (
        Filer(4)
        .says(11, filed="2024-02-01", concept="us-gaap:SalesRevenueNet", unit="USD")
        .says(10, filed="2024-02-01", concept="us-gaap:Revenues", unit="USD")
        .says(3, filed="2024-02-01", concept="us-gaap:EarningsPerShareBasic", unit="USD/shares")
        .says(40, filed="2024-02-01", concept="us-gaap:Assets", unit="USD", period=(None, "2023-12-31"))
    )
    comparative = Filer(5).says(50, filed="2023-02-01", period=FY2022)
    comparative.says(60, filed="2024-02-01").says(55, filed="2024-02-01", period=FY2022)
    withdrawn = (
        Filer(6).says(100, filed="2023-02-01", period=FY2022).says(None, filed="2024-02-01", period=FY2022)
    )
    withdrawn.says(100, filed="2025-02-01", period=FY2022)
    filers = (restated, same_day, periods, preferred, comparative, withdrawn)
    service.ingest(*(filer.document() for filer in filers))
    service.publish()
    service.ids = {filer.number: service.id_of(filer.identifier) for filer in filers}
    return service


def values(rows):
    return [(row["vintage"], row["value_reported"]) for row in rows]


@pytest.mark.proves("FUN-1", "ENV-4", "ENV-15")
def test_a_row_has_every_field_and_its_provenance(shown):
    (row,) = shown.facts(shown.ids[1], as_of="2024-03-31")
    assert row == {
        "service_id": shown.ids[1],
        "line_item": "revenue",
        "concept": REVENUE,
        "value_reported": 100,
        "currency_reported": "KES",
        "unit": "KES",
        "scope": "consolidated",
        "period_start": "2023-01-01",
        "period_end": "2023-12-31",
        "days_rounded": None,
        "period_type": "FY",
        "fiscal_year": 2023,
        "vintage": 1,
        "revision": None,
        "previous_value": None,
        "restated_on": None,
        "decimals": None,
        "available_at": "2024-02-01",
        "available_at_basis": "filing",
        "known_until": None,
        "accepted_at": None,
        "form": "20-F",
        "filing_id": "0000000001-24-000201",
        "reported_as": "own",
        "first_filing_held": True,
        "source_ref": row["source_ref"],
        "license_class": "synthetic",
        "observed_at": "2026-01-05T06:00:00Z",
        "extraction_confidence": None,
        "method": "xbrl",
        "provenance_id": row["provenance_id"],
        "fact_id": row["fact_id"],
    }
    ((sha256,),) = shown.rows(
        "SELECT encode(sha256, 'hex') FROM ops.document JOIN ledger.fact USING (document_id)"
        " JOIN ledger.filing USING (filing_id) WHERE filing_number = %s",
        "0000000001-24-000201",
    )
    assert row["source_ref"] == f"demo-companyfacts:0000000001-24-000201@sha256:{sha256}#{REVENUE}"


@pytest.mark.proves("FUN-1")
def test_non_monetary_lines_have_no_currency_and_per_share_lines_do(shown):
    rows = {row["line_item"]: row for row in shown.facts(shown.ids[4])}
    assert rows["eps_basic"]["unit"] == "USD/shares"
    assert rows["eps_basic"]["currency_reported"] == "USD"
    filer = Filer(40).says(
        9, filed="2024-02-01", concept="us-gaap:WeightedAverageNumberOfSharesOutstandingBasic", unit="shares"
    )
    shown.ingest(filer.document())
    edition = shown.publish().edition
    shown.await_edition(edition)
    (row,) = shown.facts(shown.id_of(filer.identifier))
    assert (row["unit"], row["currency_reported"]) == ("shares", None)


@pytest.mark.proves("FUN-2")
@pytest.mark.parametrize(
    ("as_of", "vintages", "expected"),
    [
        ("2024-01-31", "latest", []),
        ("2024-02-01", "latest", [(1, 100)]),
        ("2024-05-31", "latest", [(1, 100)]),
        ("2024-06-01", "latest", [(2, 90)]),
        ("2025-01-31", "latest", [(2, 90)]),
        ("2025-02-01", "latest", [(3, 100)]),
        ("2024-01-31", "as_reported", []),
        ("2025-02-01", "as_reported", [(1, 100)]),
        ("2024-06-01", "all", [(1, 100), (2, 90)]),
        ("2025-02-01", "all", [(1, 100), (2, 90), (3, 100)]),
    ],
)
def test_as_of_cuts_what_was_knowable_in_each_mode(shown, as_of, vintages, expected):
    assert values(shown.facts(shown.ids[1], as_of=as_of, vintages=vintages)) == expected


@pytest.mark.proves("FUN-2")
def test_latest_is_the_default(shown):
    assert shown.facts(shown.ids[1]) == shown.facts(shown.ids[1], vintages="latest")


RESTATED, SAME_DAY, WITHDRAWN = 1, 2, 6


@pytest.mark.proves("FUN-9")
@pytest.mark.parametrize(
    ("filer", "as_of", "until"),
    [
        (RESTATED, "2024-05-31", [None]),
        (RESTATED, "2024-06-01", ["2024-06-01", None]),
        (RESTATED, "2025-01-31", ["2024-06-01", None]),
        (RESTATED, "2025-02-01", ["2024-06-01", "2025-02-01", None]),
        (SAME_DAY, "2024-03-01", ["2024-03-01", "2024-03-01", None]),
        (WITHDRAWN, "2024-01-31", [None]),
        (WITHDRAWN, "2024-02-01", ["2024-02-01"]),
        (WITHDRAWN, "2025-01-31", ["2024-02-01"]),
        (WITHDRAWN, "2025-02-01", ["2024-02-01", None]),
    ],
)
def test_known_until_tells_no_day_after_as_of(shown, filer, as_of, until):
    rows = shown.facts(shown.ids[filer], as_of=as_of, vintages="all")
    assert [row["known_until"] for row in rows] == until
    (first,) = shown.facts(shown.ids[filer], as_of=as_of, vintages="as_reported")
    assert first["known_until"] == until[0]


@pytest.mark.proves("FUN-16")
@pytest.mark.parametrize(
    ("filer", "as_of", "replaced"),
    [
        (RESTATED, "2024-05-31", [(None, None)]),
        (RESTATED, "2024-06-01", [(None, None), (100, "2024-06-01")]),
        (RESTATED, "2025-02-01", [(None, None), (100, "2024-06-01"), (90, "2025-02-01")]),
        (SAME_DAY, "2024-03-01", [(None, None), (None, "2024-03-01"), (None, "2024-03-01")]),
        (WITHDRAWN, "2025-02-01", [(None, None), (None, "2025-02-01")]),
    ],
)
def test_a_vintage_names_the_value_it_replaced(shown, filer, as_of, replaced):
    rows = shown.facts(shown.ids[filer], as_of=as_of, vintages="all")
    assert [(row["previous_value"], row["restated_on"]) for row in rows] == replaced
    latest = shown.facts(shown.ids[filer], as_of=as_of)
    assert [(row["previous_value"], row["restated_on"]) for row in latest] == replaced[-len(latest) :]


@pytest.mark.proves("FUN-16")
def test_a_previous_value_is_what_latest_showed_on_the_day_before(shown):
    for service_id in shown.ids.values():
        for row in shown.facts(service_id, vintages="all", items="all"):
            day = date.fromisoformat(row["available_at"]) - timedelta(days=1)
            key = ("line_item", "period_start", "period_end", "unit", "scope")
            before = [
                one["value_reported"]
                for one in shown.facts(service_id, items="all", as_of=str(day))
                if all(one[name] == row[name] for name in key)
            ]
            assert row["previous_value"] == (before[0] if before else None)
            assert row["restated_on"] == (row["available_at"] if row["vintage"] > 1 else None)


@pytest.mark.proves("FUN-16", "EDN-7")
def test_a_value_that_was_taken_down_is_no_previous_value(service):
    filer = Filer(1).says(100, filed="2024-02-01").says(90, filed="2024-06-01")
    service.ingest(filer.document())
    service.publish()
    service_id = service.id_of(filer.identifier)
    first, second = service.facts(service_id, vintages="all")
    assert second["previous_value"] == 100
    service.take_down(service_id, first["fact_id"])
    until(lambda: service.get(f"/v1/facts/{first['fact_id']}").status_code == 404)
    (left,) = service.facts(service_id)
    assert (left["value_reported"], left["previous_value"], left["restated_on"]) == (90, None, "2024-06-01")


@pytest.mark.proves("FUN-9", "FUN-2")
def test_the_days_of_a_history_are_those_of_latest(shown):
    for filer in shown.ids.values():
        history = shown.facts(filer, vintages="all")
        days = {row["available_at"] for row in history} | {row["known_until"] for row in history} - {None}
        for day in [*days, *(str(date.fromisoformat(day) - timedelta(days=1)) for day in days)]:
            known = {
                row["fact_id"]
                for row in history
                if row["available_at"] <= day and (row["known_until"] is None or row["known_until"] > day)
            }
            latest = shown.facts(filer, as_of=day)
            assert {row["fact_id"] for row in latest} == known, day
            assert {row["known_until"] for row in latest} <= {None}


@pytest.mark.proves("FUN-3")
def test_a_repeated_value_confirms_and_a_value_that_returns_is_a_vintage(shown):
    rows = shown.facts(shown.ids[1], vintages="all")
    assert values(rows) == [(1, 100), (2, 90), (3, 100)]
    assert [row["available_at"] for row in rows] == ["2024-02-01", "2024-06-01", "2025-02-01"]


@pytest.mark.proves("FUN-3")
def test_filings_of_one_day_are_ordered_by_their_number(shown):
    assert values(shown.facts(shown.ids[2], vintages="all")) == [(1, 5), (2, 6), (3, 7)]
    assert values(shown.facts(shown.ids[2])) == [(3, 7)]


@pytest.mark.proves("FUN-3")
def test_within_a_filing_the_first_concept_of_the_map_wins(shown):
    (revenue,) = (row for row in shown.facts(shown.ids[4]) if row["line_item"] == "revenue")
    assert revenue["value_reported"] == 10
    assert revenue["source_ref"].endswith("#us-gaap:Revenues")


@pytest.mark.proves("FUN-3")
def test_a_late_document_renumbers_and_the_earlier_edition_stays(make_service):
    service = make_service()
    filer = Filer(1).says(90, filed="2024-06-01")
    service.ingest(filer.document())
    service.publish()
    service_id = service.id_of(filer.identifier)
    service.ingest(Filer(1).says(100, filed="2024-02-01").document())
    service.publish()
    assert values(service.facts(service_id, vintages="all")) == [(1, 100), (2, 90)]
    assert values(service.facts(service_id, vintages="all", edition=1)) == [(1, 90)]


@pytest.mark.proves("FUN-3")
def test_agreement_at_the_coarser_stated_precision_is_a_confirmation(service):
    """Company facts state no precision, so the rule is shown where it lives."""
    with service.connect("publish") as connection:
        rows = connection.execute(
            "SELECT (state).vintage, (state).opens FROM ("
            " SELECT ops.vintage(value, decimals) OVER (ORDER BY place) AS state FROM (VALUES"
            " (1, 123456, 0::smallint), (2, 123000, -3::smallint), (3, 122900, -2::smallint),"
            " (4, 122900, NULL), (5, 122949, NULL), (6, 122951, -2::smallint),"
            " (7, NULL, NULL), (8, 122951, NULL)"
            ") AS told (place, value, decimals)) AS counted"
        ).fetchall()
    # 123000 confirms 123456 to the thousand; 122900 does not agree with 123456 to the hundred; 122949 agrees
    # with 122900 to the hundred; 122951 does not; nil withdraws; what comes after it is new.
    assert rows == [
        (1, True),
        (1, False),
        (2, True),
        (2, False),
        (2, False),
        (3, True),
        (3, False),
        (4, True),
    ]


@pytest.mark.proves("FUN-4")
@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ("FY", [("2023-12-31", None), ("2023-12-31", "2023-01-01"), ("2022-12-31", "2022-01-01")]),
        ("fy", [("2023-12-31", None), ("2023-12-31", "2023-01-01"), ("2022-12-31", "2022-01-01")]),
        ("H1", [("2023-06-30", "2023-01-01")]),
        ("h2", [("2023-12-31", "2023-07-01")]),
        ("Q1", [("2023-03-31", "2023-01-01")]),
        ("Q2", [("2023-06-30", "2023-04-01")]),
        ("q3", [("2023-09-30", "2023-07-01")]),
        ("Q4", [("2023-12-31", "2023-10-01")]),
        ("9m", [("2023-09-30", "2023-01-01")]),
    ],
)
def test_period_type_filters_in_any_case(shown, asked, expected):
    rows = shown.facts(shown.ids[3], period_type=asked)
    assert sorted((row["period_end"], row["period_start"] or "") for row in rows) == sorted(
        (end, start or "") for end, start in expected
    )
    assert {row["period_type"] for row in rows} == {asked.upper()}


@pytest.mark.proves("FUN-4")
def test_dates_that_fit_no_type_have_none(shown):
    (row,) = (row for row in shown.facts(shown.ids[3]) if row["period_end"] == "2023-01-31")
    assert (row["period_type"], row["fiscal_year"]) == (None, None)


@pytest.mark.proves("FUN-4")
def test_an_unknown_period_type_is_refused_by_name(shown):
    response = shown.get(PATH + shown.ids[3], period_type="Q5")
    assert (response.status_code, response.exact["parameter"]) == (400, "period_type")


@pytest.mark.proves("ERR-5")
def test_what_is_filed_after_the_edition_s_day_is_in_a_later_edition_only(make_service):
    service = make_service()
    now = datetime.now(UTC)
    tomorrow = (now.date() + timedelta(days=1)).isoformat()
    filer = Filer(1).says(100, filed="2024-02-01").says(90, filed=tomorrow)
    service.ingest((filer.document(), now))
    service.publish()
    ((day,),) = service.rows("SELECT published_at::date::text FROM serving.edition")
    for vintages in ("latest", "as_reported", "all"):
        asked = {"vintages": vintages, "edition": 1}
        late = service.get(PATH + service.id_of(filer.identifier), as_of=tomorrow, **asked).exact
        assert (late["as_of"], values(late["data"])) == (day, [(1, 100)])


@pytest.mark.proves("FUN-5")
def test_an_unknown_issuer_is_404_and_a_known_one_with_nothing_yet_is_empty(shown):
    assert shown.get(PATH + "DC0000000000000").status_code == 404
    response = shown.get(PATH + shown.ids[1], as_of="1999-12-31")
    assert (response.status_code, response.exact["data"], response.exact["count"]) == (200, [], 0)


@pytest.mark.proves("FUN-6", "ENV-17")
def test_rows_come_in_the_documented_total_order(shown):
    for service_id in shown.ids.values():
        rows = shown.facts(service_id, vintages="all")
        keys = [
            (
                -int(row["period_end"].replace("-", "")),
                row["line_item"],
                row["period_type"] or "",
                row["period_start"] or "",
                row["unit"],
                row["scope"],
                row["vintage"],
            )
            for row in rows
        ]
        assert keys == sorted(keys)
        assert len(set(keys)) == len(keys)


@pytest.mark.proves("FUN-1")
def test_comparatives_are_marked_and_the_fact_id_never_changes(shown):
    rows = {row["value_reported"]: row for row in shown.facts(shown.ids[5], vintages="all")}
    assert {value: row["reported_as"] for value, row in rows.items()} == {
        50: "own",
        55: "comparative",
        60: "own",
    }
    assert len({row["fact_id"] for row in rows.values()}) == 3
    assert isinstance(rows[50]["value_reported"], int | Decimal)
