"""Signals of real releases, recomputed from their JSON: categories, counts, shares, and what was awarded."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from datetime import UTC, date, datetime
from decimal import ROUND_HALF_EVEN, Decimal

import pytest

from real.test_real_ocds import DATA, DOCUMENTS, is_link, plain, stated, top
from real.test_real_tenders import portal

pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason=f"no real files at {DATA}; see SANKOFA_REAL_DATA")
FETCHED = datetime(2026, 11, 1, 12, tzinfo=UTC)
PARAGUAY = "Dirección Nacional de Contrataciones Públicas del Paraguay"  # how the name of its scheme ends
COUNTRIES = {
    "ua-prozorro": "UA",
    "md-mtender": "MD",
    "py-dncp": "PY",
    "co-secop": "CO",
    "mx-compranet": "MX",
    "ng-nocopo": "NG",
    "ug-gpp": "UG",
    "pt-base": "PT",
    "am-armeps": "AM",
    "za-etenders": "ZA",
}


def releases():
    """Return the releases of each portal, each as the first file that holds it writes it."""
    found = defaultdict(dict)
    for path in DOCUMENTS:
        if (
            top(path).startswith(("real/", "south-africa"))
            and "taiwan" not in str(path)
            and "uk-" not in str(path)
        ):
            for one in stated(plain(path)):
                if not is_link(one) and "ocid" in one and "id" in one:
                    found[portal(path)].setdefault((one["ocid"], str(one["id"])), one)
    return {source: list(held.values()) for source, held in found.items()}


def of_code(scheme, code):
    """Return goods, works or services, read off the first digits of a code."""
    division = int(code[:2]) if code else 0
    if scheme == "CPV" and division:
        works, goods = division == 45, division <= 44 or division == 48
        known = division <= 48 or (division >= 50 and division != 59)
    else:
        works, goods = division == 72 and code[:4] != "7210", division <= 60
        known = division and (scheme or "").endswith(("UNSPSC", PARAGUAY))
    told = "works" if works else "goods" if goods else "services"
    return told if known else None


def of_items(items, country):
    """Return what the codes of items tell, each once."""
    told = set()
    for item in items or ():
        known = item.get("classification") or {}
        code = known.get("id") or (item.get("id") if country == "CO" else None)
        told.add(of_code(known.get("scheme"), str(code or "")))
    return told - {None}


def category(one, country):
    tender = one["tender"]
    written = tender.get("category") or tender.get("mainProcurementCategory")
    told = of_items(tender.get("items"), country) or {
        found for award in one.get("awards") or () for found in of_items(award.get("items"), country)
    }
    return written or (told.pop() if len(told) == 1 else None)


def day(one):
    """Return the day on which a release is known: the later one of its date as written and in UTC."""
    try:
        at = datetime.fromisoformat(one.get("date") or "")
    except ValueError:
        return FETCHED.date()
    at = at if at.tzinfo else at.replace(tzinfo=UTC)
    known = max(at.date(), at.astimezone(UTC).date()) if at.year > 1970 else FETCHED.date()
    return min(known, FETCHED.date())


def first_tenders(held, country):
    """Return month and category of the first release of each process that has a tender."""
    processes = {}
    for one in held:
        if isinstance(one.get("tender"), dict) and one["tender"]:
            known = (day(one), str(one.get("date")), str(one["id"]))
            processes[one["ocid"]] = min(
                processes.get(one["ocid"], (known, one)), (known, one), key=lambda p: p[0]
            )
    return [(known[0].replace(day=1), category(one, country)) for known, one in processes.values()]


def divided(above, below):
    return (Decimal(above) / below).quantize(Decimal("1e-10"), ROUND_HALF_EVEN)


@pytest.fixture(scope="module")
def loaded(module_service):
    service, held = module_service, releases()
    service.closed_sources = ()
    for source, several in held.items():
        body = json.dumps({"releases": several}, default=float).encode()
        (batch,) = service.ingest((body, FETCHED), source_name=source)
        assert batch.outcome == "accepted", (source, batch)
    service.publish()
    return service, held


def observed(service, key, **asked):
    response = service.get(f"/v1/signals/{key}", limit=1000, **asked)
    assert response.status_code == 200, response.text
    assert not response.exact["truncated"]
    return response.exact["observations"]


def test_demand_of_every_country_whose_files_state_a_category(loaded):
    service, held = loaded
    with_category = set()
    for source, several in held.items():
        country = COUNTRIES[source]
        tenders = first_tenders(several, country)
        by_month = Counter(month for month, _ in tenders)
        expected = {
            (month.isoformat(), found): (count, divided(count, by_month[month]))
            for (month, found), count in Counter(tenders).items()
            if found and month < date(2026, 11, 1)
        }
        rows = observed(service, "procurement-demand", country=country)
        assert {
            (row["month"], row["category"]): (row["releases"], row["category_share"]) for row in rows
        } == expected, country
        print(f"{country}: {sum(count for count, _ in expected.values())} of {len(tenders)} processes")
        with_category |= {country} if expected else set()
    assert with_category == {"UA", "MD", "PY", "CO", "NG", "MX", "UG", "PT", "AM", "ZA"}


def awarded(held):
    """Return month, currency, value and suppliers of each award, as known at the end of its first month.

    An award is its id within a process. Blocks of one release that repeat the id and the value are one.
    """
    told = defaultdict(dict)
    for one in sorted(held, key=lambda one: (day(one), str(one.get("date")), str(one["id"]))):
        in_release = defaultdict(set)
        for award in one.get("awards") or ():
            money = award.get("value") or {}
            amount = Decimal(str(money.get("amount") or 0))
            suppliers = {norm(named) for named in award.get("suppliers") or () if named.get("name")}
            if award.get("status") in ("pending", "cancelled", "unsuccessful") or not (amount and suppliers):
                continue
            in_release[str(award["id"]), money["currency"].upper(), amount] |= suppliers
        for (number, currency, amount), suppliers in in_release.items():
            month = day(one).replace(day=1)
            known = told[one["ocid"], number]
            if month == known.setdefault("month", month):
                known |= {"currency": currency, "value": amount, "suppliers": suppliers}
    return list(told.values())


def norm(party):
    return " ".join(party["name"].casefold().split())


def test_every_award_counts_once_and_joint_ones_are_told(loaded):
    service, held = loaded
    joint = Counter()
    for source, several in held.items():
        country, expected = COUNTRIES[source], {}
        for one in awarded(several):
            place = (one["month"].isoformat(), one["currency"])
            row = expected.setdefault(place, {"awards": 0, "joint_awards": 0, "total_value": 0})
            row["awards"] += 1
            row["joint_awards"] += len(one["suppliers"]) > 1
            row["total_value"] += one["value"]
        rows = observed(service, "supplier-concentration", country=country)
        found = {
            (row["month"], row["currency"]): {
                name: row[name] for name in ("awards", "joint_awards", "total_value")
            }
            for row in rows
        }
        assert found == expected, country
        joint[country] = sum(row["joint_awards"] for row in rows)
        print(f"{country}: {sum(row['awards'] for row in rows)} awards, {joint[country]} joint")
    assert joint["PY"] > 0


def test_portugal_says_on_how_many_of_its_100_awards_concentration_rests(loaded):
    """By the releases themselves: who is shown as a supplier is established, and shares are theirs."""
    service, _ = loaded
    rows = observed(service, "supplier-concentration", country="PT")
    shares = defaultdict(Counter)
    for one in _all(service, "PT"):
        for award in one["awards"]:
            assert award["joint"] is False
            for supplier in award.get("suppliers", ()):
                shares[one["available_at"][:7]][supplier["service_id"]] += award["value"]["amount"]
    shown = sum(len(award.get("suppliers", ())) for one in _all(service, "PT") for award in one["awards"])
    print(f"{shown} of {sum(row['awards'] for row in rows)} awards have an established supplier")
    assert sum(row["awards"] for row in rows) == 100
    assert sum(row["joint_awards"] for row in rows) == 0
    assert sum(row["awards_in_concentration"] for row in rows) == shown < 100
    for row in rows:
        won = shares[row["month"][:7]].values()
        assert row["suppliers"] == len(won)
        by_value = divided(sum(value**2 for value in won), sum(won) ** 2) if won else None
        assert row["concentration_by_value"] == by_value


def _all(service, country):
    return service.get("/v1/tenders", country=country, limit=1000).exact["data"]
