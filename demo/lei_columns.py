"""The columns of a golden copy table, named as in LEI-CDF 3.1."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product

PLACES = range(1, 6)  # how often a table repeats what a record may say several times


def _under(path: str, names: Iterable[str]) -> Iterator[str]:
    return (f"{path}.{name}" if name else path for name in names)


def _repeated(path: str, names: Iterable[str]) -> Iterator[str]:
    names = tuple(names)
    return (column for place in PLACES for column in _under(f"{path}.{place}", names))


_ADDRESS = (
    *("xmllang", "FirstAddressLine", "AddressNumber", "AddressNumberWithinBuilding", "MailRouting"),
    *(f"AdditionalAddressLine.{place}" for place in (1, 2, 3)),
    *("City", "Region", "Country", "PostalCode"),
)
_NAME = ("", "xmllang", "type")
_REGISTERED = (
    "RegistrationAuthorityID",
    "OtherRegistrationAuthorityID",
    "RegistrationAuthorityEntityID",
)
_VALIDATED = ("ValidationAuthorityID", "OtherValidationAuthorityID", "ValidationAuthorityEntityID")
_SUCCESSOR = ("SuccessorLEI", "SuccessorEntityName", "SuccessorEntityName.xmllang")
_ASSOCIATED = ("type", "AssociatedLEI", "AssociatedEntityName", "AssociatedEntityName.xmllang")
_EVENT = (
    *("group_type", "event_status", "LegalEntityEventType", "LegalEntityEventEffectiveDate"),
    *("LegalEntityEventRecordedDate", "ValidationDocuments", "ValidationReference", "AffectedFields"),
)
_KINDS = ("Other", "TransliteratedOther")

COLUMNS = (
    "LEI",
    *_under("Entity.LegalName", ("", "xmllang")),
    *(
        f"Entity.{kind}EntityNames.{name}"
        for kind in _KINDS
        for name in _repeated(f"{kind}EntityName", _NAME)
    ),
    *(f"Entity.{kind}Address.{name}" for kind, name in product(("Legal", "Headquarters"), _ADDRESS)),
    *(
        f"Entity.{kind}Addresses.{name}"
        for kind in _KINDS
        for name in _repeated(f"{kind}Address", (*_ADDRESS, "type"))
    ),
    *_under("Entity.RegistrationAuthority", _REGISTERED),
    *_under("Entity", ("LegalJurisdiction", "EntityCategory", "EntitySubCategory")),
    *_under("Entity.LegalForm", ("EntityLegalFormCode", "OtherLegalForm")),
    *_under("Entity.AssociatedEntity", _ASSOCIATED),
    *(f"Entity.Entity{name}" for name in ("Status", "CreationDate", "ExpirationDate", "ExpirationReason")),
    *_repeated("Entity.SuccessorEntity", _SUCCESSOR),
    *_repeated("Entity.LegalEntityEvents.LegalEntityEvent", _EVENT),
    *_under("Registration", ("InitialRegistrationDate", "LastUpdateDate", "RegistrationStatus")),
    *_under("Registration", ("NextRenewalDate", "ManagingLOU", "ValidationSources")),
    *_under("Registration.ValidationAuthority", _VALIDATED),
    *_repeated("Registration.OtherValidationAuthorities.OtherValidationAuthority", _VALIDATED),
    "ConformityFlag",
    "DeletedAt",
)
