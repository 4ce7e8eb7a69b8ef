"""A database that no setting names is refused; the driver would take the machine's own server for it."""

from __future__ import annotations

import pytest

from sankofa.core.errors import Refused
from sankofa.storage.postgres import connect
from sankofa.storage.reading import Reader, ReadOptions


def test_a_command_without_its_database_is_refused():
    with pytest.raises(Refused, match=r"SANKOFA_…_DSN"):
        connect("")


def test_a_server_without_its_database_is_refused():
    with pytest.raises(Refused, match=r"SANKOFA_…_DSN"):
        Reader(ReadOptions(dsn=""))
