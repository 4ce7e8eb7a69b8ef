"""Real CVM files: each row counted apart with plain csv, served exactly, and no officer's name anywhere."""

from __future__ import annotations

import csv
import io
from collections import Counter, defaultdict
from datetime import UTC, date, datetime
from decimal import Decimal

import pytest

from sankofa.ingest.bytes.bounds import Rejections
from sankofa.ingest.filings import cvm_statements
from sankofa.ingest.registers import cvm_companies
from support.cvm_forms import index
from support.esef_reports import packed
from support.real_sec import DATA

FOLDER = DATA.parent / "collection-2" / "brazil-cvm"
STATEMENT = FOLDER / "dfp_cia_aberta_DRE_con_2022.csv"
# When repositories committed their copies. One had turned its copy into UTF-8.
REGISTERS = {
    FOLDER / "cad_cia_aberta_2021-06.csv": datetime(2021, 6, 22, 12, tzinfo=UTC),
    FOLDER / "cad_cia_aberta_2023-09.csv": datetime(2023, 9, 12, 12, tzinfo=UTC),
}
FETCHED = datetime(2022, 10, 20, 12, tzinfo=UTC)
SCALES = {"MIL": 1000, "UNIDADE": 1}
HEADINGS = {"3.99", "3.99.01", "3.99.02"}
CAMIL, BANK = "024228", "024406"
HEADLINES = {
    "Receita de Venda de Bens e/ou Serviços": "revenue",
    "Resultado Bruto": "gross_profit",
    "Resultado Antes do Resultado Financeiro e dos Tributos": "operating_income",
    "Resultado Antes dos Tributos sobre o Lucro": "profit_before_tax",
    "Lucro/Prejuízo Consolidado do Período": "net_income",
}

pytestmark = pytest.mark.skipif(
    not STATEMENT.exists(), reason=f"no real files of the CVM at {FOLDER}; see SANKOFA_REAL_DATA"
)


def table(path):
    data = path.read_bytes()
    try:
        text = data.decode()
    except UnicodeDecodeError:
        text = data.decode("iso-8859-1")
    return list(csv.DictReader(io.StringIO(text), delimiter=";", quoting=csv.QUOTE_NONE))


def place(row):
    return row["CD_CVM"], row["CD_CONTA"], row["DT_INI_EXERC"], row["DT_FIM_EXERC"]


def amount(row):
    """Return the value in reais, or in reais per share."""
    is_per_share = row["CD_CONTA"].split(".")[:2] == ["3", "99"]
    return Decimal(row["VL_CONTA"]) * (1 if is_per_share else SCALES[row["ESCALA_MOEDA"]])


def left_out(rows):
    """Return the places of headings, and of fields that were left blank."""
    amounts = {place(row): amount(row) for row in rows}
    below = defaultdict(list)
    for company, account, start, end in amounts:
        below[company, account.rpartition(".")[0], start, end].append((company, account, start, end))
    headings = {one for one in amounts if one[1] in HEADINGS}
    blank = {one for one, value in amounts.items() if one[1].startswith("3.99") and not value}
    for total, parts in below.items():
        if amounts.get(total) and total not in headings and not any(amounts[part] for part in parts):
            blank.update(parts)
    return headings, blank - headings


def test_every_row_is_a_fact_or_counted_with_a_reason():
    rows, rejections = table(STATEMENT), Rejections()
    data = STATEMENT.read_bytes()
    filings = list(cvm_statements.parse(data, rejections, fetched_at=FETCHED, form="DFP"))
    headings, blank = left_out(rows)
    assert rejections.counts == +Counter(heading=len(headings), left_blank=len(blank))
    expected = Counter(
        (row["CD_CVM"], row["DT_INI_EXERC"], row["DT_FIM_EXERC"], amount(row))
        for row in rows
        if place(row) not in headings | blank
    )
    taken = Counter(
        (filing.subject.removeprefix("cvm:"), str(fact.period_start), str(fact.period_end), fact.value)
        for filing in filings
        for fact in filing.facts
    )
    assert taken == expected
    assert taken.total() + rejections.counts.total() == len(rows)
    concepts = {fact.concept for filing in filings for fact in filing.facts}
    own = {row["DS_CONTA"] for row in rows if row["ST_CONTA_FIXA"] == "N"} - {"ON", "PN"}
    assert not [label for label in own if any(label in concept for concept in concepts)]
    print(f"{len(rows)} rows, {taken.total()} facts of {len(filings)} filings, {dict(rejections.counts)}")


def test_each_version_is_a_filing_of_its_own():
    filings = cvm_statements.parse(STATEMENT.read_bytes(), Rejections(), fetched_at=FETCHED, form="DFP")
    versions = {(row["CD_CVM"], row["DT_REFER"], int(row["VERSAO"])) for row in table(STATEMENT)}
    assert {(filing.number, filing.form) for filing in filings} == {
        (f"{company}-{period}-DFP-{number:03d}", "DFP" if number == 1 else "DFP/A")
        for company, period, number in versions
    }
    assert {number for *_, number in versions} == {1, 2, 3}


@pytest.mark.parametrize("path", REGISTERS, ids=lambda path: path.stem)
def test_a_register_gives_each_code_its_name_and_number_and_no_person(path):
    rows, rejections = table(path), Rejections()
    found = list(cvm_companies.parse(path.read_bytes(), rejections, fetched_at=FETCHED))
    assert rejections.counts == {}
    assert {
        (one.subject, one.legal_name, one.identifiers[1].value, one.identifiers[0].valid_to) for one in found
    } == {
        (
            f"cvm:{int(row['CD_CVM']):06d}",
            " ".join(row["DENOM_SOCIAL"].split()),
            "".join(filter(str.isdigit, row["CNPJ_CIA"])),
            date.fromisoformat(row["DT_CANCEL"]) if row["DT_CANCEL"] else None,
        )
        for row in rows
    }
    persons = {row["RESP"] for row in rows} - {""}
    said = "\n".join(map(str, found))
    assert not [name for name in persons if name in said]
    print(f"{path.stem}: {len(rows)} rows, {len(found)} companies, {len(persons)} names of officers")


@pytest.fixture(scope="module")
def served(module_service):
    """Return a service with the statement and both registers, open to this test alone.

    The sample has no index. Its days of receipt are invented for one company, and one of its versions is of a
    day at which the files hold nothing.
    """
    service = module_service
    row = {"cd_cvm": CAMIL, "dt_refer": "2022-02-28", "categ_doc": "DFP"}
    received = [
        row | {"versao": "1", "dt_receb": "2022-05-05"},
        row | {"versao": "2", "dt_receb": "2022-06-10"},
    ]
    archive = packed({"index": index(*received), "dre": STATEMENT.read_bytes()})
    service.ingest((archive, FETCHED), source_name="cvm-dfp")
    for path, fetched_at in REGISTERS.items():
        service.ingest((path.read_bytes(), fetched_at), source_name="cvm-companies")
    service.publish()
    service.ids = {code: service.id_of(f"cvm:{code}") for code in {row["CD_CVM"] for row in table(STATEMENT)}}
    service.while_closed = {
        service.get(f"/v1/fundamentals/{one}").status_code for one in service.ids.values()
    }
    service.closed_sources = ()
    service.await_edition(service.publish().edition)
    return service


def test_nothing_of_it_is_served_without_a_licence(served):
    assert served.while_closed == {404}


def test_headlines_are_served_as_the_form_has_them(served):
    expected = {
        (row["CD_CVM"], HEADLINES[row["DS_CONTA"]], row["DT_INI_EXERC"], row["DT_FIM_EXERC"]): amount(row)
        for row in table(STATEMENT)
        if row["DS_CONTA"] in HEADLINES
    }
    rows = {code: served.facts(service_id) for code, service_id in served.ids.items()}
    found = {
        (code, row["line_item"], row["period_start"], row["period_end"]): row["value_reported"]
        for code, facts in rows.items()
        for row in facts
        if row["line_item"] in HEADLINES.values()
    }
    assert found == expected
    assert {code for code, line_item, *_ in found if line_item == "revenue"} == set(served.ids) - {BANK}
    print(f"{sum(map(len, rows.values()))} rows of {len(rows)} companies, {len(found)} headlines")


def test_a_division_of_the_result_that_adds_up_or_none_is_served(served):
    """Of two companies the form has a result and zeros below it: they left the division blank."""
    without = set()
    for code, service_id in served.ids.items():
        own = {
            row["line_item"]: row["value_reported"]
            for row in served.facts(service_id)
            if row["reported_as"] == "own"
        }
        if "net_income_attributable_to_parent" not in own:
            without.add(code)
    _, blank = left_out(table(STATEMENT))
    assert without == {company for company, account, *_ in blank if account in ("3.11.01", "3.09.01")}


def test_a_version_that_is_not_held_is_not_replaced_by_a_later_one(served):
    assert served.facts(served.ids[CAMIL], as_of="2022-06-09") == []
    rows = served.facts(served.ids[CAMIL], as_of="2022-06-10")
    assert {(row["available_at_basis"], row["form"]) for row in rows} == {("filing", "DFP/A")}
    others = [service_id for code, service_id in served.ids.items() if code != CAMIL]
    assert not any(served.facts(service_id, as_of="2022-10-19") for service_id in others)
    bases = {row["available_at_basis"] for one in others for row in served.facts(one, as_of="2022-10-20")}
    assert bases == {"first_seen"}


def test_a_full_year_is_labelled_and_a_shorter_one_is_not(served):
    for service_id in served.ids.values():
        for row in served.facts(service_id):
            first, last = date.fromisoformat(row["period_start"]), date.fromisoformat(row["period_end"])
            is_year = 350 <= (last - first).days + 1 <= 380
            assert row["period_type"] in (("FY", None) if is_year else (None,))


def test_a_taxpayer_number_of_the_statement_finds_the_company_of_the_register(served):
    for row in table(STATEMENT):
        body = served.get("/v1/crosswalk", id_type="registry", id_value=row["CNPJ_CIA"]).exact
        assert [one["service_id"] for one in body["data"]] == [served.ids[row["CD_CVM"]]]


def test_no_officer_is_in_anything_that_is_kept_or_served(served):
    names = {row["RESP"] for path in REGISTERS for row in table(path)} - {""}
    kept = served.rows(
        "SELECT legal_name FROM ledger.organisation_record UNION SELECT concept FROM ledger.concept"
    )
    said = "\n".join(text for (text,) in kept)
    for service_id in served.ids.values():
        said += "".join(served.get(f"/v1/{path}/{service_id}").text for path in ("entities", "fundamentals"))
    assert len(said) > 100_000
    assert not [name for name in names if name in said]
