"""One LEI record, and how the golden copy of LEI-CDF 3.1 writes it: as a row of its table, and in JSON.

The table has the columns of the format, most of them empty, as in a real one.
"""

from __future__ import annotations

import json
from operator import itemgetter
from typing import NamedTuple

from demo import identifiers
from demo.lei_columns import COLUMNS


class LeiRecord(NamedTuple):
    """The texts of one record, empty where it says nothing; none has a quote or a line end."""

    lei: str
    name: str
    country: str
    authority: str
    number: str
    legal_form: str
    updated: str  # the moment, in ISO 8601
    created: str
    category: str = "GENERAL"
    entity_status: str = "ACTIVE"
    registration_status: str = "ISSUED"
    language: str = "en"
    street: str = "1 Demo Street"
    city: str = ""
    postcode: str = ""
    registered: str = "2015-06-01T08:00:00Z"
    renewal: str = "2026-06-01T08:00:00Z"
    expired: str = ""
    expiration_reason: str = ""
    successor: str = ""
    successor_name: str = ""
    managing_lou: str = identifiers.lei(0)
    validation: str = "FULLY_CORROBORATED"


_FIELDS = {
    "LEI": "lei",
    "Entity.LegalName": "name",
    "Entity.LegalName.xmllang": "language",
    "Entity.RegistrationAuthority.RegistrationAuthorityID": "authority",
    "Entity.RegistrationAuthority.RegistrationAuthorityEntityID": "number",
    "Entity.LegalJurisdiction": "country",
    "Entity.EntityCategory": "category",
    "Entity.LegalForm.EntityLegalFormCode": "legal_form",
    "Entity.EntityStatus": "entity_status",
    "Entity.EntityCreationDate": "created",
    "Entity.EntityExpirationDate": "expired",
    "Entity.EntityExpirationReason": "expiration_reason",
    "Entity.SuccessorEntity.1.SuccessorLEI": "successor",
    "Entity.SuccessorEntity.1.SuccessorEntityName": "successor_name",
    "Registration.InitialRegistrationDate": "registered",
    "Registration.LastUpdateDate": "updated",
    "Registration.RegistrationStatus": "registration_status",
    "Registration.NextRenewalDate": "renewal",
    "Registration.ManagingLOU": "managing_lou",
    "Registration.ValidationSources": "validation",
    "Registration.ValidationAuthority.ValidationAuthorityID": "authority",
    "Registration.ValidationAuthority.ValidationAuthorityEntityID": "number",
} | {
    f"Entity.{kind}Address.{column}": field
    for kind in ("Legal", "Headquarters")
    for column, field in {
        "xmllang": "language",
        "FirstAddressLine": "street",
        "City": "city",
        "Country": "country",
        "PostalCode": "postcode",
    }.items()
}

# A row is one template and the fields that go into it, some of them twice: a register has millions.
_ROW = ",".join('"%s"' if column in _FIELDS else '""' for column in COLUMNS) + "\n"
_in_order = itemgetter(*(LeiRecord._fields.index(_FIELDS[column]) for column in COLUMNS if column in _FIELDS))

TABLE_HEAD = ",".join(f'"{column}"' for column in COLUMNS) + "\n"


def table_row(record: LeiRecord) -> str:
    """Return a record as a row of the table, every field in quotes."""
    row: str = _ROW % _in_order(record)
    return row


def as_json(records: list[LeiRecord]) -> bytes:
    """Return records as a golden copy in JSON, each text as {"$": text}."""
    return json.dumps({"records": [_tree(record) for record in records]}, ensure_ascii=False).encode()


def _tree(record: LeiRecord) -> dict[str, object]:
    tree: dict[str, object] = {}
    for column in COLUMNS:
        text = getattr(record, _FIELDS[column]) if column in _FIELDS else ""
        if text:
            _put(tree, column.split("."), text)
    return tree


def _put(tree: dict[str, object], path: list[str], text: str) -> None:
    """Put a text where its column's path leads; a numbered step is a place in a list."""
    name, *rest = path
    if not rest:
        key, stated = ("@xml:lang", text) if name == "xmllang" else (name, {"$": text})
        tree[key] = stated
    elif rest[0].isdigit():
        items = tree.setdefault(name, [{}])
        assert isinstance(items, list)  # noqa: S101 - what was put here before is of this kind
        _put(items[int(rest[0]) - 1], rest[1:], text)
    else:
        inner = tree.setdefault(name, {})
        assert isinstance(inner, dict)  # noqa: S101 - as above
        _put(inner, rest, text)
