"""Invented LEI records, written in the three forms of the golden copy: a table, JSON and XML."""

from __future__ import annotations

import csv
import io
import json
from xml.sax.saxutils import escape

from stdnum.iso7064 import mod_97_10

NAMESPACE = "http://www.gleif.org/data/schema/leidata/2016"
EXTENSIONS = "http://www.gleif.org/data/schema/golden-copy/extensions/1.0"
NAME = "Entity.LegalName"
JURISDICTION = "Entity.LegalJurisdiction"
COUNTRY = "Entity.LegalAddress.Country"
CATEGORY = "Entity.EntityCategory"
FORM = "Entity.LegalForm.EntityLegalFormCode"
STATUS = "Entity.EntityStatus"
REGISTRATION = "Registration.RegistrationStatus"
UPDATED = "Registration.LastUpdateDate"
REGISTERED_AT = "Entity.RegistrationAuthority.RegistrationAuthorityID"
REGISTERED_AS = "Entity.RegistrationAuthority.RegistrationAuthorityEntityID"
VALIDATED_AT = "Registration.ValidationAuthority.ValidationAuthorityID"
VALIDATED_AS = "Registration.ValidationAuthority.ValidationAuthorityEntityID"
DELETED = "DeletedAt"
STREET = "Entity.LegalAddress.FirstAddressLine"
SUCCESSORS = [f"Entity.SuccessorEntity.{place}.SuccessorLEI" for place in range(1, 6)]
HEADER = [
    "LEI",
    NAME,
    STREET,
    COUNTRY,
    REGISTERED_AT,
    REGISTERED_AS,
    JURISDICTION,
    CATEGORY,
    FORM,
    STATUS,
    *SUCCESSORS,
    UPDATED,
    REGISTRATION,
    VALIDATED_AT,
    VALIDATED_AS,
    DELETED,
]


def an_lei(number):
    """Return an invented LEI with the right check digits."""
    body = f"9999{number:014d}"
    return body + mod_97_10.calc_check_digits(body)


def stated(**changed):
    """Return the columns of one record; keys of `changed` are names of this module in lower case."""
    record = {
        "LEI": an_lei(1),
        NAME: "Acmé Holdings Ltd",
        STREET: "1 Secret Street",
        COUNTRY: "KE",
        JURISDICTION: "ZA",
        CATEGORY: "GENERAL",
        FORM: "R4KK",
        STATUS: "ACTIVE",
        REGISTRATION: "ISSUED",
        UPDATED: "2024-05-04T00:30:00+02:00",
        REGISTERED_AT: "RA000526",
        REGISTERED_AS: "1999/000001/07",
        VALIDATED_AT: "RA000526",
        VALIDATED_AS: "1999/000001/07",
    }
    successors = changed.pop("successors", [])
    record |= {globals()[key.upper()] if key != "lei" else "LEI": text for key, text in changed.items()}
    return record | dict(zip(SUCCESSORS, successors, strict=False))


def as_csv(*records):
    """Return the table, with a byte-order mark as GLEIF writes it."""
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, HEADER, quoting=csv.QUOTE_ALL)
    writer.writeheader()
    writer.writerows(records)
    return text.getvalue().encode("utf-8-sig")


def as_json(*records):
    return json.dumps({"records": [_json(record) for record in records]}, ensure_ascii=False).encode()


def _json(record):
    tree = {}
    for column, text in record.items():
        if not text or column in SUCCESSORS:
            continue
        if column == DELETED:
            tree["Extension"] = {"gleif:Deletion": {"gleif:DeletedAt": {"$": text}}}
            continue
        *path, last = column.split(".")
        place = tree
        for name in path:
            place = place.setdefault(name, {})
        place[last] = {"$": text}
    found = [{"SuccessorLEI": {"$": record[name]}} for name in SUCCESSORS if record.get(name)]
    if found:
        tree["Entity"]["SuccessorEntity"] = found
    return tree


def as_xml(*records):
    written = "".join(_xml(_json(record), "LEIRecord") for record in records)
    return (
        f'<?xml version="1.0" encoding="UTF-8"?><lei:LEIData xmlns:lei="{NAMESPACE}" '
        f'xmlns:gleif="{EXTENSIONS}"><lei:LEIHeader/><lei:LEIRecords>{written}</lei:LEIRecords></lei:LEIData>'
    ).encode()


def _xml(value, name):
    tag = name if ":" in name else f"lei:{name}"
    if isinstance(value, list):
        return "".join(_xml(item, name) for item in value)
    inside = escape(value["$"]) if "$" in value else "".join(_xml(below, key) for key, below in value.items())
    return f"<{tag}>{inside}</{tag}>"
