"""Write the kit of a release: `python -m tests.releases 0.1.0`."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from dev.stack import Stack
from releases import kit
from support.service import Service

with Stack.throwaway() as stack:
    service = Service(stack, "release")
    kit.fill(service)
    kit.write(service, kit.RELEASES / sys.argv[1])
    service.close()
