"""Each rule of the organisation check is needed: take it away or turn it round, and a named case fails."""

from __future__ import annotations

import ast
import inspect
import types
from dataclasses import fields, replace

import pytest

from sankofa.entities import organisations
from sankofa.entities.rules import NOTHING, read, shipped
from support.mutation import mutants
from support.organisation_cases import CASES, SHOWN_AS_FORMER, WITHHELD_AS_FORMER

pytestmark = pytest.mark.heavy
RULES = organisations.RULES
SOURCE = inspect.getsource(organisations)
OTHER_GRADE = {"N_HARD": "N_SOFT", "N_SOFT": "B", "B": "A5", "A5": "B"}


def is_noticed(check, rules=RULES):
    """Tell whether a named case fails; an error is a failure too."""
    try:
        return not (
            all(case.is_met_by(check.decide(case.profile, rules)) for case in CASES)
            and all(is_shown(check, case, rules) for case in SHOWN_AS_FORMER)
            and not any(is_shown(check, case, rules) for case in WITHHELD_AS_FORMER)
        )
    except Exception:
        return True


def is_shown(check, case, rules):
    """Return whether the name of a case may be shown as a former name."""
    return check.may_serve_as_former_name(check.decide(case.profile, rules))


def compiled(tree):
    module = types.ModuleType("mutated_organisations")
    exec(compile(tree, "mutated_organisations", "exec"), module.__dict__)
    return module


def everywhere(change):
    """Return the rules with the rules of every country changed."""
    countries = {country: change(local) for country, local in RULES.countries.items()}
    return replace(RULES, common=change(RULES.common), countries=countries)


def kept(table, change):
    """Return a table of tuples with each entry changed, or dropped where nothing comes back."""
    return {key: tuple(new for old in group if (new := change(old))) for key, group in table.items()}


def with_phrases(chosen, change):
    return everywhere(
        lambda local: replace(
            local, phrases=kept(local.phrases, lambda old: change(old) if old[1:] == chosen else old)
        )
    )


def with_forms(change):
    return everywhere(lambda local: replace(local, forms=kept(local.forms, change)))


def with_scheme(scheme, **changes):
    aliases = [name for name, other in RULES.schemes.items() if other[1:] == scheme[1:]]
    return replace(RULES, schemes={**RULES.schemes, **{name: scheme._replace(**changes) for name in aliases}})


def tables_emptied():
    for field in fields(RULES):
        if isinstance(getattr(RULES, field.name), frozenset):
            yield f"{field.name} empty", replace(RULES, **{field.name: frozenset()})
    for name in ("person_issuers", "patronymic"):
        yield f"{name} never matches", replace(RULES, **{name: NOTHING})
    yield "no public bodies", everywhere(lambda local: replace(local, public_bodies=frozenset()))
    yield "no numbers of persons", everywhere(lambda local: replace(local, person_numbers=()))


def phrases_changed():
    locals_ = RULES.countries.values()
    groups = {phrase[1:] for local in locals_ for group in local.phrases.values() for phrase in group}
    for group in sorted(groups):
        other = OTHER_GRADE[group[1]]
        yield f"phrases {group} dropped", with_phrases(group, lambda _: None)
        yield f"phrases {group} as {other}", with_phrases(group, lambda old, to=other: old._replace(grade=to))
        if group[2] != "any":
            yield f"phrases {group} anywhere", with_phrases(group, lambda old: old._replace(position="any"))


def forms_changed():
    yield "no strong forms", with_forms(lambda form: None if form.is_strong else form)
    yield "no weak forms", with_forms(lambda form: form if form.is_strong else None)
    yield "all forms strong", with_forms(lambda form: form._replace(is_strong=True))
    yield "all forms weak", with_forms(lambda form: form._replace(is_strong=False))


def registers_changed():
    for scheme in {scheme[1:]: scheme for scheme in RULES.schemes.values()}.values():
        for pattern in ("companies", "persons", "unverified"):
            if getattr(scheme, pattern) is not NOTHING:
                yield f"{scheme.issuer}: no {pattern}", with_scheme(scheme, **{pattern: NOTHING})
        swapped = {"companies": scheme.persons, "persons": scheme.companies}
        if swapped["companies"] is not swapped["persons"]:
            yield f"{scheme.issuer}: persons as companies", with_scheme(scheme, **swapped)
        if scheme.is_valid is not bool:
            yield f"{scheme.issuer}: check digit ignored", with_scheme(scheme, is_valid=bool)


def files_missing():
    files = shipped()
    for name in sorted(files.keys() - {"common.toml"}):
        yield f"{name} missing", read({other: text for other, text in files.items() if other != name})


def test_the_named_cases_hold_for_the_code_and_the_rules_as_they_are():
    assert not is_noticed(organisations)
    assert not is_noticed(compiled(ast.parse(SOURCE)))


def test_every_mutant_of_the_code_is_noticed():
    made = [(name, compiled(tree)) for name, tree in mutants(SOURCE, OTHER_GRADE)]
    survived = [name for name, check in made if not is_noticed(check)]
    print(f"mutants of the code: {len(made) - len(survived)} of {len(made)} noticed")
    assert survived == []


def test_every_mutant_of_the_rules_is_noticed():
    kinds = (tables_emptied, phrases_changed, forms_changed, registers_changed, files_missing)
    made = [mutant for kind in kinds for mutant in kind()]
    survived = [name for name, rules in made if not is_noticed(organisations, rules)]
    print(f"mutants of the rules: {len(made) - len(survived)} of {len(made)} noticed")
    assert survived == []
