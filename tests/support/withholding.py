"""Real parties before the organisation check: `python -m tests.support.withholding` prints who is withheld.

The parties are read from the folder that SANKOFA_REAL_DATA names. A party's label comes from its national
number or its LEI record, not from the check.
"""

from __future__ import annotations

import csv
import json
import os
import time
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from sankofa.entities.organisations import Profile, decide

REPOSITORY = Path(__file__).parents[2]
DATA = Path(os.environ.get("SANKOFA_REAL_DATA", REPOSITORY.parent / "shared" / "data"))
PARTIES = DATA / "derived" / "party_names.csv"
LEI_RECORDS = DATA / "identifiers" / "gleif" / "20240505-0000-gleif-goldencopy-lei2-intra-day.json"
PORTALS = {
    "ukraine-prozorro": "ua-prozorro",
    "mexico-cdmx": "mx-cdmx",
    "mexico-inai": "mx-inai",
    "mexico-apf": "mx-compranet",
    "paraguay": "py-dncp",
    "portugal": "pt-base",
    "colombia": "co-secop",
    "nigeria-bpp": "ng-bpp",
    "nocopo_tabledata": "ng-nocopo",
    "nocopo_ocds_flat_final1": "ng-nocopo",
    "tenders-ghanaeps.csv": "gh-ghaneps",
    "uganda": "ug-gpp",
    "uk-contracts-finder": "gb-contracts-finder",
    "moldova": "md-mtender",
    "armenia": "am-armeps",
}
ROLES = {
    "buyer": "buyer",
    "comprador": "buyer",
    "procuringentity": "procuringEntity",
    "entidad que realiza la contratación": "procuringEntity",
    "tenderer": "tenderer",
    "participante": "tenderer",
}


class Party(NamedTuple):
    """A real party, what it is, and what is there to judge it by."""

    group: str
    country: str
    given: str
    label: str  # org, person, or nothing
    profile: Profile


def portal(source):
    if "tenders-ppa" in source:
        return "gh-ppa"
    if "etenders" in source or "deviation" in source or source.startswith("za_compiled"):
        return "za-etenders"
    return PORTALS.get(source, source)


def tender_parties():
    """Return the parties of tenders, one for each line of the file."""
    with PARTIES.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            marks = {f"role:{ROLES.get(row['role'], 'supplier')}", f"portal:{portal(row['source'])}"}
            # A number without a scheme is recorded under the name of the portal.
            issuer = row["id_scheme"] or portal(row["source"])
            identifiers = (("registry", issuer, row["id_value"]),) if row["id_value"] else ()
            given = "no number" if not identifiers else row["id_scheme"][:24] or "number without a scheme"
            profile = Profile(((row["name"], row["country"]),), identifiers, frozenset(marks))
            yield Party("tender parties", row["country"], given, row["label"], profile)


def lei_records():
    """Return the holders of LEIs, sole proprietors as persons."""
    for record in json.loads(LEI_RECORDS.read_text(encoding="utf-8"))["records"]:
        entity = record["Entity"]
        category, form = entity["EntityCategory"]["$"], entity["LegalForm"]["EntityLegalFormCode"]["$"]
        country = entity["LegalJurisdiction"]["$"][:2]
        authority = entity.get("RegistrationAuthority", {})
        number = authority.get("RegistrationAuthorityEntityID", {}).get("$")
        registered = (("registry", authority["RegistrationAuthorityID"]["$"], number),) if number else ()
        profile = Profile(
            ((entity["LegalName"]["$"], country),),
            (("lei", "", record["LEI"]["$"]), *registered),
            frozenset({f"lei_record:{category}", f"legal_form:{form}"}),
        )
        label = "person" if category == "SOLE_PROPRIETOR" else "org"
        yield Party("LEI records", country, "LEI", label, profile)


def reason(decision):
    """Return why a party is withheld: the vetoes that counted, or that nothing spoke for it."""
    hard = sorted({veto.kind for veto in decision.vetoes if veto.grade == "N_HARD"})
    soft = sorted({veto.kind for veto in decision.vetoes})
    return ", ".join(hard or soft) or ("weak evidence only" if decision.evidence else "no evidence")


def withheld(parties):
    """Count parties by group, country and what is given, and among them those withheld, by reason."""
    total, reasons = Counter(), {}
    for party in parties:
        key = (party.group, party.country, party.given)
        total[key] += 1
        decision = decide(party.profile)
        if not decision.established:
            reasons.setdefault(key, Counter())[reason(decision)] += 1
    return total, reasons


def table(parties):
    """Return the lines of the table: countries of fewer than five parties together."""
    total, reasons = withheld(parties)
    rows, merged = {}, {}
    for (group, country, given), count in total.items():
        key = (group, country if count >= 5 else "others", given if count >= 5 else "any")
        rows[key] = rows.get(key, 0) + count
        merged.setdefault(key, Counter()).update(reasons.get((group, country, given), {}))
    lines = [
        "| parties | country | number given | parties | withheld | because |",
        "|---|---|---|---|---|---|",
    ]
    for key in sorted(rows):
        why = "; ".join(f"{count} {text}" for text, count in sorted(merged[key].items()))
        lines.append(
            f"| {' | '.join(key)} | {rows[key]:,} | {share(merged[key].total(), rows[key])} | {why} |"
        )
    for group in sorted({group for group, *_ in rows}):
        count = sum(rows[key] for key in rows if key[0] == group)
        missing = sum(merged[key].total() for key in rows if key[0] == group)
        lines.append(f"| **{group}** | all | | {count:,} | {share(missing, count)} | |")
    return lines


def share(part, whole):
    return f"{part:,} ({part / whole:.1%})"


def by_name_alone(parties):
    """Return the parties with everything taken away but name, role and portal."""
    for party in parties:
        marks = frozenset(mark for mark in party.profile.marks if mark.startswith(("role:", "portal:")))
        yield party._replace(profile=Profile(party.profile.names, (), marks))


def organisations_withheld():
    """Return the table of organisations that are withheld, as the docs hold it."""
    parties = [party for party in (*tender_parties(), *lei_records()) if party.label == "org"]
    totals = [line for line in table(list(by_name_alone(parties))) if line.startswith("| **")]
    return table(parties) + [line.replace("** | all |", "** | all | name alone") for line in totals]


def parties_shown():
    """Return how many of all tender parties are shown, whatever they are."""
    total, reasons = Counter(), Counter()
    for party in tender_parties():
        role = "buyers" if {"role:buyer", "role:procuringEntity"} & party.profile.marks else "suppliers"
        total[party.country, role] += 1
        reasons[party.country, role] += decide(party.profile).established
    lines = ["| country | role | names | shown |", "|---|---|---|---|"]
    lines += [
        f"| {c} | {r} | {total[c, r]:,} | {share(reasons[c, r], total[c, r])} |" for c, r in sorted(total)
    ]
    return lines


def pace():
    """Return the mean processor time of a decision for parties of tenders and for LEI records."""
    for parties in (list(tender_parties()), list(lei_records()) * 20):
        began = time.process_time()
        for party in parties:
            decide(party.profile)
        took = (time.process_time() - began) / len(parties)
        yield f"{parties[0].group}: {took * 1e6:.0f} µs a decision"


if __name__ == "__main__":
    print("\n".join([*organisations_withheld(), "", *parties_shown(), "", *pace()]))
