"""Plain words: no riddles in prose, docstrings that say what is returned or done, names of the job.

Write as the documentation of a database does. A function returns, raises, reads or inserts. A value is
`params`, `values`, `message` or `record`. The lists are what reviewers stumbled over.
"""

from __future__ import annotations

import ast
import re
import tokenize
from functools import cache

import pytest

from support.repository import files, told

# Sentences that nobody understood at first reading, by the words that give them away.
RIDDLES = (
    "what holds it goes with whom it names",
    "none of nothing is not measured",
    "request for nobody",
    "who names several asks for none",
    "what there is none of has",
    "numbers tell",
    "one that speaks is replaced",
    "shared a claim that was given up",
    "what speaks the protocol lives until it is left",
    "something left of its limits be answered",
    "handles to subjects",
    "this can be the World Bank's code",
    "Take back a build that stopped",
    "be complete before a takedown looks",
    "Ask one server where it stands",
    "Which id has the company",
    "It is the package in",
    "should take files",
    "Read it so",
    "Every order is total and stands",
    "release day nobody evidences",
    "gives the same for this day",
    "Explore as this edition answers",
    "Nobody found",
)
READ = ("src/", "explorer/src/", "docs/", "README.md")

# A docstring that begins so does not say what is returned or done.
VAGUE = {"Tell", "Say", "Let", "Take", "Give", "Know", "Speak", "Hear"}
USUAL = ("Take the shared ", "Take down ")  # a lock is taken, and a takedown is our own word

BANNED = {
    *("told", "tell", "tells", "say", "says", "said", "know", "knows", "knew", "shown", "stated", "asked"),
    *("heard", "speak", "speaks", "stand", "stands"),
}
# By name, where it may be used and why it stays.
KEPT = {
    "stated_at": ("src/sankofa/", "a column of ledger.organisation_record, and of records made for it"),
    "stated_before": ("src/sankofa/entities/", "a table of the schema build"),
    "stated": ("src/sankofa/macro/", "a column of ledger.snapshot"),
    "tell": ("src/sankofa/ingest/", "the method of Python's files"),
}

PARTS = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z0-9]+")
DIRECTIVE = re.compile(r"\s*-- (?:name|fragment|columns|order|each): ")
LITERAL = re.compile(r"'[^']*'")


@cache
def sources(suffix):
    listed = (path for path in files() if path.suffix == suffix and told(path).startswith("src/"))
    return [path for path in listed if "migrations" not in path.parts]


def names_in_python(path):
    with path.open(encoding="utf-8") as file:
        return {
            token.string for token in tokenize.generate_tokens(file.readline) if token.type == tokenize.NAME
        }


def names_in_sql(path):
    """Return the words of the statements, without comments and literals, and those of the declarations."""
    found = set()
    for line in path.read_text(encoding="utf-8").splitlines():
        code = line if DIRECTIVE.match(line) else line.partition("--")[0]
        found.update(re.findall(r"\w+", LITERAL.sub("", code)))
    return found


def is_banned(name):
    return not BANNED.isdisjoint(part.lower() for part in PARTS.findall(name))


def is_kept(name, path):
    return name in KEPT and told(path).startswith(KEPT[name][0])


def banned():
    for suffix, names in ((".py", names_in_python), (".sql", names_in_sql)):
        for path in sources(suffix):
            for name in filter(is_banned, names(path)):
                yield name, path


def docstrings(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield ast.get_docstring(node) or ""


def test_no_riddle_is_left():
    read = [path for path in files() if told(path).startswith(READ) and path.suffix not in {".gz", ".png"}]
    assert len(read) > 500
    texts = {told(path): " ".join(path.read_text(encoding="utf-8").split()) for path in read}
    assert [(name, riddle) for name, text in texts.items() for riddle in RIDDLES if riddle in text] == []


def test_a_docstring_says_what_is_returned_or_done():
    vague = [
        f"{told(path)}: {text.splitlines()[0]}"
        for path in sources(".py")
        for text in docstrings(path)
        if text and text.split()[0].strip(",:;") in VAGUE and not text.startswith(USUAL)
    ]
    assert vague == []


def test_names_are_words_of_the_job():
    assert sorted(f"{told(path)}: {name}" for name, path in banned() if not is_kept(name, path)) == []


@pytest.mark.parametrize("name", KEPT)
def test_an_exception_is_still_needed(name):
    assert name in {found for found, path in banned() if is_kept(found, path)}


@pytest.mark.parametrize(
    ("name", "expected"),
    [("told", True), ("_Stated", True), ("is_asked", True), ("known_until", False), ("understand", False)],
)
def test_a_name_is_judged_by_its_parts(name, expected):
    assert is_banned(name) is expected
