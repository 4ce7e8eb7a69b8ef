"""The shape of the SQL: each shared rule is written once, and no text of a statement is edited."""

from __future__ import annotations

import re

from support.repository import files, told

LINTED_BYTES = 20_000  # sqruff says SKIP of longer files, and passes
RULES = "src/sankofa/storage/fragments.sql"
FRAGMENT = re.compile(
    r"^-- (?:fragment|columns|order): (\w+)\(.*?(?=^-- (?:name|fragment|columns|order): |\Z)",
    re.MULTILINE | re.DOTALL,
)
# Which rows an edition holds, which rows are live: whoever asks calls a fragment.
PIN = re.compile(r"superseded_in\s*(?:>|=\s*2147483647)")
# What was known on a day: the end of a span, compared with a day that was asked for.
AS_OF = re.compile(r"(?:known_until|withdrawn_at|labelled_until|valid_to)\s*(?:>=?|<=)\s*(?:%\(|\w+\.month)")
# Replacing fields of a date has names; replacing text has none.
EDITED = re.compile(r"\w+(?<!structs)\.replace\((?!\w+=)")


def sources(*suffixes):
    return {
        told(path): path.read_text(encoding="utf-8")
        for path in files()
        if told(path).startswith("src/") and path.suffix in suffixes and "migrations" not in path.parts
    }


def statements(text):
    """Return a text without the fragments that it declares."""
    return FRAGMENT.sub("", text)


def found(pattern, texts):
    return [f"{name}: {match[0]}" for name, text in texts.items() for match in pattern.finditer(text)]


def test_the_edition_pin_is_written_once():
    texts = sources(".sql", ".py")
    assert len(found(PIN, {RULES: texts.pop(RULES)})) == 2
    assert found(PIN, texts) == []


def test_what_was_known_on_a_day_is_asked_by_fragments_only():
    texts = {name: statements(text) for name, text in sources(".sql", ".py").items()}
    assert found(AS_OF, texts) == []


def test_no_text_of_a_statement_is_edited():
    loading = {
        name: text for name, text in sources(".py").items() if "sankofa.storage.queries import" in text
    }
    assert len(loading) > 40
    assert found(EDITED, loading) == ["src/sankofa/signals/publish.py: key.replace("]


def test_every_shared_fragment_is_called():
    texts = sources(".sql")
    shared = {name: text for name, text in texts.items() if name.endswith("/fragments.sql")}
    assert RULES in shared
    for name, text in shared.items():
        package = name.rsplit("/", 1)[0] if name != RULES else "src/"
        callers = " ".join(text for caller, text in texts.items() if caller.startswith(package))
        uncalled = [one for one in FRAGMENT.findall(text) if f"fragment.{one}(" not in callers]
        assert uncalled == [], name


def test_no_file_is_so_long_that_the_linter_skips_it():
    lengths = {told(path): path.stat().st_size for path in files() if path.suffix == ".sql"}
    assert lengths
    assert {name: length for name, length in lengths.items() if length >= LINTED_BYTES} == {}
