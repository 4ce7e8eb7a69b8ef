"""Which files have an entry for each dataset, so that a new one may have to be added to them.

`python -m dev.dataset_places [folder]` counts them, in this checkout or in another one. A file counts if it
names every dataset that is sold: by SKU, package, table of facts, bulk view, table of the ledger or kind of
keys. Folders of the datasets and migrations do not count: a new dataset adds its own.
"""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from dev.stack import ROOT
from sankofa.core.dataset import Dataset
from sankofa.datasets import SKUS

_OWN = tuple(f"src/{dataset.package.replace('.', '/')}/" for dataset in SKUS.values())
_ASIDE = (*_OWN, "src/sankofa/storage/migrations/", "dev/dataset_places.py")


def _names(dataset: Dataset) -> re.Pattern[str]:
    short = dataset.name.removeprefix("AF-")
    words = [rf"(?:AF-)?{short}", re.escape(dataset.package)]
    words += [rf"ledger\.{held.table}" for held in dataset.held]
    words += [dataset.facts.name] if dataset.facts else []
    words += [bulk.view for bulk in dataset.bulk]
    kind = rf"|(['\"]){dataset.counted.kind}\1" if dataset.counted else ""
    return re.compile(rf"\b(?:{'|'.join(words)})\b{kind}")


def places(root: Path = ROOT) -> Iterator[str]:
    """Yield the files of the code that name every dataset that is sold."""
    names = [_names(dataset) for dataset in SKUS.values()]
    listed = subprocess.run(["git", "ls-files"], cwd=root, capture_output=True, text=True, check=True)
    for name in listed.stdout.splitlines():
        if name.startswith(("src/", ".importlinter")) and not name.startswith(_ASIDE):
            text = (root / name).read_text(encoding="utf-8")
            if all(one.search(text) for one in names):
                yield name


if __name__ == "__main__":
    found = list(places(Path(sys.argv[1]) if sys.argv[1:] else ROOT))
    print("\n".join([*found, f"{len(found)} files"]))
