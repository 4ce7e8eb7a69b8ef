"""The docs agree with the code and with each other."""

from __future__ import annotations

import gc
import json
import re

import yaml

from dev import (
    api_answers,
    api_pages,
    architecture_picture,
    datasets_page,
    limits_page,
    line_items_page,
    problem_pages,
)
from dev.api_calls import calls, document
from dev.reference import METRICS_PAGE, QUALITY_PAGE, SETTINGS_PAGE, settings_page
from sankofa.drift.bounds import BOUNDS
from sankofa.drift.judge import WORDS
from sankofa.metrics.pages import methodology_page
from sankofa.quality.pages import quality_page
from sankofa.surfaces.cli import MODULES
from sankofa.web.problems import Problem
from support.repository import ROOT, files, told

LINK = re.compile(r"\]\((?![a-z]+:)([^)#\s]*)(?:#([^)\s]+))?\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
NAMED = re.compile(r" \{ #(\w+) \}$")


def pages():
    return [path for path in files() if path.suffix == ".md"]


def anchors(page):
    """Return what a heading is called in an address: lower case, without punctuation, spaces as dashes."""
    headings = HEADING.findall(page.read_text(encoding="utf-8"))
    return {
        named[1]
        if (named := NAMED.search(heading))
        else re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")
        for heading in headings
    }


def broken(page):
    for name, anchor in LINK.findall(page.read_text(encoding="utf-8")):
        target = (page.parent / name).resolve() if name else page
        if not target.exists() or (anchor and anchor not in anchors(target)):
            yield f"{told(page)}: {name}#{anchor}"


def test_relative_links_resolve():
    assert [link for page in pages() for link in broken(page)] == []


def test_a_block_of_code_says_its_language_in_one_word():
    """The site's renderer takes anything more for prose."""
    fences = re.compile(r"^ *```(?!\w*$).*$", re.MULTILINE)
    assert [
        (told(page), found) for page in pages() for found in fences.findall(page.read_text("utf-8"))
    ] == []


def test_the_page_on_settings_is_in_step_with_the_settings():
    assert SETTINGS_PAGE.read_text(encoding="utf-8") == settings_page(), "run: python -m dev settings"


def test_the_page_on_metrics_is_in_step_with_the_formulas():
    assert METRICS_PAGE.read_text(encoding="utf-8") == methodology_page(), "run: python -m dev metrics"


def test_the_page_on_quality_is_in_step_with_the_measures():
    assert QUALITY_PAGE.read_text(encoding="utf-8") == quality_page(), "run: python -m dev quality"


def test_the_page_on_limits_is_in_step_with_the_limits():
    assert limits_page.PAGE.read_text(encoding="utf-8") == limits_page.limits_page(), (
        "run: python -m dev limits"
    )


def test_the_page_on_datasets_is_in_step_with_their_declarations():
    assert datasets_page.PAGE.read_text(encoding="utf-8") == datasets_page.datasets_page(), (
        "run: python -m dev datasets"
    )


def test_the_page_on_line_items_is_in_step_with_the_map():
    assert line_items_page.PAGE.read_text(encoding="utf-8") == line_items_page.line_items_page(), (
        "run: python -m dev line_items"
    )


def test_the_api_reference_is_in_step_with_the_openapi_page():
    wanted = api_pages.pages(api_answers.kept())
    held = {page.name: page.read_text(encoding="utf-8") for page in api_pages.FOLDER.iterdir()}
    assert held == wanted, "run: python -m dev api"


def test_the_api_reference_has_every_operation():
    operations = {item["get"]["operationId"] for item in document()["paths"].values()}
    assert {call.name for call in calls()} == operations, "see dev/api_examples.toml"


def test_the_picture_of_the_architecture_is_in_step_with_its_text():
    assert architecture_picture.PICTURE.read_text(encoding="utf-8") == architecture_picture.svg(), (
        "run: python -m dev picture"
    )


def test_the_page_on_commands_lists_every_command():
    page = (ROOT / "docs" / "operations" / "commands.md").read_text(encoding="utf-8")
    assert [name for name in MODULES if f"`sankofa {name}`" not in page] == []


def names_of(operation):
    """Return the parameters and the fields of an operation's rows, at any depth."""
    schemas = document()["components"]["schemas"]
    content = operation["responses"]["200"]["content"]["application/json"]["schema"]
    found = {each["name"] for each in operation["parameters"] if "name" in each}
    open_references, seen = re.findall(r"schemas/(\w+)", json.dumps(content)), set()
    while open_references:
        name = open_references.pop()
        if name not in seen:
            seen.add(name)
            found |= set(schemas[name]["properties"])
            open_references += re.findall(r"schemas/(\w+)", json.dumps(schemas[name]))
    return found


def test_the_table_of_words_that_differ_names_fields_that_there_are():
    page = (ROOT / "docs" / "concepts" / "glossary.md").read_text(encoding="utf-8")
    rows = re.findall(
        r"^\|[^|]*\| (`.*?) \| (.+?) \|.*\|$", page.partition("## Words that differ")[2], re.MULTILINE
    )
    assert len(rows) > 20
    operations = {item["get"]["operationId"]: item["get"] for item in document()["paths"].values()}
    wrong = [
        (name, operation)
        for names, places in rows
        for name in re.findall(r"`(\w+)`", names)
        for operation in places.split(", ")
        if name not in names_of(operations[operation])
    ]
    assert wrong == []


def test_every_problem_has_a_page_in_step_with_the_code():
    wanted = problem_pages.pages()
    held = {page.name: page.read_text(encoding="utf-8") for page in problem_pages.FOLDER.iterdir()}
    assert held == wanted, "run: python -m dev problems"
    known = {each.code for each in gc.get_objects() if isinstance(each, Problem)}
    assert {each.code for each in problem_pages.all_problems()} == known


def test_every_page_of_the_site_has_its_place_in_the_navigation():
    docs = ROOT / "docs"
    site = yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))
    placed = set(re.findall(r"[\w/-]+\.md", json.dumps(site["nav"])))
    # Records of decisions and problems are found from their lists.
    listed = {str(page.relative_to(docs)) for page in pages() if page.is_relative_to(docs)}
    assert {name for name in listed if not re.match(r"(?:adr|problems)/(?!README|index)", name)} == placed


def test_the_changelog_has_room_for_what_comes():
    assert re.search(
        r"^## \[Unreleased\]$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE
    )


def test_the_page_on_holds_lists_every_bound():
    page = (ROOT / "docs" / "operations" / "held.md").read_text(encoding="utf-8")
    rows = [
        f"| {dataset} | {WORDS[movement]} | {bound.least:,} | {float(bound.share):.0%} | {bound.why} |"
        for dataset, bounds in BOUNDS.items()
        for movement, bound in bounds.movements.items()
    ]
    rows += [
        f"| {dataset} | {float(bounds.tolerance):.0%} | {bounds.fewest_rows:,} |"
        for dataset, bounds in BOUNDS.items()
    ]
    assert [row for row in rows if row not in page] == []
