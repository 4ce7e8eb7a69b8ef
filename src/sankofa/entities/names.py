"""Keys of organisation names: one to decide that two names are equal, one for search."""

from __future__ import annotations

from anyascii import anyascii

from sankofa.entities.folding import words
from sankofa.entities.organisations import RULES, legal_form
from sankofa.entities.rules import CountryRules, Form, Rules, Words

__all__ = ["resolution_key", "search_key", "words"]


def _every_form(rules: Rules) -> CountryRules:
    """Return the legal forms of all countries together."""
    forms: dict[str, dict[Words, Form]] = {}
    for country in (*rules.countries.values(), rules.common):
        for last, spellings in country.forms.items():
            forms.setdefault(last, {}).update((form.words, form) for form in spellings)
    longest_first = {
        last: tuple(sorted(found.values(), key=lambda form: -len(form.words)))
        for last, found in forms.items()
    }
    return CountryRules(forms=longest_first)


_ANYWHERE = _every_form(RULES)
_LEADING = {
    phrase.words[0]
    for phrases in RULES.common.phrases.values()
    for phrase in phrases
    if phrase.kind == "weak_form"
}


def resolution_key(name: str, country: str) -> str:
    """Return a key that is equal exactly for spellings of the same name; empty if nothing is left.

    Case, accents, punctuation and the spelling of the legal form do not count: "ACME Ltd." is "Acme
    Limited". The form itself does: "Acme PLC" is another. Nothing is transliterated.
    """
    spelled = tuple("and" if word == "&" else word for word in words(name))
    form = legal_form(spelled, RULES.of(country))
    if form is None:
        return " ".join(spelled)
    return " ".join((*spelled[: len(spelled) - len(form.words)], form.canonical))


def search_key(name: str) -> str:
    """Return the words of a name in ASCII, sorted, without its legal form unless that is the whole name."""
    spelled = words(name)
    form = legal_form(spelled, _ANYWHERE)
    stem = spelled[: len(spelled) - len(form.words)] if form else spelled
    stem = stem[1:] if stem and stem[0] in _LEADING else stem
    return " ".join(sorted(word for word in words(anyascii(" ".join(stem or spelled))) if word != "&"))
