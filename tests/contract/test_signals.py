"""SIG: panels of signals, asked over HTTP, against what the documents themselves say."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import random
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

import pyarrow as pa
import pytest

from oracle.signals import Event, panel
from sankofa.signals.panels import PANELS
from sankofa.tenders import categories
from support.service import FETCHED
from support.stated_tenders import award, package, release

DEMAND = "/v1/signals/procurement-demand"
MONTHS = [date(2024, number, 1) for number in range(1, 10)]
BUYERS = ("Department of Rural Roads and Bridges", "City of Lundareva", "Department of School Buildings")
FIRMS = ("Vondelashi Builders (Pty) Ltd", "Umvolireka Supplies (Pty) Ltd", "Kwavimoru Roads (Pty) Ltd")
PERSON = "Thandeka Mokoena"  # established as nobody: her awards count, and she has no share


def process(random_, number, prefix="ocds-x"):
    """Return the releases of an invented process: a tender, and perhaps its award."""
    ocid, opened = f"{prefix}-{number}", random_.choice(MONTHS) + timedelta(days=random_.randrange(28))
    money = {"amount": random_.randint(1, 10**9) / 4, "currency": random_.choice(["ZAR", "ZAR", "USD"])}
    closes = opened + timedelta(days=10)
    tender = {
        "id": ocid,
        "status": "active",
        "tenderPeriod": {"endDate": f"{closes}T12:00:00Z"},
        "category": random_.choice(["Roads", "Clinics", "Sewerage", None]),
        "value": random_.choice([money, None]),
    }
    tender = {name: value for name, value in tender.items() if value is not None}
    buyer = random_.choice([{"name": name} for name in BUYERS] + [None])
    yield release(ocid, "1", f"{opened}T10:00:00Z", tender=tender, buyer=buyer)
    if random_.random() < 0.6:
        decided = closes + timedelta(days=random_.randrange(40))
        won = award("a", money["amount"], *winners(random_), currency=money["currency"])
        won["date"] = f"{decided}T12:00:00Z"
        counted = {"numberOfTenderers": random_.randint(1, 3)} if random_.random() < 0.8 else {}
        yield release(ocid, "2", f"{decided}T10:00:00Z", tender=tender | counted, awards=[won])


def winners(random_):
    """Return who wins: as a rule one, at times two together."""
    return random_.sample([*FIRMS, PERSON], 2 if random_.random() < 0.2 else 1)


def reference(content):
    return f"demo-tenders@sha256:{hashlib.sha256(content).hexdigest()}"


def happened(*contents):
    """Return what the documents say has happened: of each process what came first, of each kind."""
    first = {}
    for content in contents:
        releases = json.loads(content, parse_float=Decimal)["releases"]
        for one in sorted(releases, key=lambda one: one["date"]):
            for event in _told(one, reference(content)):
                first.setdefault((event.name, event.kind), event)
    return list(first.values())


def _told(one, document_ref):
    day = date.fromisoformat(one["date"][:10])
    place = {"name": one["ocid"], "country": "ZA", "month": day.replace(day=1), "document": document_ref}
    tender = one["tender"]
    category = tender.get("category")
    yield Event(kind="tendered", category=category, party=one.get("buyer", {}).get("name"), **place)
    if "value" in tender:
        money = tender["value"]
        yield Event(kind="valued", currency=money["currency"], value=Decimal(money["amount"]), **place)
    for won in one.get("awards", ()):
        waited = date.fromisoformat(won["date"][:10]) - date.fromisoformat(
            tender["tenderPeriod"]["endDate"][:10]
        )
        stated = {"days": waited.days, "tenderers": tender.get("numberOfTenderers")}
        yield Event(kind="awarded", category=category, **stated, **place)
        suppliers = {each["name"] for each in won["suppliers"]}
        money = won["value"]
        yield Event(
            kind="won",
            party=None if len(suppliers) > 1 else next(iter(suppliers - {PERSON}), None),
            joint=len(suppliers) > 1,
            currency=money["currency"],
            value=Decimal(money["amount"]),
            **place,
        )


def written(key, row):
    """Return a served row as the oracle writes it."""
    figures = {name: row[name] for name in PANELS[key].figures.__struct_fields__}
    place = (row["country"], row[PANELS[key].breakdown], date.fromisoformat(row["month"]))
    return (*place, figures, row["source_ref"].split("; "))


def observations(service, path, **asked):
    response = service.get(path, **{"limit": 1000, **asked})
    assert response.status_code == 200, response.text
    return response.exact["observations"]


@pytest.fixture(scope="module")
def contents():
    seed = random.randrange(1 << 32)
    print("seed", seed)
    random_ = random.Random(seed)
    return [
        package(*(one for number in range(150) for one in process(random_, number, f"ocds-{part}")))
        for part in range(2)
    ]


@pytest.fixture(scope="module")
def api(module_service, contents):
    module_service.ingest(*contents, source_name="demo-tenders")
    module_service.publish()
    return module_service


@pytest.mark.proves("SIG-1", "SIG-2", "SIG-3", "ENV-4", "ENV-6")
@pytest.mark.parametrize("key", PANELS)
def test_every_figure_is_what_the_documents_say(api, contents, key):
    expected = panel(key, happened(*contents))
    assert len(expected) > 15
    assert [written(key, row) for row in observations(api, f"/v1/signals/{key}")] == expected


@pytest.mark.proves("SIG-1", "ENV-1", "ENV-4")
def test_a_row_of_procurement_demand(api):
    body = api.get(DEMAND).exact
    assert list(body) == ["observations", "count", "truncated", "next_cursor", "edition", "as_of", "_license"]
    assert body["count"] == len(body["observations"]) > 0
    assert list(body["observations"][0]) == [
        *("country", "category", "month", "releases", "category_share", "buyer_concentration", "momentum"),
        *("methodology_ref", "source_ref", "license_class", "observed_at"),
    ]
    row = body["observations"][0]
    assert (row["country"], row["month"][8:]) == ("ZA", "01")
    assert (row["methodology_ref"], row["license_class"]) == ("procurement-demand-v2", "synthetic")
    assert row["observed_at"] == FETCHED.isoformat().replace("+00:00", "Z")
    assert [(one["month"], one["category"]) for one in body["observations"]] == sorted(
        ((one["month"], one["category"]) for one in body["observations"]),
        key=lambda place: (-int(place[0].replace("-", "")), place[1]),
    )


@pytest.mark.proves("SIG-1", "ERR-5")
@pytest.mark.parametrize(
    ("as_of", "newest"),
    [("2024-04-30", "2024-04-01"), ("2024-04-29", "2024-03-01"), ("2024-01-30", None), ("2023-01-01", None)],
)
def test_as_of_shows_the_months_closed_by_then_and_each_as_it_stays(api, as_of, newest):
    rows = observations(api, DEMAND, as_of=as_of)
    assert max((row["month"] for row in rows), default=None) == newest
    assert rows == [row for row in observations(api, DEMAND) if newest and row["month"] <= newest]


@pytest.mark.proves("SIG-1")
def test_a_month_holds_what_was_available_by_its_last_day(service):
    """Two releases are refilled with another category: one within its month, one after."""
    fetched = datetime(2026, 1, 5, 6, tzinfo=UTC)

    def tender(ocid, day, category):
        return release(ocid, "1", f"{day}T10:00:00Z", tender={"id": ocid, "category": category})

    before = package(tender("ocds-1", "2026-01-02", "Roads"), tender("ocds-2", "2025-12-30", "Roads"))
    after = package(tender("ocds-1", "2026-01-02", "Clinics"), tender("ocds-2", "2025-12-30", "Clinics"))
    service.ingest((before, fetched), (after, fetched + timedelta(days=9)), source_name="demo-tenders")
    service.publish()
    shown = [(row["month"], row["category"], row["source_ref"]) for row in observations(service, DEMAND)]
    assert shown == [
        ("2026-01-01", "Clinics", reference(after)),
        ("2025-12-01", "Roads", reference(before)),
    ]


def items(scheme, *codes):
    return [
        {"id": str(place), "classification": {"scheme": scheme, "id": code}}
        for place, code in enumerate(codes)
    ]


@pytest.mark.proves("SIG-1")
@pytest.mark.parametrize(
    ("tender", "awarded", "category"),
    [
        ({"items": items("CPV", "45233251-3")}, [], "works"),
        ({"items": items("CPV", "34300000-0", "48000000-8")}, [], "goods"),
        ({"items": items("CPV", "98300000-6", "unknown", "59400000")}, [], "services"),
        ({"items": items("CPV", "34300000-0", "45233251-3")}, [], None),
        ({"items": items("CPV", "34300000-0", "45233251-3")}, items("CPV", "45233251-3"), None),
        ({"items": items("CPV", "47000000-0")}, [], None),
        ({"items": items("UNSPSC", "72101500")}, [], "services"),
        ({"items": items("UNSPSC", "72141000")}, [], "works"),
        ({"items": items("UNSPSC", "51152009-001")}, [], "goods"),
        ({"items": items("cpv of somebody", "45233251-3")}, [], None),
        ({}, items("CPV", "45233251-3"), "works"),
        ({"items": items("CPV", "98300000-6")}, items("CPV", "45233251-3"), "services"),
        ({"items": items("CPV", "98300000-6"), "category": "Roads"}, [], "Roads"),
        ({"items": items("CPV", "98300000-6"), "mainProcurementCategory": "works"}, [], "works"),
    ],
)
def test_a_category_is_the_portal_s_word_or_what_all_codes_tell(service, tender, awarded, category):
    told = release(
        "ocds-1",
        "1",
        "2024-01-02T10:00:00Z",
        tender={"id": "1"} | tender,
        awards=[{"id": "1", "items": awarded}],
    )
    service.ingest(package(told), source_name="demo-tenders")
    service.publish()
    assert [row["category"] for row in observations(service, DEMAND)] == ([category] if category else [])


@pytest.mark.proves("SIG-1")
def test_other_rules_for_categories_compute_every_process_anew(service, monkeypatch):
    told = release(
        "ocds-1", "1", "2024-01-02T10:00:00Z", tender={"id": "1", "items": items("CPV", "45233251-3")}
    )
    service.ingest(package(told), source_name="demo-tenders")
    service.publish()
    other = tuple(rule._replace(category="goods") for rule in categories.category_rules())
    monkeypatch.setattr("sankofa.tenders.publish.category_rules", lambda: other)
    assert service.publish() is None, "the version is the same"
    monkeypatch.setattr("sankofa.tenders.publish.rules_version", lambda: "other")
    published = service.publish()
    assert published.changed_rules == {"tender_categories"}
    service.await_edition(published.edition)
    assert [row["category"] for row in observations(service, DEMAND, edition=1)] == ["works"]
    assert [row["category"] for row in observations(service, DEMAND)] == ["goods"]


@pytest.mark.proves("SIG-4", "TEN-5")
def test_an_award_counts_once_however_many_suppliers_it_has_or_had(service):
    """Five awards of May, worth 100 + 60 + 40 + 30 + 8 = 238.

    One firm wins 100, two win 60 together, 40 went to one firm and then to another, 30 was first given to one
    and then to two, and a person has 8. So two are joint, and 100 and 40 are of a single firm each:
    (100² + 40²) / 140² by value, 1/2 by number.
    """
    one, two, three = FIRMS

    def told(ocid, number, day, amount, *suppliers):
        return release(ocid, number, f"2024-05-{day}T10:00:00Z", awards=[award("a", amount, *suppliers)])

    stated = [
        told("o-1", "1", "02", 100, one),
        told("o-2", "1", "03", 60, one, two),
        told("o-3", "1", "04", 40, one),
        told("o-3", "2", "05", 40, three),
        told("o-4", "1", "06", 30, two),
        told("o-4", "2", "07", 30, two, three),
        told("o-5", "1", "08", 8, PERSON),
    ]
    service.ingest(package(*stated), source_name="demo-tenders")
    service.publish()
    (row,) = observations(service, "/v1/signals/supplier-concentration")
    assert {name: row[name] for name in PANELS["supplier-concentration"].figures.__struct_fields__} == {
        "awards": 5,
        "joint_awards": 2,
        "awards_in_concentration": 2,
        "suppliers": 2,
        "total_value": 238,
        "concentration_by_value": Decimal("0.5918367347"),
        "concentration_by_count": Decimal("0.5"),
    }


@pytest.mark.proves("SIG-4")
def test_suppliers_of_a_later_month_change_no_month_that_is_closed(service):
    """The award is May's, with the firm that was known then; what June says of it counts in no month."""
    one, two, _ = FIRMS
    stated = [
        release("o-1", "1", "2024-05-02T10:00:00Z", awards=[award("a", 50, one)]),
        release("o-1", "2", "2024-06-02T10:00:00Z", awards=[award("a", 70, one, two)]),
    ]
    service.ingest(package(*stated), source_name="demo-tenders")
    service.publish()
    rows = observations(service, "/v1/signals/supplier-concentration")
    figures = [(row["month"], row["awards"], row["joint_awards"], row["total_value"]) for row in rows]
    assert figures == [("2024-05-01", 1, 0, 50)]


@pytest.mark.proves("SIG-1", "EDN-2")
def test_what_is_loaded_late_changes_the_next_edition_and_no_earlier_one(service):
    random_ = random.Random(7)
    contents = [
        package(*(one for number in range(40) for one in process(random_, number, f"ocds-{part}")))
        for part in range(2)
    ]
    for content in contents:
        service.ingest((content, FETCHED), source_name="demo-tenders")
        service.await_edition(service.publish().edition)
    for edition in (1, 2):
        for key in PANELS:
            rows = observations(service, f"/v1/signals/{key}", edition=edition)
            assert [written(key, row) for row in rows] == panel(key, happened(*contents[:edition]))


@pytest.mark.proves("SIG-1", "SIG-3", "ERR-5", "ERR-9")
def test_filters_of_country_category_currency_and_months(api):
    rows = observations(api, DEMAND)
    assert observations(api, DEMAND, country="za") == rows
    assert observations(api, DEMAND, country="KE") == []
    assert observations(api, DEMAND, category="Roads") == [row for row in rows if row["category"] == "Roads"]
    assert observations(api, DEMAND, category="roads") == []
    bounded = observations(api, DEMAND, **{"from": "2024-02-15", "to": "2024-03-01"})
    assert bounded == [row for row in rows if row["month"] in ("2024-02-01", "2024-03-01")]
    values = observations(api, "/v1/signals/tender-value")
    assert {row["currency"] for row in values} == {"ZAR", "USD"}
    dollars = observations(api, "/v1/signals/tender-value", currency="usd", country="ZA")
    assert dollars == [row for row in values if row["currency"] == "USD"]


@pytest.mark.proves("SIG-2", "ERR-4", "ERR-8", "KEY-10")
@pytest.mark.parametrize(
    ("path", "status", "parameter"),
    [
        ("/v1/signals/no-such-panel", 404, None),
        ("/v1/signals/Tender-Value", 400, "signal_key"),
        ("/v1/signals/tender_value", 400, "signal_key"),
        ("/v1/signals/tender-value%0A", 400, "signal_key"),
        ("/v1/signals/no-such-panel?limit=0", 400, "limit"),
        ("/v1/signals/tender-value?category=Roads", 400, "category"),
        ("/v1/signals/award-lead-time?currency=ZAR", 400, "currency"),
        ("/v1/signals/tender-value?country=ZAF", 400, "country"),
        (f"{DEMAND}?country=ZAF", 400, "country"),
        (f"{DEMAND}?country=", 400, "country"),
        (f"{DEMAND}?category=", 400, "category"),
        (f"{DEMAND}?category=a%0A", 400, "category"),
        (f"{DEMAND}?currency=ZAR", 400, "currency"),
        (f"{DEMAND}?from=2024-02", 400, "from"),
        (f"{DEMAND}?from=2024-02-01&to=2024-01-31", 400, "from"),
        (f"{DEMAND}?as_of=2999-02-29", 400, "as_of"),
        (f"{DEMAND}?limit=00", 400, "limit"),
    ],
)
def test_what_is_refused_and_why(api, path, status, parameter):
    response = api.get(path)
    assert (response.status_code, response.exact.get("parameter")) == (status, parameter), response.text


@pytest.mark.proves("ERR-5")
def test_reversed_months_name_both_bounds(api):
    for path in (DEMAND, "/v1/signals/tender-value"):
        problem = api.get(path, **{"from": "2024-03-01", "to": "2024-02-29"}).exact
        assert problem["parameters"] == ["from", "to"]


@pytest.mark.proves("SIG-2", "KEY-7", "KEY-12", "ENV-13", "ENV-17", "TEN-3")
@pytest.mark.parametrize("key", PANELS)
def test_a_sample_key_walks_all_pages_of_any_panel(api, key):
    sample = {"X-API-Key": api.issue("sample").key}
    path = f"/v1/signals/{key}"
    assert api.get(path, headers=sample, limit=26).status_code == 402
    rows, cursor = [], {}
    while True:
        body = api.get(path, headers=sample, limit=4, **cursor).exact
        rows += body["observations"]
        if body["next_cursor"] is None:
            break
        cursor = {"cursor": body["next_cursor"]}
    assert rows == observations(api, path)
    other = next(each for each in PANELS if each not in (key, "procurement-demand"))
    refused = api.get(f"/v1/signals/{other}", cursor=cursor["cursor"])
    assert (refused.status_code, refused.exact["parameter"]) == (400, "cursor")


@pytest.mark.proves("ENV-14", "ENV-6")
@pytest.mark.parametrize("key", PANELS)
def test_other_forms_hold_the_same_rows(api, key):
    path, asked = f"/v1/signals/{key}", {"limit": 1000, "to": "2024-06-30"}
    rows = observations(api, path, **asked)
    text = api.get(path, headers={"Accept": "text/csv"}, **asked).text
    cells = [{name: "" if value is None else str(value) for name, value in row.items()} for row in rows]
    assert list(csv.DictReader(io.StringIO(text))) == cells
    stream = api.get(path, headers={"Accept": "application/vnd.apache.arrow.stream"}, **asked).content
    table = pa.ipc.open_stream(stream).read_all()
    for name in PANELS[key].figures.__struct_fields__:
        assert table.column(name).to_pylist() == [row[name] for row in rows]
