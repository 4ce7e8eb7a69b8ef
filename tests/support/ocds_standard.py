"""What OCDS 1.1 demands of a release, as far as our rows go: by hand, from the standard's reference.

The standard's own schema judges real releases where it is at hand: see `real/test_real_tenders.py`.
"""

from __future__ import annotations

from datetime import datetime

# Fields of our own, which the standard does not know.
OURS = {
    "country",
    "process_title",
    "withheld_parties",
    "text_withheld",
    "vintage",
    "available_at",
    "available_at_basis",
    "source_ref",
    "license_class",
    "observed_at",
    "provenance_id",
    "fact_id",
}
CODES = {
    "tag": "planning planningUpdate tender tenderAmendment tenderUpdate tenderCancellation award awardUpdate "
    "awardCancellation contract contractUpdate contractAmendment implementation implementationUpdate "
    "contractTermination compiled",
    "initiationType": "tender",
    "tender.status": "planning planned active cancelled unsuccessful complete withdrawn",
    "tender.procurementMethod": "open selective limited direct",
    "tender.mainProcurementCategory": "goods works services",
    "awards.status": "pending active cancelled unsuccessful",
    "contracts.status": "pending active cancelled terminated",
}
REQUIRED = {
    "": ("ocid", "id", "date", "tag", "initiationType"),
    "tender": ("id",),
    "tender.items": ("id",),
    "awards": ("id",),
    "contracts": ("id", "awardID"),
}
LISTS = {
    "tag",
    "parties",
    "parties.roles",
    "awards",
    "contracts",
    "tender.items",
    "tender.tenderers",
    "tender.additionalProcurementCategories",
    "awards.suppliers",
}
MONEY = {
    "planning.budget.amount",
    "tender.value",
    "tender.minValue",
    "awards.value",
    "contracts.value",
}


def faults(row):
    """Return what is wrong with a release, as sentences that name the place."""
    found = list(_faults("", row))
    parties = {party["id"] for party in row.get("parties", ())}
    named = [row.get("buyer"), row.get("tender", {}).get("procuringEntity")]
    named += row.get("tender", {}).get("tenderers", [])
    named += [supplier for award in row.get("awards", ()) for supplier in award.get("suppliers", ())]
    found += [
        f"{party['id']} is not among the parties" for party in named if party and party["id"] not in parties
    ]
    return found


def _faults(path, value, *, in_list=False):
    if isinstance(value, list):
        yield from _of_list(path, value)
    elif isinstance(value, dict):
        yield from _of_object(path, value)
    elif path in LISTS and not in_list:
        yield f"{path} is no list"
    elif path in CODES:
        yield from () if value in CODES[path].split() else [f"{path} is {value}"]
    else:
        yield from _of_value(path, value)


def _of_list(path, values):
    if path not in LISTS:
        yield f"{path} is a list"
    if not values and path != "parties":
        yield f"{path} is empty"
    if len(values) != len(set(map(repr, values))):
        yield f"{path} repeats itself"
    for item in values:
        yield from _faults(path, item, in_list=True)


def _of_object(path, value):
    if not value:
        yield f"{path} is empty"
    yield from (f"{path} lacks {key}" for key in REQUIRED.get(path, ()) if key not in value)
    if path in MONEY and set(value) != {"amount", "currency"}:
        yield f"{path} is no money"
    for key, item in value.items():
        yield from _faults(f"{path}.{key}" if path else key, item)


def _of_value(path, value):
    name = path.rpartition(".")[2]
    if name in ("date", "dateSigned", "startDate", "endDate"):
        yield from () if "T" in value and datetime.fromisoformat(value).tzinfo else [f"{path} has no zone"]
    elif name in ("ocid", "id", "awardID", "title", "description", "name", "currency"):
        yield from () if isinstance(value, str) and value else [f"{path} is no text"]
    elif name in ("amount", "numberOfTenderers"):
        yield from () if not isinstance(value, str | None) else [f"{path} is no number"]
