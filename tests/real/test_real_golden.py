"""Golden statements: what filers print, read by code that shares nothing with the map, beside what is served.

`docs/golden.md` holds the tables, and `agreement.toml` what quality serves of them. `GOLDEN_PAGE=write` with
this file writes both anew.
"""

from __future__ import annotations

import os
from collections import Counter, defaultdict

import pytest

from golden import data_sets
from golden.agreement import agrees, compare, count, table
from golden.kept import explained, issuers, statements
from sankofa.fundamentals.agreement import Agreement, written
from sankofa.fundamentals.line_items import load_map, map_version
from support.real_sec import DATA, REPOSITORY, SECOND

pytestmark = [
    pytest.mark.skipif(
        not (DATA.is_dir() and SECOND.is_dir()), reason=f"no real files at {DATA}; see SANKOFA_REAL_DATA"
    ),
    pytest.mark.heavy,
    pytest.mark.timeout(7200),
]
PAGE = REPOSITORY / "docs" / "golden.md"
MARK = "<!-- {}: made by tests/real/test_real_golden.py -->"
TRIES = 20
FLOOR = 0.995
MEASURED = REPOSITORY / "src" / "sankofa" / "fundamentals" / "agreement.toml"
COMMAND = "GOLDEN_PAGE=write .venv/bin/python -m pytest tests/real/test_real_golden.py"
MUST_BE_FOUND = (
    "revenue",
    "net_income",
    "net_income_attributable_to_parent",
    "equity",
    "total_assets",
    "operating_cash_flow",
    "borrowings",
)


@pytest.fixture(scope="module")
def pairs(companies):
    """Return each golden number with the served row of its day."""
    golden = defaultdict(list)
    for one in statements():
        golden[one["cik"]].append(one)
    found = []
    for cik, numbers in golden.items():
        found += compare(numbers, _answers(companies, cik))
    return found


def _answers(service, cik):
    """Return all vintages of an issuer's line items, over HTTP."""
    service_id = service.id_of(f"cik:{cik}")
    rows, asked = [], {"vintages": "all"}
    while asked is not None:
        for _ in range(TRIES):  # a busy machine may answer 503
            response = service.get(f"/v1/fundamentals/{service_id}", **asked)
            if response.status_code != 503:
                break
        assert response.status_code == 200, (cik, asked, response.text)
        answer = response.exact
        rows += answer["data"]
        asked = {"cursor": answer["next_cursor"]} if answer["next_cursor"] else None
    return rows


def _keep(name, text):
    """Check a table on the page, or write it there."""
    first, last = MARK.format(name), MARK.format(f"end of {name}")
    before, _, rest = PAGE.read_text().partition(first)
    held, _, after = rest.partition(last)
    print(text)
    if os.environ.get("GOLDEN_PAGE") == "write":
        PAGE.write_text(f"{before}{first}\n\n{text}\n\n{last}{after}")
    else:
        assert held.strip() == text


def test_the_golden_statements_are_of_many_kinds_of_filers():
    kinds = Counter(kind for _, kind in issuers().values())
    assert sum(kinds.values()) >= 60
    assert len(kinds) >= 7
    assert {one["cik"] for one in statements()} == set(issuers())


def test_what_is_served_agrees_with_the_golden_statements(pairs):
    same = sum(agrees(one, row) for one, row in pairs)
    print(f"{same:,} of {len(pairs):,} golden numbers agree: {same / len(pairs):.4%}")
    assert len(pairs) > 10_000
    assert same >= FLOOR * len(pairs)


def test_every_difference_is_explained_and_every_explanation_is_needed(pairs):
    differences = Counter()
    for one, row in pairs:
        if not agrees(one, row):
            differences[one["cik"], one["item"], one["accession"]] += 1
            served = row and (row["value_reported"], row["concept"], row["period_end"])
            print("differs:", ",".join(one.values()), "served:", served)
    assert differences == {key: number for key, (number, _) in explained().items()}


def test_the_page_holds_the_agreement_by_item_and_by_kind(pairs):
    _keep("by item", table("line item", count(pairs, "item")))
    _keep("by kind", table("kind of filer", count(pairs, "kind")))


def test_quality_serves_the_agreement_that_was_measured(pairs):
    same = sum(agrees(one, row) for one, row in pairs)
    version = map_version(load_map())
    found = written(Agreement(map_version=version, agreed=same, compared=len(pairs), command=COMMAND))
    if os.environ.get("GOLDEN_PAGE") == "write":
        MEASURED.write_text(found)
    assert MEASURED.read_text() == found


def test_what_filers_state_is_found_for_nearly_all_of_them(companies):
    """Of every filer in the data sets, by the same reading."""
    held = {
        (identifier.removeprefix("cik:"), line_item)
        for identifier, line_item in companies.rows(
            "SELECT DISTINCT subject.identifier, fact.line_item FROM serving.fundamentals_fact AS fact"
            " JOIN serving.issued_id AS answering ON answering.resolves_to = fact.service_id"
            " JOIN ops.issued_id AS issued ON issued.service_id = answering.service_id"
            " JOIN ledger.subject AS subject ON subject.subject_id = issued.subject_id"
            " WHERE fact.superseded_in = 2147483647"
        )
    }
    stating = defaultdict(set)
    for one in data_sets.stated(sorted(DATA.glob("sec-fsds/*.zip"))):
        stating[one.item].add(one.cik)
    counted = {
        item: (len(filers), sum((cik, item) in held for cik in filers))
        for item, filers in sorted(stating.items())
    }
    lines = ["| line item | filers that state it | found | share |", "|---|---:|---:|---:|"]
    lines += [
        f"| {item} | {filers} | {found} | {found / filers:.1%} |" for item, (filers, found) in counted.items()
    ]
    _keep("all filers", "\n".join(lines))
    for item in MUST_BE_FOUND:
        filers, found = counted[item]
        assert found >= 0.99 * filers, item
