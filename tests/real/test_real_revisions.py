"""What kind of change each changed value of the real SEC files is, against a second computation."""

from __future__ import annotations

import zipfile
from collections import Counter
from decimal import Decimal
from itertools import pairwise

import pytest

from support.real_sec import DATA

pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason=f"no real files at {DATA}; see SANKOFA_REAL_DATA")

SERVED = """
SELECT DISTINCT
    fact.service_id, fact.line_item, fact.period_start::text, fact.period_end, fact.unit, fact.vintage,
    fact.value, fact.revision, fact.passed_over IS TRUE, fact.concept, provenance.form, provenance.filing_id
FROM serving.fundamentals_fact AS fact
INNER JOIN serving.provenance AS provenance ON fact.provenance_id = provenance.provenance_id
WHERE fact.value IS NOT NULL
ORDER BY 1, 2, 3, 4, 5, 6
"""


def significant(value):
    """Return the digits of a number without leading and trailing zeros."""
    return "".join(map(str, value.as_tuple().digits)).strip("0")


def rounds_to(fine, coarse):
    """Return whether some rounding of `fine` with three digits or more gives `coarse`."""
    digits = len(significant(coarse))
    leading = coarse.adjusted()
    for kept in range(max(digits, 3), len(significant(fine))):
        unit = Decimal(1).scaleb(leading - kept + 1)
        if abs(fine - coarse) * 2 <= unit and coarse % unit == 0:
            return True
    return False


def kind(before, after):
    """Return the kind of a change between two vintages: value, concept, form, own period's end."""
    (old, concept, form, own), (new, other, changed_form, changed_own) = before, after
    if old * new > 0 and significant(old) == significant(new):
        return "rescaled"
    if rounds_to(old, new) or rounds_to(new, old):
        return "rounded"
    if concept != other:
        return "reclassified"
    if changed_form == f"{form.removesuffix('/A')}/A" and own == changed_own is not None:
        return "corrected"
    return "restated"


def stated_periods():
    """Return the period that each filing of the data sets states as its own."""
    found = {}
    for path in DATA.glob("sec-fsds/*.zip"):
        with zipfile.ZipFile(path) as archive:
            header, *lines = archive.read("sub.txt").decode("cp1252").splitlines()
            names = header.split("\t")
            for line in lines:
                row = dict(zip(names, line.split("\t"), strict=False))
                found[row["adsh"]] = row["period"]
    return found


@pytest.mark.heavy
def test_every_changed_value_is_classed_as_a_second_computation_classes_it(filers):
    own = stated_periods()
    values, counts, differing = {}, Counter(), []
    for row in filers.rows(SERVED):
        values.setdefault(row[:5], []).append(row[5:])
    for key, vintages in values.items():
        for before, after in pairwise(vintages):
            told = [
                (Decimal(value).normalize(), concept, form or "", own.get(filing))
                for _, value, _, _, concept, form, filing in (before, after)
            ]
            expected = kind(*told)
            counts[after[2]] += 1
            if after[2] != expected:
                differing.append((key, before, after, expected))
    passed_over = sum(row[3] for vintages in values.values() for row in vintages)
    print(f"{counts.total()} changed values: {dict(counts)}; passed over as roundings: {passed_over}")
    assert differing == []
    assert counts.total() > 150
    assert counts["rescaled"] > counts["rounded"] > 0
