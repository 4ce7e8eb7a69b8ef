"""`make contract`: prove the contract and print which lines are proven."""

import sys
from pathlib import Path

import pytest

sys.exit(pytest.main([str(Path(__file__).parent), "--complete"]))
