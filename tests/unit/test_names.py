# ruff: noqa: RUF001 - names in other scripts are what is tested
"""Names as keys: one name in all its spellings, and no two names in one."""

from __future__ import annotations

import pytest

from sankofa.entities.folding import oddity
from sankofa.entities.names import resolution_key, search_key, words


@pytest.mark.parametrize(
    ("country", "spellings"),
    [
        (
            "GB",
            ["ACME Ltd.", "Acme Limited", "acme  LTD", "Acme, Ltd", " Acme\u00a0Limited ", "ＡＣＭＥ Ltd"],
        ),
        ("ZA", ["Acme (Pty) Ltd", "Acme (PTY) LTD.", "ACME Proprietary Limited", "Acme Pty. Limited"]),
        ("SN", ["Société Générale S.A.", "SOCIETE GENERALE SA", "Société Générale, S A"]),
        (
            "SN",
            ["Sahel Import S.A.R.L.", "Sahel Import SARL", "Sahel Import Société à Responsabilité Limitée"],
        ),
        ("NG", ["Finlab Nig. Ltd.", "Finlab Nigeria Limited", "FINLAB (NIG) LTD"]),
        ("GB", ["Smith & Jones PLC", "Smith and Jones plc", "SMITH & JONES Public Limited Company"]),
        ("MX", ["Compucad, S.A. de C.V.", "COMPUCAD SA DE CV"]),
        ("PL", ["Łódź Sp. z o.o.", "Lodz sp z oo"]),
        ("GB", ["O'Brien Ltd", "O’Brien Limited", "OBrien Ltd"]),
        ("UA", ["ТОВ «Тропік»", 'ТОВ "ТРОПІК"']),
        ("EG", ["النيل ش.م.م", "النيل شركة مساهمة مصرية"]),
    ],
)
def test_spellings_of_one_name_have_one_key(country, spellings):
    assert len({resolution_key(spelling, country) for spelling in spellings}) == 1


@pytest.mark.parametrize(
    ("country", "names"),
    [
        ("GB", ["Acme Limited", "Acme PLC", "Acme", "Acme LLP", "Acme Trust"]),
        ("ZA", ["Acme (Pty) Ltd", "Acme Ltd", "Acme CC", "Acme NPC", "Acme Inc"]),
        ("GB", ["Acme 1 Ltd", "Acme 2 Ltd", "Acme Ltd"]),
        ("GB", ["Acme Ltd", "Асме Ltd", "Αcme Ltd"]),
        ("UA", ["Тропік", "Tropik"]),
        ("UA", ["Чайка", "Чаика"]),
        ("GB", ["A B Ltd", "B A Ltd"]),
        ("GB", ["Rock n Roll Ltd", "Rock and Roll Ltd"]),
    ],
)
def test_different_names_have_different_keys(country, names):
    assert len({resolution_key(name, country) for name in names}) == len(names)


def test_a_form_is_read_as_its_country_reads_it():
    assert resolution_key("Acme BK", "ZA") == resolution_key("Acme CC", "ZA")
    assert resolution_key("Acme BK", "GB") != resolution_key("Acme CC", "GB")


@pytest.mark.parametrize("nothing", ["", " ", "...", "—", "()", "\u200b"])
def test_nothing_left_is_an_empty_key(nothing):
    assert (resolution_key(nothing, "GB"), search_key(nothing)) == ("", "")


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("Acme Zeta (Pty) Ltd", "acme zeta"),
        ("Zeta ACME PLC", "acme zeta"),
        ("ТОВ Тропік", "tropik"),
        ("Société Générale S.A.", "generale"),
        ("Müller & Söhne GmbH", "muller sohne"),
        ("Limited", "limited"),
        ("A & B", "a b"),
        ("株式会社", "zhushihuishe"),
    ],
)
def test_a_search_key_is_sorted_ascii_without_the_form(name, key):
    assert search_key(name) == key


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("S.A.R.L.", ("sarl",)),
        ("Co.Ltd", ("co", "ltd")),
        ("J.P. Morgan", ("jp", "morgan")),
        ("Mokoena T / A Temart", ("mokoena", "t/a", "temart")),
        ("North/South", ("north", "south")),
        ("snake_case", ("snake", "case")),
        ("Sa'ad", ("saad",)),
        ("Straße", ("strasse",)),
        ("İstanbul", ("istanbul",)),
        ("Йод", ("йод",)),
        ("ኃ/የተ/የግ/ማ", ("ኃ/የተ/የግ/ማ",)),
        ("हिन्दी नाम", ("हिन्दी", "नाम")),
        ("Ldª", ("lda",)),
    ],
)
def test_words_are_what_separates_them_left_out(text, expected):
    assert words(text) == expected


def test_words_of_words_are_the_same_words():
    for text in ("Société Générale S.A.R.L.", "Mokoena t/a Łódź & Co.", "ТОВ «Тропік»"):
        assert words(" ".join(words(text))) == words(text)


@pytest.mark.parametrize(
    "plain", ["Acme Ltd", "Société Ldª", "ТОВ №2", "Acme ТОВ", "日本 K.K.", "µ Labs", "Nº 5"]
)
def test_honest_spellings_are_not_odd(plain):
    assert oddity(plain) == ""


@pytest.mark.parametrize("odd", ["Lтd", "Ⅼtd", "Ｌtd", "𝐋td", "Lt\u200bd", "Ltd\x00", "\u202eLtd", "Αcme"])
def test_dressed_up_spellings_are_odd(odd):
    assert oddity(odd)
