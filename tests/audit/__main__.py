"""`make audit`: run the audit; AUDIT_SIZE=small for a quick look, AUDIT_SEED to repeat a run."""

import sys
from pathlib import Path

import pytest

sys.exit(pytest.main([str(Path(__file__).parent), "-s", *sys.argv[1:]]))
