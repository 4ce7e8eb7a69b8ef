"""A party with the verdict that it must get: how the named cases of the organisation check are written."""

from __future__ import annotations

from typing import NamedTuple

from sankofa.entities.organisations import Profile

CIPC = ("registry", "ZA-CIPC", "2001/012345/07")
LEI = ("lei", "", "529900T8BM49AURSDO55")
LEI_RECORD = ("lei_record:GENERAL", "legal_form:YSP9")
CATEGORIES = ("GENERAL", "FUND", "BRANCH", "RESIDENT_GOVERNMENT_ENTITY", "INTERNATIONAL_ORGANIZATION")
BUYER = ("role:buyer", "portal:za-etenders")
SUPPLIER = ("role:supplier", "portal:za-etenders")


class Case(NamedTuple):
    """A party, whether it is shown, by which kinds of evidence, and which vetoes were found."""

    name: str
    profile: Profile
    by: tuple[str, ...]  # empty: withheld
    against: tuple[str, ...]  # kinds of vetoes, hard ones with a "!"

    def is_met_by(self, decision):
        against = {veto.kind + "!" * (veto.grade == "N_HARD") for veto in decision.vetoes}
        return (
            decision.established is bool(self.by)
            and decision.established_by == self.by
            and tuple(sorted(against)) == self.against
            and not any(found.grade.startswith("N_") for found in decision.evidence)
        )


def party(name, country, *rest, by=(), against=(), also=()):
    """Return a case; identifiers are triples, marks are texts."""
    identifiers = tuple(each for each in rest if isinstance(each, tuple))
    marks = frozenset(each for each in rest if isinstance(each, str))
    said = f"{name} {country} {' '.join(':'.join(each) for each in identifiers)} {' '.join(sorted(marks))}"
    return Case(said.strip(), Profile(((name, country), *also), identifiers, marks), by, against)


def number(issuer, value):
    return ("registry", issuer, value)
