"""What an installation does not say is refused, where guessing it would do harm."""

from __future__ import annotations

import pytest

from sankofa.core.errors import Refused
from sankofa.storage.postgres import connect
from sankofa.storage.reading import Reader, ReadOptions
from sankofa.surfaces.settings import Settings


def test_a_command_without_its_database_is_refused():
    with pytest.raises(Refused, match="no database is named"):
        connect("")


def test_a_server_without_its_database_is_refused():
    with pytest.raises(Refused, match="no database is named"):
        Reader(ReadOptions(dsn=""))


def test_an_error_in_a_setting_does_not_show_the_setting(monkeypatch):
    monkeypatch.setenv("SANKOFA_RETIRED_KEY_PEPPERS", '{"a pepper": "in a table"}')
    with pytest.raises(ValueError, match="retired_key_peppers") as caught:
        Settings()
    assert "in a table" not in str(caught.value)


@pytest.mark.parametrize("secret", ["", "fifteen bytes.."])
def test_ids_are_not_made_from_a_secret_that_can_be_guessed(secret):
    with pytest.raises(Refused, match=r"SANKOFA_INSTANCE_SECRET"):
        Settings(instance_secret=secret).secret()


@pytest.mark.parametrize("proxy", ["proxy.example.org", "10.244.0.1/16", "10.0.0.256", ""])
def test_a_proxy_is_an_address_or_a_network(proxy):
    with pytest.raises(ValueError, match="proxies"):
        Settings(proxies=[proxy])
    assert Settings(proxies=["10.0.0.5", "10.244.0.0/16", "fd00::/8"]).proxies
