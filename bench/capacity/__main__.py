"""`python -m bench.capacity`: print the section on capacity of `docs/scale.md`; `--write` puts it there."""

from __future__ import annotations

import sys

from bench.capacity.page import PAGE, section
from bench.section import replaced

if __name__ == "__main__":
    if "--write" in sys.argv[1:]:
        PAGE.write_text(replaced(PAGE.read_text(encoding="utf-8"), section()), encoding="utf-8")
    else:
        print(section())
