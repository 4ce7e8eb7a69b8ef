"""Who is who, computed the slow and plain way from what is stated; imports nothing of the service.

Levels from strong to weak: LEI, registry number, ISIN, FIGI, ticker, name within a country. A subject belongs
to the level of its strongest claim. There it goes with whoever makes the same (first) claim, and together
they follow the one stronger organisation that they meet, looking at their claims from strong to weak.
Hearsay, an identifier that only a third party gives to somebody, is looked at last: it counts between one who
is said to have it and one who has it, if both have the same name.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

LEVELS = ("lei", "registry", "isin", "figi", "ticker", "name")
LISTINGS = ("isin", "figi", "ticker")


@dataclass
class Stated:
    """What the newest statements about one subject claim."""

    subject: str
    claims: set[tuple[str, str]] = field(default_factory=set)  # level, key
    duplicate_of: str | None = None
    hearsay: set[str] = field(default_factory=set)  # keys
    names: set[str] = field(default_factory=set)  # without legal form

    def keys(self, level: str) -> set[str]:
        return {key for kind, key in self.claims if kind == level}

    @property
    def level(self) -> str | None:
        return next((level for level in LEVELS if self.keys(level)), None)


def survivors(stated: list[Stated], decisions: dict[str, str]) -> dict[str, str]:
    """Return for each subject the subject that stands for it."""
    by_name = {one.subject: one for one in stated}
    roots: dict[str, str] = {}
    for level in LEVELS:
        roots |= _level(level, [one for one in stated if one.level == level], by_name, dict(roots))
        if level == "lei":
            _duplicates_are_one(by_name, roots, decisions)
        if level == LISTINGS[-1]:
            _listings_of_one_name(by_name, roots)
    for subject, one in by_name.items():
        roots.setdefault(subject, subject)
        if one.duplicate_of in by_name:
            roots[subject] = one.duplicate_of
    roots |= {subject: into for subject, into in decisions.items() if subject in roots}
    return {subject: _end(subject, roots) for subject in roots}


def _level(level, members, by_name, roots):
    leaders = {}
    for one in members:
        first = min(one.keys(level))
        claimants = [other.subject for other in members if first in other.keys(level)]
        leaders[one.subject] = first if first in claimants else min(claimants)
    groups = defaultdict(list)
    for subject, leader in leaders.items():
        groups[leader].append(subject)
    shared_names = defaultdict(set)
    for subject, leader in leaders.items():
        for name in by_name[subject].keys("name"):
            shared_names[name].add(leader)
    found = {}
    for leader, group in groups.items():
        root = leader
        for kind in LEVELS:
            if kind == "name" and level == "registry":
                names = set().union(*(by_name[subject].keys("name") for subject in group))
                if any(len(shared_names[name]) > 1 for name in names):
                    continue
            met = {
                roots[other]
                for subject in group
                for other in roots
                if by_name[subject].keys(kind) & by_name[other].keys(kind)
                and not (kind == "name" and _contradict(by_name[subject], roots[other], by_name, roots))
            }
            if met:
                root = met.pop() if len(met) == 1 else leader
                break
        else:
            heard = {
                roots[other]
                for subject in group
                for other in roots
                if _is_said(by_name[subject], by_name[other])
                and not _contradict(by_name[subject], roots[other], by_name, roots)
            }
            root = heard.pop() if len(heard) == 1 else leader
        found |= dict.fromkeys(group, root)
    return found


def _is_said(one, other):
    """Whether a third party gives one an identifier that the other has, and both have the same name."""
    has = [{key for _, key in each.claims} for each in (one, other)]
    return bool(one.names & other.names and (has[0] & other.hearsay or one.hearsay & has[1]))


def _contradict(one, root, by_name, roots):
    """Tell whether two parties have different numbers in one register."""
    mine = one.keys("registry")
    kin = [subject for subject, its_root in roots.items() if its_root == root]
    theirs = set().union(*(by_name[subject].keys("registry") for subject in kin))
    return any(a != b and a.split(":")[:2] == b.split(":")[:2] for a in mine for b in theirs)


def _duplicates_are_one(by_name, roots, decisions):
    """Merge each subject with a duplicate LEI into the survivor, unless an operator decided otherwise."""
    steps = {subject: subject for subject in by_name}
    for subject in set(roots) - set(decisions):
        survivor = by_name[subject].duplicate_of
        steps[subject] = survivor if survivor in by_name else roots[subject]
    for subject in roots:
        roots[subject] = _end(subject, steps)


def _listings_of_one_name(by_name, roots):
    first = {}
    candidates = sorted({root for root in roots.values() if by_name[root].level in LISTINGS})
    for root in candidates:
        for name in by_name[root].keys("name"):
            first.setdefault(name, root)
    for subject, root in list(roots.items()):
        names = by_name[root].keys("name")
        if root in candidates and names:
            roots[subject] = first[min(names)]


def _end(subject, roots):
    seen = [subject]
    while roots[seen[-1]] != seen[-1] and roots[seen[-1]] not in seen:
        seen.append(roots[seen[-1]])
    last = seen[-1]
    if roots[last] == last:
        return last
    return min(seen[seen.index(roots[last]) :])  # a circle
