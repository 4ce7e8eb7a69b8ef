"""Organisations to tell stories with: they open every register, whatever the seed.

1     Mbolurado Shipping Ltd (Mauritius) is renamed Mbolurado Maritime Ltd.
2     Tshivasela Cement PLC (Tanzania) has let its LEI lapse, and renews it.
3, 4  Nkolidira Mining PLC (Zambia) ends; Nkolidira Resources PLC succeeds it. They stay two.
5, 6  LUKHANOVARI ENERGY LTD (Ghana) is a duplicate of Lukhanovari Energy Limited. They become one.
7     Amaka Dovirashu Stores (Nigeria) turns out to be a sole proprietor, and disappears.
8, 9  Ramosenyu Textiles Limited (Tanzania) and Wakideshu Logistics Limited (Uganda) have the number 45120,
      each in its own country's register.
10    Nyalumera Staff Provident Fund (Kenya) is a fund.
11    Mamboleshu Water Services Authority (Kenya) is a public body.
12    Dakolunyi Retail PLC (Nigeria) was delisted in 2021.
13,14 Barishemo Breweries PLC (Kenya) was delisted in 2019; Kithulera Steel PLC has had its ticker since 2021.
"""

from __future__ import annotations

from demo.identifiers import lei
from demo.lei_records import LeiRecord
from demo.places import PLACES, UNLISTED_FORM

SHARED_NUMBER = "45120"
_CREATED = "2009-03-02T00:00:00Z"
_UPDATED = "2025-06-02T09:30:00Z"
_CHANGED = "2026-01-05T14:00:00Z"


def _record(place: int, name: str, country: str, **told: str) -> LeiRecord:
    there = PLACES[country]
    record = LeiRecord(
        lei=lei(place),
        name=name,
        country=country,
        authority=there.authority,
        number=there.number.format(year=2009, number=100_000 + place),
        legal_form=there.legal_form,
        updated=_UPDATED,
        created=_CREATED,
        language=there.language,
        city=there.city,
        postcode=there.postcode,
    )
    return record._replace(**told)


RENAMED = _record(1, "Mbolurado Shipping Ltd", "MU")
LAPSED = _record(2, "Tshivasela Cement PLC", "TZ", registration_status="LAPSED")
SUCCEEDED = _record(3, "Nkolidira Mining PLC", "ZM")
SUCCESSOR = _record(4, "Nkolidira Resources PLC", "ZM")
SURVIVOR = _record(6, "Lukhanovari Energy Limited", "GH")
DUPLICATE = _record(5, "LUKHANOVARI ENERGY LTD", "GH", number=SURVIVOR.number)
TURNED = _record(7, "Amaka Dovirashu Stores", "NG", legal_form=UNLISTED_FORM)
SHARING = (
    _record(8, "Ramosenyu Textiles Limited", "TZ", number=SHARED_NUMBER),
    _record(9, "Wakideshu Logistics Limited", "UG", number=SHARED_NUMBER),
)
FUND = _record(10, "Nyalumera Staff Provident Fund", "KE", category="FUND")
PUBLIC_BODY = _record(11, "Mamboleshu Water Services Authority", "KE", category="RESIDENT_GOVERNMENT_ENTITY")
DELISTED = _record(12, "Dakolunyi Retail PLC", "NG")
FIRST_OF_TICKER = _record(13, "Barishemo Breweries PLC", "KE")
SECOND_OF_TICKER = _record(14, "Kithulera Steel PLC", "KE")

RECORDS = (
    RENAMED,
    LAPSED,
    SUCCEEDED,
    SUCCESSOR,
    DUPLICATE,
    SURVIVOR,
    TURNED,
    *SHARING,
    FUND,
    PUBLIC_BODY,
    DELISTED,
    FIRST_OF_TICKER,
    SECOND_OF_TICKER,
)

# What the delta says of them, the whole record each time.
CHANGES = (
    RENAMED._replace(name="Mbolurado Maritime Ltd", updated=_CHANGED),
    LAPSED._replace(registration_status="ISSUED", renewal="2027-01-05T08:00:00Z", updated=_CHANGED),
    SUCCEEDED._replace(
        entity_status="INACTIVE",
        registration_status="RETIRED",
        expired="2025-12-31T00:00:00Z",
        expiration_reason="CORPORATE_ACTION",
        successor=SUCCESSOR.lei,
        successor_name=SUCCESSOR.name,
        updated=_CHANGED,
    ),
    DUPLICATE._replace(
        registration_status="DUPLICATE",
        successor=SURVIVOR.lei,
        successor_name=SURVIVOR.name,
        updated=_CHANGED,
    ),
    TURNED._replace(category="SOLE_PROPRIETOR", updated=_CHANGED),
)
