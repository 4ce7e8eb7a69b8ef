"""The CVM's register of companies: a code and a CNPJ for each company, and nobody's name but its own."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from sankofa.core.errors import UnreadableDocument
from sankofa.entities.model import Identifier, OrganisationRecord
from sankofa.ingest.bytes.bounds import Rejections
from sankofa.ingest.identifiers import cnpj
from sankofa.ingest.registers.cvm_companies import parse
from support.cvm_forms import PERSON, a_cnpj, a_name, company, register

FETCHED = datetime(2024, 5, 5, 23, tzinfo=UTC)


def read(*companies):
    rejections = Rejections()
    found = list(parse(register(*companies), rejections, fetched_at=FETCHED))
    assert PERSON not in f"{found} {rejections.samples}"
    return found, dict(rejections.counts)


def test_a_company_is_known_by_its_code_and_its_taxpayer_number():
    expected = OrganisationRecord(
        subject="cvm:990001",
        legal_name=a_name(),
        jurisdiction="BR",
        status="unknown",
        identifiers=(
            Identifier("registry", "BR-CVM", "990001"),
            Identifier("registry", "BR-CNPJ", cnpj(a_cnpj())),
        ),
        marks=("files_accounts:BR-CVM",),
        duplicate_of=None,
        stated_at=FETCHED,
        available_at=date(2024, 5, 5),
        available_at_basis="first_seen",
    )
    assert read(company()) == ([expected], {})
    assert read(company(), company()) == ([expected], {})  # a company has a row for each of its categories


def test_the_code_of_a_cancelled_registration_no_longer_holds():
    [gone], _ = read(company(dt_cancel="2020-01-02"), company(dt_cancel="2021-03-04"))
    assert [one.valid_to for one in gone.identifiers] == [date(2021, 3, 4), None]
    [back], _ = read(company(dt_cancel="2020-01-02"), company())
    assert [one.valid_to for one in back.identifiers] == [None, None]


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"cd_cvm": ""}, "bad_code"),
        ({"cnpj_cia": a_cnpj()[:-1] + ("0" if a_cnpj()[-1] != "0" else "1")}, "bad_cnpj"),
        ({"cnpj_cia": ""}, "bad_cnpj"),
        ({"denom_social": ""}, "bad_row"),
        ({"dt_cancel": "2020"}, "bad_row"),
    ],
)
def test_a_row_without_a_sound_number_or_name_is_counted(changed, reason):
    assert read(company(**changed)) == ([], {reason: 1})


def test_one_code_with_two_companies_names_neither():
    assert read(company(), company(cnpj_cia=a_cnpj(2))) == ([], {"company_conflict": 2})


def test_another_table_is_refused():
    with pytest.raises(UnreadableDocument, match="missing_column"):
        list(parse(b"a;b\r\n1;2\r\n", Rejections(), fetched_at=FETCHED))
