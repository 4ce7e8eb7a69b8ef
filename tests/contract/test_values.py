"""ENV-4 to ENV-6: provenance on every row, nothing estimated, nothing rounded."""

from __future__ import annotations

import re
from decimal import Decimal

import pytest

from support.filings import FY2022, Filer


@pytest.mark.proves("ENV-6")
@pytest.mark.parametrize(
    "digits",
    [
        "12345678901234567.89",
        "9007199254740993",
        "-9007199254740993.000000000001",
        "99999999999999999999999999.999999999999",
        "0",
        "0.1",
        "-0.000000000001",
        "1e5",
    ],
)
def test_reported_values_leave_digit_for_digit(module_service, digits):
    service = module_service
    number = 1000 + abs(hash(digits)) % 10**6
    filer = Filer(number).says(digits, filed="2024-02-01")
    service.ingest(filer.document())
    edition = service.publish().edition
    service.await_edition(edition)
    response = service.get(f"/v1/fundamentals/{service.id_of(filer.identifier)}")
    (written,) = re.findall(rb'"value_reported":([^,]+),', response.content)
    assert Decimal(written.decode()) == Decimal(digits)
    assert b"e" not in written.lower() or Decimal(written.decode()) < 1


@pytest.mark.proves("ENV-5")
def test_a_withdrawn_value_is_served_before_its_withdrawal_and_not_after(service):
    filer = Filer(1).says(100, filed="2024-02-01").says(None, filed="2024-06-01")
    filer.says(100, filed="2025-02-01")
    service.ingest(filer.document())
    service.publish()
    service_id = service.id_of(filer.identifier)

    def latest(as_of):
        return [(row["vintage"], row["value_reported"]) for row in service.facts(service_id, as_of=as_of)]

    assert latest("2024-05-31") == [(1, 100)]
    assert latest("2024-06-01") == []
    assert latest("2025-01-31") == []
    assert latest("2025-02-01") == [(2, 100)]
    history = service.facts(service_id, as_of="2024-12-31", vintages="all")
    assert [row["vintage"] for row in history] == [1]


@pytest.mark.proves("ENV-5")
def test_silence_in_a_later_filing_withdraws_nothing(service):
    filer = Filer(1).says(100, filed="2024-02-01")
    filer.says(1, filed="2025-02-01", concept="ifrs-full:Assets", period=(None, "2024-12-31"))
    service.ingest(filer.document())
    service.publish()
    rows = service.facts(service.id_of(filer.identifier))
    assert [row["value_reported"] for row in rows if row["line_item"] == "revenue"] == [100]


@pytest.mark.proves("ENV-5")
def test_what_is_not_known_is_null_and_never_zero(service):
    filer = Filer(1).says(0, filed="2024-02-01").says(None, filed="2024-02-01", period=FY2022)
    filer.says(5, filed="2024-02-01", concept="ifrs-full:Assets", period=(None, "2023-12-31"))
    service.ingest(filer.document())
    service.publish()
    rows = service.facts(service.id_of(filer.identifier))
    assert [(row["line_item"], row["value_reported"], row["period_start"]) for row in rows] == [
        ("revenue", 0, "2023-01-01"),
        ("total_assets", 5, None),
    ]
    assert all(row["extraction_confidence"] is None for row in rows)


@pytest.mark.proves("ENV-4")
def test_every_row_names_source_licence_and_observation(module_service):
    service = module_service
    filer = Filer(77).says(1, filed="2024-02-01").says(2, filed="2024-03-01", unit="USD")
    service.ingest(filer.document())
    service.await_edition(service.publish().edition)
    for row in service.facts(service.id_of(filer.identifier), vintages="all"):
        assert row["source_ref"]
        assert row["license_class"] == "synthetic"
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", row["observed_at"])
