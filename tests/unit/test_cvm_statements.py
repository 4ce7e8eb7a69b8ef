"""CVM statements, built by hand: what is a filing, what is a fact, what is left out and why."""

from __future__ import annotations

import gzip
from datetime import UTC, date, datetime
from decimal import Decimal

import pytest

from sankofa.core.errors import UnreadableDocument
from sankofa.fundamentals.model import FiledFact
from sankofa.ingest.bytes.bounds import Rejections
from sankofa.ingest.filings.cvm_statements import parse
from support.cvm_forms import (
    ASSETS,
    OF_OTHERS,
    OF_OWNERS,
    PERSON,
    RESULT,
    SALES,
    a_code,
    a_name,
    balance,
    entry,
    index,
    row,
    statement,
)
from support.esef_reports import packed

FETCHED = datetime(2024, 6, 1, 23, tzinfo=UTC)
YEAR = (date(2023, 1, 1), date(2023, 12, 31))
BANK = ("3.01", "Receitas da Intermediação Financeira")
FREE = {"st_conta_fixa": "N"}


def read(data, form="DFP"):
    rejections = Rejections()
    filings = list(parse(data, rejections, fetched_at=FETCHED, form=form))
    assert PERSON not in f"{rejections.samples}"
    return filings, dict(rejections.counts)


def only(*rows, **options):
    """Return the one fact of a statement, and what was rejected."""
    filings, rejected = read(statement(*rows, **options))
    found = [fact for filing in filings for fact in filing.facts]
    assert len(found) <= 1
    return (found[0] if found else None), rejected


def archive(*entries, **tables):
    return packed({"dfp_cia_aberta_2023.csv": index(*entries), **tables})


def test_a_version_of_a_form_becomes_a_filing_of_the_day_it_was_received():
    [filing], rejected = read(archive(entry("2024-03-20"), dre=statement(row("1500.5000000000"))))
    assert rejected == {}
    assert (filing.subject, filing.subject_name) == (f"cvm:{a_code()}", a_name())
    assert (filing.number, filing.form) == (f"{a_code()}-2023-12-31-DFP-001", "DFP")
    assert (filing.filed, filing.basis, filing.accepted_at) == (date(2024, 3, 20), "filing", None)
    assert filing.report_period == date(2023, 12, 31)
    concept = "cvm:3.01-ReceitaDeVendaDeBensEOuServicos"
    assert filing.facts == [FiledFact(concept, *YEAR, "BRL", "consolidated", Decimal(1500500), None)]


def test_a_table_without_its_index_counts_from_the_day_it_was_seen():
    [filing], rejected = read(statement(row(1)))
    assert (filing.filed, filing.basis, rejected) == (date(2024, 6, 1), "first_seen", {})
    assert read(gzip.compress(statement(row(1))))[0] == [filing]
    [other], _ = read(archive(entry("2024-03-20", company=2), dre=statement(row(1))))
    assert (other.filed, other.basis) == (date(2024, 6, 1), "first_seen")


def test_a_later_version_amends_and_comes_after_the_first_in_the_order_of_numbers():
    received = [entry("2024-03-20"), entry("2024-03-20", versao="2"), entry("2024-04-02", versao="10")]
    rows = [row(1), row(2, versao="2"), row(3, versao="10")]
    filings, _ = read(archive(*received, dre=statement(*rows)))
    assert [(filing.form, str(filing.filed)) for filing in filings] == [
        ("DFP", "2024-03-20"),
        ("DFP/A", "2024-03-20"),
        ("DFP/A", "2024-04-02"),
    ]
    numbers = [filing.number for filing in filings]
    assert numbers == sorted(numbers)


@pytest.mark.parametrize(
    "changed",
    [
        {"dt_receb": "20/03/2024"},
        {"dt_receb": ""},
        {"dt_receb": "2023-12-30"},  # before the period was over
        {"dt_receb": "2009-12-31", "dt_refer": "2009-09-30"},
        {"categ_doc": "ITR"},
        {"versao": "0"},
        {"cd_cvm": "x"},
    ],
)
def test_a_broken_entry_of_the_index_is_no_evidence(changed):
    [filing], rejected = read(archive(entry("2024-03-20") | changed, dre=statement(row(1))))
    assert (filing.basis, rejected) == ("first_seen", {"bad_index_entry": 1})


def test_entries_that_contradict_each_other_are_no_evidence():
    entries = [entry("2024-03-20"), entry("2024-03-21"), entry("2024-03-20")]
    [filing], rejected = read(archive(*entries, dre=statement(row(1))))
    assert (filing.basis, rejected["index_conflict"]) == ("first_seen", 2)


def test_tables_of_an_archive_make_one_filing_and_others_are_not_read():
    tables = {
        "dre": statement(row(1)),
        "bpa": balance(row(2, ASSETS)),
        "parecer": f"CNPJ_CIA;TP_PARECER\r\nx;{PERSON}\r\n".encode(),
    }
    [filing], rejected = read(archive(entry("2024-03-20"), **tables))
    assert {fact.concept: (fact.period_start, fact.value) for fact in filing.facts} == {
        "cvm:3.01-ReceitaDeVendaDeBensEOuServicos": (YEAR[0], 1000),
        "cvm:1-AtivoTotal": (None, 2000),
    }
    assert rejected == {"unexpected_member": 1}


@pytest.mark.parametrize(
    ("amount", "scale", "value"),
    [
        ("1977997.0000000000", "MIL", "1977997000"),
        ("82137247.0000000000", "UNIDADE", "82137247"),
        ("-0.0005000000", "MIL", "-0.5"),
        ("12345678901234567890123.4567890123", "MIL", "12345678901234567890123456.7890123"),
    ],
)
def test_the_scale_is_applied_exactly(amount, scale, value):
    assert f"{only(row(amount, escala_moeda=scale))[0].value:f}" == value


def test_what_is_per_share_is_in_reais_whatever_the_scale():
    found, rejected = only(row("1.3162900000", ("3.99.01.01", "ON"), **FREE))
    assert (found.concept, found.unit, found.value) == ("cvm:3.99.01-ON", "BRL/shares", Decimal("1.31629"))
    assert rejected == {}


@pytest.mark.parametrize(
    ("account", "reason"),
    [
        (("3.99", "Lucro por Ação - (Reais / Ação)"), "heading"),
        (("3.99.01", "Lucro Básico por Ação"), "heading"),
        (("3.99.02.01", "ON"), "left_blank"),
    ],
)
def test_headings_and_blank_lines_per_share_are_counted(account, reason):
    assert only(row("0.0000000000", account, **FREE)) == (None, {reason: 1})


def test_one_code_is_two_concepts_at_a_bank_and_at_another_company():
    concepts = {only(row(1, account))[0].concept for account in (SALES, BANK)}
    assert concepts == {
        "cvm:3.01-ReceitaDeVendaDeBensEOuServicos",
        "cvm:3.01-ReceitasDaIntermediacaoFinanceira",
    }


def test_the_name_of_a_free_account_is_not_kept_and_tells_two_accounts_apart():
    found = [only(row(1, ("3.04.05.01", label), **FREE))[0] for label in (PERSON, "Multas", "Multas")]
    concepts = [fact.concept for fact in found]
    assert concepts[0] != concepts[1] == concepts[2]
    assert all(one.startswith("cvm-own:3.04.05.01-") and "josefina" not in one.lower() for one in concepts)


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"grupo_dfp": "DF Individual - Demonstração do Resultado"}, "separate_accounts"),
        ({"grupo_dfp": "Demonstração do Resultado"}, "unknown_scope"),
        ({"moeda": "DOLAR"}, "bad_unit"),
        ({"escala_moeda": "MILHAO"}, "bad_scale"),
        ({"st_conta_fixa": ""}, "bad_concept"),
        ({"cd_conta": "3.1"}, "bad_concept"),
        ({"ds_conta": " "}, "bad_concept"),
        ({"dt_fim_exerc": "2023-02-30"}, "bad_date"),
        ({"dt_ini_exerc": ""}, "bad_date"),
        ({"dt_ini_exerc": "2024-01-01"}, "period_reversed"),
        ({"vl_conta": ""}, "bad_value"),
        ({"vl_conta": "1,5"}, "bad_value"),
        ({"vl_conta": "1E5"}, "bad_value"),
        ({"vl_conta": "9" * 24}, "value_out_of_range"),
        ({"versao": "0"}, "bad_version"),
        ({"versao": "1.0"}, "bad_version"),
        ({"cd_cvm": "1234567"}, "bad_version"),
        ({"dt_refer": "2023"}, "bad_version"),
        ({"cd_conta": "1", "ds_conta": "Ativo Total"}, "bad_date"),  # a balance has no first day
    ],
)
def test_a_row_that_is_no_fact_is_counted(changed, reason):
    assert only(row(1, **changed)) == (None, {reason: 1})


def test_a_component_of_equity_is_counted():
    one = row(1, ("5.01", "Saldos Iniciais"), coluna_df="Capital Social Integralizado")
    assert only(one) == (None, {"dimensional": 1})


@pytest.mark.parametrize(
    ("owners", "others", "total", "blank"), [(0, 0, 7, 2), (7, 0, 7, 0), (0, 7, 7, 0), (0, 0, 0, 0)]
)
def test_a_division_that_was_left_blank_is_no_division(owners, others, total, blank):
    rows = [row(total, RESULT), row(owners, OF_OWNERS), row(others, OF_OTHERS)]
    [filing], rejected = read(statement(*rows, row(5, RESULT, 2022), row(5, OF_OWNERS, 2022)))
    assert rejected == ({"left_blank": blank} if blank else {})
    assert len(filing.facts) == 5 - blank


def test_a_row_told_twice_is_kept_once_and_a_contradiction_not_at_all():
    assert only(row(1), row("1.0000000000"))[1] == {}
    assert only(row(1), row(2)) == (None, {"duplicate_conflict": 2})


def test_quotes_are_letters_and_the_encoding_is_found_by_line():
    odd = row(1, ("3.04.04.01", '"Swaps" não realizados'), **FREE)
    assert only(odd)[1] == {}
    text = statement(row(1)).decode("iso-8859-1").encode()
    assert read(text)[0][0].subject_name == a_name()


def test_a_torn_row_is_counted_and_other_documents_are_refused():
    _, rejected = read(statement(row(1)) + b"1;2;3\r\n")
    assert rejected == {"bad_row": 1}
    for data in (b"", b"a;b\r\n1;2\r\n", index(entry("2024-03-20")), packed({})):
        with pytest.raises(UnreadableDocument, match="missing_table"):
            read(data)
    with pytest.raises(UnreadableDocument, match="missing_column"):
        read(statement(row(1), without=("versao",)))
