"""The key goes to the service, and to nobody else: no other host, no log, no text."""

from __future__ import annotations

import logging
import traceback

import pytest

from faulty import Says, faulty
from sankofa_client import Client, SankofaError, UnsafeRedirect


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_a_redirect_to_another_host_gets_nothing(demo, key, status):
    with faulty(demo.api.url) as elsewhere:
        leads = Says(status, {"Location": f"{elsewhere.url}/v1/editions"})
        with (
            faulty(demo.api.url, leads) as server,
            Client(server.url, key=key) as client,
            pytest.raises(UnsafeRedirect, match="not sent"),
        ):
            client.editions().one()
        assert elsewhere.asked == []


def test_where_a_file_is_kept_the_key_is_not_sent(demo, key, client, tmp_path):
    file = next(each for each in client.export() if each.access == "licensed")
    location = demo.get(file.url).headers["location"]
    kept, path = location.split("/", 3)[2:]
    with faulty(f"http://{kept}") as storage:
        leads = Says(307, {"Location": f"{storage.url}/{path}"})
        with faulty(demo.api.url, leads) as server, Client(server.url, key=key) as careful:
            assert careful.download(file, tmp_path / "file").stat().st_size == file.bytes
        assert [headers.get("X-API-Key") for *_, headers in server.asked] == [key]
        ((_, _, headers),) = storage.asked
        assert not any(key in text for text in headers.values())


def test_no_text_shows_the_key(key, client, caplog):
    caplog.set_level(logging.DEBUG)
    editions = client.editions()
    shown = [repr(client), str(client), repr(editions), repr(editions.first_page), repr(client.scope)]
    with Client("http://127.0.0.1:1", key=key, timeout=0.3) as nowhere:
        for wrong in (client, nowhere):
            with pytest.raises(SankofaError) as caught:
                wrong.fundamentals("not an id").one()
            shown += [repr(caught.value), str(caught.value)]
            shown.append("".join(traceback.format_exception(caught.value)))
            assert caught.value.__cause__ is None
    assert caplog.records
    assert not any(key in text for text in [*shown, caplog.text])


def test_an_address_that_is_none_and_a_key_that_is_none_are_refused_without_showing_them():
    for address in ("api.example", "ftp://api.example", "https://me:secret@api.example", ""):
        with pytest.raises(ValueError, match="expected the address") as caught:
            Client(address)
        assert "secret" not in str(caught.value)
    with pytest.raises(ValueError, match="no key") as caught:
        Client("http://127.0.0.1:1", key="sk-secret\n")
    assert "secret" not in str(caught.value)
