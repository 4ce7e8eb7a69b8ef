"""Read the golden statements from the real files again: `python -m tests.golden`."""

from __future__ import annotations

import csv
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from golden import company_facts, data_sets  # noqa: E402
from golden.kept import COLUMNS, HEADLINES, STATEMENTS, issuers  # noqa: E402
from support.real_sec import DATA, company_files  # noqa: E402


def rows():
    """Yield the headline numbers of the chosen issuers, sorted."""
    kinds = issuers()
    found = [*data_sets.stated(sorted(DATA.glob("sec-fsds/*.zip")))]
    for path in company_files():
        found += company_facts.stated(path)
    chosen = {one for one in found if one.cik in kinds and one.item in HEADLINES}
    for one in sorted(chosen):
        name, kind = kinds[one.cik]
        yield [one.cik, name, kind, *one[2:]]


def main():
    """Write `statements.csv`."""
    with STATEMENTS.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(rows())


if __name__ == "__main__":
    main()
