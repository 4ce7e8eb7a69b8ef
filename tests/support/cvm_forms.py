"""Invented CVM forms: rows of statements, the index of their versions, and the register of companies."""

from __future__ import annotations

from stdnum.br import cnpj

SALES = ("3.01", "Receita de Venda de Bens e/ou Serviços")
RESULT = ("3.11", "Lucro/Prejuízo Consolidado do Período")
OF_OWNERS = ("3.11.01", "Atribuído a Sócios da Empresa Controladora")
OF_OTHERS = ("3.11.02", "Atribuído a Sócios Não Controladores")
ASSETS = ("1", "Ativo Total")
PERSON = "JOSEFINA INVENTADA DA SILVA"  # what the columns that are never read may hold


def a_code(company=1):
    """Return the code of an invented company as statements write it."""
    return f"{990_000 + company:06d}"


def a_cnpj(company=1):
    """Return an invented CNPJ with the right check digits."""
    body = f"{99_000_000 + company:08d}0001"
    return cnpj.format(body + cnpj.calc_check_digits(body))


def a_name(company=1):
    return f"COMPANHIA INVENTADA Nº {company} S.A."


def row(amount, account=SALES, year=2023, *, company=1, **changed):
    """Return one row; keys of `changed` are columns in small letters."""
    code, label = account
    told = {
        "cnpj_cia": a_cnpj(company),
        "dt_refer": "2023-12-31",
        "versao": "1",
        "denom_cia": a_name(company),
        "cd_cvm": a_code(company),
        "grupo_dfp": "DF Consolidado - Demonstração do Resultado",
        "moeda": "REAL",
        "escala_moeda": "MIL",
        "ordem_exerc": "ÚLTIMO",
        "dt_ini_exerc": f"{year}-01-01",
        "dt_fim_exerc": f"{year}-12-31",
        "cd_conta": code,
        "ds_conta": label,
        "vl_conta": f"{amount}",
        "st_conta_fixa": "S",
    }
    return told | changed


def statement(*rows, without=()):
    """Return a table of these rows, as the commission writes it."""
    columns = [name for name in rows[0] if name not in without]
    lines = [";".join(columns).upper(), *(";".join(one[name] for name in columns) for one in rows)]
    return "\r\n".join([*lines, ""]).encode("iso-8859-1")


def balance(*rows):
    """Return a balance sheet: a table whose rows have no first day."""
    return statement(*rows, without=("dt_ini_exerc",))


def entry(received, *, company=1, **changed):
    """Return one row of the index."""
    told = {
        "cnpj_cia": a_cnpj(company),
        "dt_refer": "2023-12-31",
        "versao": "1",
        "denom_cia": a_name(company),
        "cd_cvm": a_code(company),
        "categ_doc": "DFP",
        "id_doc": "123456",
        "dt_receb": received,
        "link_doc": "http://www.example.com/123456",
    }
    return told | changed


def company(number=1, **changed):
    """Return one row of the register, where codes are not padded and officers have names."""
    told = {
        "cnpj_cia": a_cnpj(number),
        "denom_social": a_name(number),
        "denom_comerc": "INVENTADA",
        "dt_reg": "2001-02-03",
        "dt_cancel": "",
        "sit": "ATIVO",
        "cd_cvm": f"{990_000 + number}",
        "resp": PERSON,
        "email_resp": "josefina@example.com",
        "auditor": PERSON,
    }
    return told | changed


index = register = statement  # all are tables of one make
