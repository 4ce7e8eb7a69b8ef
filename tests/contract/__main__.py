"""`make contract`: prove the contract and print which lines are proven."""

import sys
from pathlib import Path

import pytest

# Two processes, each with a stack of its own: a test waits for stores as long as it computes.
sys.exit(pytest.main([str(Path(__file__).parent), "--complete", "--numprocesses", "2", "--dist", "loadfile"]))
