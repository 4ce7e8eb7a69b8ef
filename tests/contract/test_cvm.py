"""Fundamentals from Brazil's CVM: versions are vintages of the days they were received, scales are exact."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal

import pytest

from sankofa.ingest.identifiers import cnpj
from sankofa.ingest.sources import closed_sources, source
from support.cvm_forms import (
    ASSETS,
    OF_OTHERS,
    OF_OWNERS,
    PERSON,
    RESULT,
    a_cnpj,
    a_code,
    a_name,
    balance,
    company,
    entry,
    index,
    register,
    row,
    statement,
)
from support.esef_reports import packed

# Whether the commission's files may be served is not confirmed; these are invented.
DFP, ITR, COMPANIES = (
    replace(source(name), name=f"invented-{name}", license_class="synthetic", redistributable=True)
    for name in ("cvm-dfp", "cvm-itr", "cvm-companies")
)
APRIL, JUNE = datetime(2024, 4, 2, 12, tzinfo=UTC), datetime(2024, 6, 3, 12, tzinfo=UTC)
ON = ("3.99.01.01", "ON")
BANK_RESULT = ("3.09", "Lucro/Prejuízo Consolidado do Período")
BANK_INCOME = ("3.01", "Receitas da Intermediação Financeira")
MAIN, SEEN, BANK, CLOSED = 1, 2, 3, 4
INDIVIDUAL = {"grupo_dfp": "DF Individual - Demonstração do Resultado"}
FIRST_QUARTER = {"dt_refer": "2024-03-31", "dt_ini_exerc": "2024-01-01", "dt_fim_exerc": "2024-03-31"}


def first_version():
    """Return an archive as it was in April: the first version of the form."""
    rows = [
        row("1500.5000000000"),
        row("1200.0000000000", year=2022),
        row("90.0000000000", RESULT),
        row("0.0000000000", OF_OWNERS),
        row("0.0000000000", OF_OTHERS),
        row("1.2500000000", ON, st_conta_fixa="N"),
        row("-1000.0000000000", ("3.02", "Custo dos Bens e/ou Serviços Vendidos")),
        row("999.0000000000", **INDIVIDUAL),
        row("1.0000000000", ("3.04.05.01", PERSON), st_conta_fixa="N"),
    ]
    tables = {"dre": statement(*rows), "bpa": balance(row("8000.0000000000", ASSETS))}
    return packed({"index": index(entry("2024-03-20")), **tables})


def second_version():
    """Return the archive as it was in June: the index has both versions, the statements only the newest."""
    received = index(entry("2024-03-20"), entry("2024-05-15", versao="2"))
    rows = [
        row("1400.0000000000", versao="2"),
        row("1200.0000000000", year=2022, versao="2"),
        row("90.0000000000", RESULT, versao="2"),
        row("80.0000000000", OF_OWNERS, versao="2"),
        row("10.0000000000", OF_OTHERS, versao="2"),
        row("1.2500000000", ON, st_conta_fixa="N", versao="2"),
    ]
    return packed({"index": received, "dre": statement(*rows)})


@pytest.fixture(scope="module")
def shown(module_service):
    service = module_service
    others = [row("500", company=SEEN, escala_moeda="UNIDADE")]
    others += [row("700", BANK_INCOME, company=BANK), row("70", BANK_RESULT, company=BANK)]
    quarter = statement(row("350", **FIRST_QUARTER))
    received = index(entry("2024-05-10", dt_refer="2024-03-31", categ_doc="ITR"))
    service.batches = [
        *service.ingest((first_version(), APRIL), (second_version(), JUNE), source_name=DFP),
        *service.ingest((statement(*others), JUNE), source_name=DFP),
        *service.ingest((packed({"index": received, "dre": quarter}), JUNE), source_name=ITR),
        *service.ingest((register(company(MAIN), company(BANK)), JUNE), source_name=COMPANIES),
        *service.ingest((statement(row(1, company=CLOSED)), JUNE), source_name="cvm-dfp"),
    ]
    service.publish()
    service.ids = {number: service.id_of(f"cvm:{a_code(number)}") for number in (MAIN, SEEN, BANK, CLOSED)}
    return service


def values(rows):
    return {(row["line_item"], row["period_end"]): row["value_reported"] for row in rows}


@pytest.mark.proves("FUN-1", "FUN-4", "ENV-4", "ENV-15")
def test_a_row_of_a_form_has_the_day_of_its_receipt(shown):
    (found,) = (one for one in shown.facts(shown.ids[MAIN]) if one["line_item"] == "total_assets")
    number = f"{a_code(MAIN)}-2023-12-31-DFP-001"
    assert found == {
        "service_id": shown.ids[MAIN],
        "line_item": "total_assets",
        "concept": "cvm:1-AtivoTotal",
        "value_reported": 8000000,
        "currency_reported": "BRL",
        "unit": "BRL",
        "scope": "consolidated",
        "period_start": None,
        "period_end": "2023-12-31",
        "days_rounded": None,
        "period_type": "FY",
        "fiscal_year": 2023,
        "vintage": 1,
        "revision": None,
        "previous_value": None,
        "restated_on": None,
        "decimals": None,
        "available_at": "2024-03-20",
        "available_at_basis": "filing",
        "known_until": None,
        "accepted_at": None,
        "form": "DFP",
        "filing_id": number,
        "reported_as": "own",
        "first_filing_held": True,
        "source_ref": found["source_ref"],
        "license_class": "synthetic",
        "observed_at": "2024-04-02T12:00:00Z",
        "extraction_confidence": None,
        "method": "table",
        "provenance_id": found["provenance_id"],
        "fact_id": found["fact_id"],
    }
    assert found["source_ref"].startswith(f"invented-cvm-dfp:{number}@sha256:")
    assert found["source_ref"].endswith("#cvm:1-AtivoTotal")


@pytest.mark.proves("FUN-2", "FUN-3", "FUN-7")
def test_between_the_days_of_two_versions_the_first_one_is_the_answer(shown):
    first = {
        ("revenue", "2023-12-31"): 1500500,
        ("revenue", "2022-12-31"): 1200000,
        ("net_income", "2023-12-31"): 90000,
        ("eps_basic", "2023-12-31"): Decimal("1.25"),
        ("total_assets", "2023-12-31"): 8000000,
    }
    split = {
        ("net_income_attributable_to_parent", "2023-12-31"): 80000,
        ("net_income_attributable_to_noncontrolling", "2023-12-31"): 10000,
    }
    quarter = {("revenue", "2024-03-31"): 350000}
    service_id = shown.ids[MAIN]
    assert shown.facts(service_id, as_of="2024-03-19") == []
    assert values(shown.facts(service_id, as_of="2024-03-20")) == first
    assert values(shown.facts(service_id, as_of="2024-05-14")) == first | quarter
    second = first | split | quarter | {("revenue", "2023-12-31"): 1400000}
    assert values(shown.facts(service_id, as_of="2024-05-15")) == second
    history = [
        (one["vintage"], one["value_reported"], one["available_at"], one["revision"], one["form"])
        for one in shown.facts(service_id, vintages="all")
        if (one["line_item"], one["period_end"]) == ("revenue", "2023-12-31")
    ]
    assert history == [
        (1, 1500500, "2024-03-20", None, "DFP"),
        (2, 1400000, "2024-05-15", "corrected", "DFP/A"),
    ]


@pytest.mark.proves("FUN-4")
def test_quarters_are_counted_from_the_year_of_the_annual_form(shown):
    labels = {
        (one["period_start"], one["period_end"]): (one["period_type"], one["fiscal_year"])
        for one in shown.facts(shown.ids[MAIN])
    }
    assert labels == {
        (None, "2023-12-31"): ("FY", 2023),
        ("2023-01-01", "2023-12-31"): ("FY", 2023),
        ("2022-01-01", "2022-12-31"): ("FY", 2022),
        ("2024-01-01", "2024-03-31"): ("Q1", 2024),
    }


@pytest.mark.proves("ENV-15")
def test_a_form_without_an_index_is_known_from_the_day_it_was_seen(shown):
    assert shown.facts(shown.ids[SEEN], as_of="2024-06-02") == []
    (found,) = shown.facts(shown.ids[SEEN], as_of="2024-06-03")
    assert (found["available_at_basis"], found["value_reported"]) == ("first_seen", 500)


@pytest.mark.proves("FUN-3")
def test_a_bank_has_a_result_and_no_revenue(shown):
    assert values(shown.facts(shown.ids[BANK])) == {("net_income", "2023-12-31"): 70000}


def test_what_is_left_out_is_counted(shown):
    reasons = [batch.rejected for batch in shown.batches]
    assert reasons == [{"separate_accounts": 1, "left_blank": 2}, {}, {}, {}, {}, {}]


@pytest.mark.proves("XWK-1", "XWK-2")
def test_the_code_is_open_and_the_taxpayer_number_is_not(shown):
    service_id = shown.ids[MAIN]
    stated = {("registry", "BR-CVM", a_code(MAIN)), ("registry", "BR-CNPJ", cnpj(a_cnpj(MAIN)))}

    def identifiers(**headers):
        body = shown.get(f"/v1/crosswalk/{service_id}", headers=headers).exact
        return {(one["id_type"], one["issuer"], one["id_value"]) for one in body["data"]}

    assert identifiers() == stated
    sample = {"X-API-Key": shown.issue("sample").key}
    assert identifiers(**sample) == {one for one in stated if one[1] == "BR-CVM"}
    for written in (a_cnpj(MAIN), cnpj(a_cnpj(MAIN))):
        body = shown.get("/v1/crosswalk", id_type="registry", id_value=written).exact
        assert [one["service_id"] for one in body["data"]] == [service_id]


@pytest.mark.proves("ENT-1")
def test_a_company_is_established_by_its_accounts_and_no_person_is_served(shown):
    (entity,) = shown.get(f"/v1/entities/{shown.ids[MAIN]}").exact["data"]
    assert (entity["legal_name"], entity["jurisdiction"]) == (a_name(MAIN), "BR")
    assert "filer" in entity["established_by"]
    paths = [f"/v1/{part}/{shown.ids[MAIN]}" for part in ("entities", "crosswalk", "fundamentals")]
    everything = " ".join(shown.get(path).text for path in (*paths, "/v1/changes"))
    assert a_name(MAIN) in everything
    assert PERSON not in everything.upper()
    written = shown.rows("SELECT concept FROM ledger.concept")
    assert not [one for (one,) in written if "josefina" in one.lower()]


def test_nothing_is_served_while_the_licence_is_not_confirmed(shown):
    assert {"cvm-dfp", "cvm-itr", "cvm-companies"} <= set(closed_sources())
    assert shown.get(f"/v1/fundamentals/{shown.ids[CLOSED]}").status_code == 404
