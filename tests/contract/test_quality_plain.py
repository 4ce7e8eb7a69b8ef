"""QUA-2: shares over what a caller is shown, ages as distributions, refused rows apart from repaired fields.

Periods are placed so many months before today; each number is counted from what the documents below say.
"""

from __future__ import annotations

from calendar import monthrange
from datetime import UTC, date, datetime, timedelta

import pytest

from sankofa.editions.publish import publish
from sankofa.fundamentals.agreement import Agreement
from sankofa.fundamentals.line_items import load_map, map_version
from sankofa.quality.audit import audit
from sankofa.surfaces.publishing import publisher
from support.filings import Filer
from support.lei_documents import an_lei
from support.stated_macro import GDP, indicator, rates
from support.stated_organisations import SOURCE, document, record
from support.stated_quality import share, values
from support.stated_tenders import CITY, PERSON, WORKS, award, package, portal, release, tender

ISIN = "KE0000000349"
THIRD_PARTY = ("evidence:third_party",)
pytestmark = pytest.mark.proves("QUA-2")


def today():
    return datetime.now(UTC).date()


def months_ago(months):
    """Return the last day of the month that lies so many months before this one."""
    year, month = divmod(today().year * 12 + today().month - 1 - months, 12)
    return date(year, month + 1, monthrange(year, month + 1)[1])


def year_until(months):
    """Return a year that ended so many months ago, and a day three weeks later."""
    end = months_ago(months)
    return (str(end - timedelta(days=364)), str(end)), str(end + timedelta(days=21))


def filers():
    """Return four issuers whose newest periods ended 3, 17, 18 and 190 months ago."""
    found = []
    for number, months in enumerate((3, 17, 18, 190), 1):
        period, filed = year_until(months)
        found.append(Filer(number).says(10 * number, filed=filed, period=period))
    first, _, third, fourth = found
    period, filed = year_until(3)
    for name in ("Gizmos", "Gadgets", "Widgets"):  # concepts of no line item
        first.says(5, filed=filed, period=period, concept=f"ifrs-full:{name}")
    period, filed = year_until(190)
    fourth.says(5, filed=filed, period=period, concept="ifrs-full:Gizmos")
    # What the third one said is taken back; what it says of a later year had not ended when it was filed.
    period, filed = year_until(18)
    third.says(7, filed=filed, period=period, concept="ifrs-full:ProfitLoss")
    third.says(None, filed=str(date.fromisoformat(filed) + timedelta(days=30)), period=period)
    third.says(9, filed=filed, period=year_until(12)[0], concept="ifrs-full:ProfitLoss")
    return found


@pytest.fixture(scope="module")
def counted(module_service):
    service = module_service
    now = datetime.now(UTC) - timedelta(hours=1)
    service.ingest(*((filer.document(), now) for filer in filers()))
    names = {number: f"Number {number} PLC" for number in range(1, 5)}
    lei, isin, one = ("lei", "", an_lei(1)), ("isin", "", ISIN), ("ticker", "XNAI", "ONE")
    ended = ("ticker", "XNAI", "TWO", date(2020, 1, 1), date(2021, 1, 1))
    service.ingest(
        document(
            record(Filer(1).identifier, names[1], lei, one, country="KE", marks=["sic:7372"]),
            record(Filer(2).identifier, names[2], ended, country="KE"),
            record(Filer(3).identifier, names[3], isin, country="KE", marks=THIRD_PARTY),
        ),
        source_name=SOURCE,
    )
    month = months_ago(1).isoformat()
    bought = [
        release("ocds-1", date=f"{month}T08:00:00Z", buyer={"name": CITY}, tender=tender(0)),
        release("ocds-2", date=f"{month}T08:00:00", buyer={"name": PERSON}, tender=tender("20")),
        release("ocds-3", date=f"{month}T08:00:00Z", awards=[award("1", 5, PERSON), award("2", 0, WORKS)]),
        release(None, date=f"{month}T08:00:00Z"),
    ]
    service.ingest((package(*bought), now), source_name="demo-tenders")
    old = release("ocds-4", date=f"{months_ago(30)}T08:00:00Z")
    service.ingest((package(old), now), source_name=portal("old-portal", "NG"))
    service.ingest((rates({str(today()): {"ZAR": "20.7"}}), now), source_name="demo-fx")
    years = {("KEN", today().year - 1): 1, ("NGA", today().year - 4): 1}
    service.ingest((indicator(years, GDP, updated=str(months_ago(1))), now), source_name="demo-world-bank")
    service.publish()
    return service


def chosen(service, sku, *slugs):
    """Return the numbers of some measures."""
    return {name: value for name, value in values(service, sku).items() if name.split(".")[0] in slugs}


def test_the_age_of_issuers_is_told_as_a_distribution(counted):
    found = chosen(counted, "AF-FUND", "fresh_share", "newest_age")
    assert found == {
        "fresh_share": share(2, 4),  # 3 and 17 months; 18 is too old
        "fresh_share.KE": share(2, 3),
        "fresh_share.none": 0,
        "newest_age": share(17 + 18, 2),
        "newest_age.KE": 17,
        "newest_age.none": 190,
    }


def test_what_was_withdrawn_is_not_complete(counted):
    found = values(counted, "AF-FUND")
    assert found["coverage_issuers"] == 4
    assert found["completeness.revenue"] == share(3, 4)
    assert found["completeness.revenue.KE"] == share(2, 3)


def test_the_share_of_mapped_facts_is_told_by_issuer(counted):
    # One of four facts, all of one, all, one of two.
    found = chosen(counted, "AF-FUND", "mapped_by_issuer")
    assert found == {
        "mapped_by_issuer.median": share(50 + 100, 200),
        "mapped_by_issuer.below_30": share(1, 4),
    }


def test_join_rates_tell_by_what_issuers_can_be_found(counted):
    assert chosen(counted, "AF-FUND", "join_rate") == {
        "join_rate.lei": share(1, 4),
        "join_rate.lei.register": share(1, 4),
        "join_rate.ticker": share(1, 4),  # that of the second issuer has ended
        "join_rate.isin": share(1, 4),
        "join_rate.isin.register": 0,
        "join_rate.country": share(3, 4),
        "join_rate.industry": share(1, 4),
    }


def test_refused_rows_and_repaired_fields_are_counted_apart(counted):
    found = chosen(counted, "AF-TENDER", "rejections_share", "repairs_per_row")
    assert found == {
        "rejections_share": share(1, 4),
        "rejections_share.demo-tenders": share(1, 4),
        "rejections_share.missing_ocid": share(1, 4),
        "repairs_per_row": share(4, 3),
        "repairs_per_row.demo-tenders": share(4, 3),
        "repairs_per_row.amount_zero": share(2, 3),
        "repairs_per_row.amount_as_text": share(1, 3),
        "repairs_per_row.date_zone_assumed": share(1, 3),
    }
    fund = chosen(counted, "AF-FUND", "rejections_share", "repairs_per_row")
    assert fund == {
        "rejections_share": 0,
        "rejections_share.demo-companyfacts": 0,
        "repairs_per_row": 0,
        "repairs_per_row.demo-companyfacts": 0,
    }


def test_a_buyer_or_supplier_who_is_withheld_is_not_complete(counted):
    found = chosen(counted, "AF-TENDER", "completeness")
    shown = {"buyer": 1, "tender_value": 1, "award": 1, "supplier": 1}
    assert found == {f"completeness.{item}": share(n, 4) for item, n in shown.items()} | {
        f"completeness.{item}.ZA": share(n, 3) for item, n in shown.items()
    }


def test_portals_and_series_have_ages_of_their_own(counted):
    assert chosen(counted, "AF-TENDER", "fresh_share", "newest_age") == {
        "fresh_share": share(1, 2),
        "newest_age": share(1 + 30, 2),
        "newest_age.demo-tenders": 1,
        "newest_age.old-portal": 30,
    }
    ages = [0, today().month, 36 + today().month]  # of the rate, and from two Decembers to this month
    assert chosen(counted, "AF-MACRO", "fresh_share", "newest_age") == {
        "fresh_share": share(2, 3),
        "fresh_share.A": share(1, 2),
        "fresh_share.D": 1,
        "newest_age": ages[1],
        "newest_age.A": share(ages[1] + ages[2], 2),
        "newest_age.D": 0,
    }


def test_agreement_with_golden_statements_is_told_of_the_map_that_it_was_measured_under(service):
    def accuracy(measured):
        batches = len(service.rows("SELECT FROM ops.batch"))
        service.ingest(Filer(1).says(100 + batches, filed="2024-02-01").document())
        edition = publish(publisher(service.settings, measured=measured)).edition
        service.await_edition(edition)
        return chosen(service, "AF-FUND", "extraction_accuracy")

    version = map_version(load_map())
    found = Agreement(map_version=version, agreed=597, compared=600, command="a test")
    assert accuracy(found) == {
        "extraction_accuracy": share(597, 600),
        "extraction_accuracy.golden": share(597, 600),
    }
    other = Agreement(map_version="another", agreed=1, compared=1, command="a test")
    assert accuracy(other) == {"extraction_accuracy": "UNMEASURED"}
    assert audit(service.settings.publish_dsn).is_clean
