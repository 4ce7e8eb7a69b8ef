"""The screen of free text: what points at a person is found, and what only has digits is not."""

from __future__ import annotations

import time

import pytest

from sankofa.ingest.ocds.contacts import NOBODY, contacts
from sankofa.ingest.ocds.text import flags


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Mail t.gwaze@kznworks.gov.za", "email"),
        ("Mail t.gwaze @ kznworks . gov . za", "email"),
        ("Mail t.gwaze (at) kznworks.gov.za", "email"),
        ("Mail t\uff20example\uff0eorg", "email"),
        ("071-338-5102", "telephone"),
        ("(021) 930 1134", "telephone"),
        ("+27 (0)71 338 5102", "telephone"),
        ("+254712345678", "telephone"),
        ("0027 71 338 5102", "telephone"),
        ("254712345678", "telephone"),
        ("Tel: 555 1234", "telephone"),
        ("cell no 7133851", "telephone"),
        ("٠٧١٣٣٨٥١٠٢", "telephone"),
        ("Passport no A1234567", "identity_number"),
        ("ID: 23456789", "identity_number"),
        ("8001 015 009 087", "identity_number"),
        ("8001015009087", "identity_number"),
        ("VIFM700101HDFDRG09", "identity_number"),
        ("RFC BAAD680323AB1", "identity_number"),
    ],
)
def test_what_reaches_or_numbers_a_person_is_found(text, found):
    assert found in flags(f"Notice. {text}. End", NOBODY)


@pytest.mark.parametrize(
    "text",
    [
        "Supply of 20 laptops @ R15000.00 each",
        "RFQ 2025/26-0012, closing 2025-07-01 at 11:00",
        "Period 01.07.2025 - 30.06.2026",
        "Period 01/07/2025 to 30/06/2026",
        "Tender SCMU5-24/25-0123",
        "R 1 234 567.89 in three parts",
        "CPV 45233120-6, lots 1-14",
        "Erf 1234, Ward 10, 12 classrooms and 1000 l tanks",
        "Company 2012/123456/07",
        "",
    ],
)
def test_what_only_has_digits_is_not(text):
    assert flags(text, NOBODY) == ()


def found_in(text, **contact):
    return flags(text, contacts({"tender": {"contactPerson": contact}}))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Mr. T. Gwaze", "Ask T Gwaze about it"),
        ("MIGUEL ÁNGEL VIDAL FRANCO", "Obra de Miguel Angel Vidal Franco"),
        ("Paulina Rapoo", "PAULINA   RAPOO, room 5"),
        ("Rapoo, Paulina", "signed Paulina Rapoo"),
        ("Paulina Rapoo / Thabo Nkosi", "see Thabo Nkosi"),
        ("Власійчук Віктор", "Контакт: власійчук  віктор"),
        ("Mokoena", "c/o Mokoena"),
    ],
)
def test_the_name_of_a_contact_is_found_however_it_is_spelled(name, text):
    assert found_in(text, name=name) == ("contact_name",)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Tender Office", "The tender office is closed"),
        ("Procurement", "Procurement of chairs"),
        ("Paulina Rapoo", "Paulina Rapooville road"),
        ("N/A", "n/a"),
        ("-", "a - b"),
        ("5134-2500", "Room 5134-2500"),
    ],
)
def test_an_office_is_nobody_and_half_a_word_is_no_name(name, text):
    assert found_in(text, name=name) == ()


def test_a_contact_is_found_by_what_its_release_says_of_it():
    assert found_in("Room 51 34 25 00", telephone="5134-2500") == ("telephone",)
    assert found_in("room 51342500", telephoneNumber="021 000 / 5134-2500") == ("telephone",)
    assert found_in("to INFO@LOCALHOST now", email="info@localhost") == ("email",)
    assert found_in("Room 5134", telephone="5134") == ()


@pytest.mark.parametrize(
    "release",
    [
        {"parties": [{"persones": [{"name": "Ada Obi"}]}]},
        {"contracts": [{"signatories": ["Ada Obi"]}]},
        {"tender": {"procurementOfficerName": "Ada Obi"}},
        {"awards": [{"suppliers": [{"beneficialOwners": [{"identity": {"fullName": "Ada Obi"}}]}]}]},
        {"x": [[{"contactPoint": [{"name": "Ada Obi"}]}]]},
        {"tender": {"contactPerson": "Ada Obi"}},
    ],
)
def test_a_person_is_found_wherever_a_release_hides_one(release):
    assert flags("Contact Ada Obi", contacts(release)) == ("contact_name",)


def test_the_name_of_a_party_is_no_contact():
    assert contacts({"parties": [{"name": "Ada Obi"}], "tender": {"title": "x"}}) is NOBODY


@pytest.mark.parametrize(
    "text",
    [
        "a" * 60_000,
        "0" * 60_000,
        "@" * 60_000,
        "a@a" * 75_000,
        "0 " * 125_000,
        "tel " * 60_000,
        "+1" * 125_000,
        "(at " * 60_000,
        "id " * 75_000,
        "1 " * 125_000,
        "a.b." * 60_000,
    ],
)
def test_no_text_takes_the_square_of_its_length(text):
    started = time.process_time()
    flags(text, NOBODY)
    flags(text, contacts({"contactPoint": {"name": "Ada Obi", "telephone": "021 930 1134"}}))
    assert time.process_time() - started < 10
