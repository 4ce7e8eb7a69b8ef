"""What OCDS 1.1 demands of a release, as far as our rows go: by hand, from the standard's reference.

The standard's own schema is used beside it where it is at hand; see `behaviour/test_real_tenders.py`.
"""

from __future__ import annotations

from datetime import datetime

TAGS = set(
    "planning planningUpdate tender tenderAmendment tenderUpdate tenderCancellation award awardUpdate "
    "awardCancellation contract contractUpdate contractAmendment implementation implementationUpdate "
    "contractTermination compiled".split()
)
CODES = {
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
    awards = {award["id"] for award in row.get("awards", ())}
    lost = {contract["awardID"] for contract in row.get("contracts", ())} - awards
    return found + [f"no award {number}" for number in sorted(lost) if awards]


def _faults(path, value):
    name = path.rpartition(".")[2]
    if isinstance(value, list):
        yield from () if path in LISTS else [f"{path} is a list"]
        yield from () if value or path == "parties" else [f"{path} is empty"]
        ids = [item["id"] for item in value if isinstance(item, dict)]
        yield from () if len(ids) == len(set(ids)) else [f"{path} repeats an id"]
        for item in value:
            yield from _faults(path, item)
    elif isinstance(value, dict):
        yield from () if value else [f"{path} is empty"]
        for key in REQUIRED.get(path, ()):
            yield from () if key in value else [f"{path} lacks {key}"]
        yield from (
            () if path not in MONEY or set(value) == {"amount", "currency"} else [f"{path} is no money"]
        )
        for key, item in value.items():
            yield from _faults(f"{path}.{key}" if path else key, item)
    elif name in ("date", "dateSigned", "startDate", "endDate"):
        yield from () if datetime.fromisoformat(value).tzinfo else [f"{path} has no zone"]
    elif path == "tag":
        yield from () if value in TAGS else [f"{path} is {value}"]
    elif path in CODES:
        yield from () if value in CODES[path].split() else [f"{path} is {value}"]
    elif path == "initiationType":
        yield from () if value == "tender" else [f"{path} is {value}"]
    elif name in ("ocid", "id", "awardID", "title", "description", "name", "currency"):
        yield from () if isinstance(value, str) and value else [f"{path} is no text"]
    elif name in ("amount", "numberOfTenderers"):
        yield from () if not isinstance(value, str | None) else [f"{path} is no number"]
