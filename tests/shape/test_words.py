"""The README and the docs are free of sentences that readers could not understand at first sight."""

from __future__ import annotations

import re

from support.repository import ROOT, files, told

# Each was written here once, and was not understood. The plain sentence that replaced it names its subject.
RIDDLES = """
as a caller's would be taken
elsewhere, install that
explore as this edition answers
holds it goes with whom it names
is told by its neighbours
lets messages in
met before, each at once and for everybody
nobody found
none of nothing is not measured
on a name that says nothing
one that speaks is replaced
order is total and stands with its endpoint
read it so:
say what the party's numbers tell
shared a claim that was given up
speaks the protocol lives until it is left
the answer itself would tell
the api gives the same for this day
there is none of has no dates
take a request for nobody
tell whether
what stands for none
which id has the company
who names several asks for none
whoever asks for thousands
whose release day nobody evidences
with something left of its limits
""".strip().splitlines()


def prose():
    return [
        path
        for path in files()
        if path == ROOT / "README.md"
        or (path.is_relative_to(ROOT / "docs") and path.suffix in {".md", ".txt", ".html"})
    ]


def riddles_in(text):
    plain = re.sub(r"\s+", " ", text).lower()
    return [riddle for riddle in RIDDLES if riddle in plain]


def test_no_page_has_a_riddle():
    found = [
        (told(page), riddle) for page in prose() for riddle in riddles_in(page.read_text(encoding="utf-8"))
    ]
    assert found == []


def test_a_riddle_is_found_across_lines_and_in_any_case():
    assert riddles_in("Whoever asks\n  for thousands of answers should take files.") == [
        "whoever asks for thousands"
    ]
