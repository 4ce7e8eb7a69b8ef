"""KEY-18: who decided about a key or ordered a takedown is recorded, and never served."""

from __future__ import annotations

import getpass
import json

import pytest
from typer.testing import CliRunner

from sankofa.storage.postgres import InsufficientPrivilege
from sankofa.surfaces.cli import app
from support.command import sankofa
from support.filings import Filer

pytestmark = pytest.mark.proves("KEY-18")
AMINA, KOFI, SHOP = "amina.unlikely", "kofi.unlikely", "shop.unlikely"


@pytest.fixture(autouse=True)
def no_operator(monkeypatch):
    for name in ("SANKOFA_OPERATOR", "SUDO_USER"):
        monkeypatch.delenv(name, raising=False)


def history(service, key_id):
    decisions = json.loads(sankofa(service, "keys", "history", key_id, "--json"))
    return [(decision["kind"], decision["operator"]) for decision in decisions]


def issued(service, *options):
    return json.loads(sankofa(service, "keys", "issue", "starter", "a customer", "--json", *options))


def kept(service, subject):
    """Return the operators that the objects of the journal in S3 have."""
    [[instance]] = service.rows("SELECT instance_id::text FROM ops.instance")
    names = [name for name in service.journal.keys("") if instance in name and subject in name]
    return sorted(json.loads(service.journal.fetch(name))["operator"] for name in names)


def test_every_decision_about_a_key_names_who_made_it(service, monkeypatch):
    first = issued(service, "--as", SHOP)
    assert set(first) == {"key", "key_id", "is_live"}
    monkeypatch.setenv("SUDO_USER", KOFI)
    sankofa(service, "keys", "tier", first["key_id"], "professional")
    monkeypatch.setenv("SANKOFA_OPERATOR", AMINA)
    second = json.loads(sankofa(service, "keys", "rotate", first["key_id"], "--json"))
    sankofa(service, "keys", "revoke", first["key_id"], "--as", SHOP)
    expected = [("issued", SHOP), ("tier_changed", KOFI), ("rotated", AMINA), ("revoked", SHOP)]
    assert history(service, first["key_id"]) == expected
    assert history(service, second["key_id"]) == [("issued", AMINA)]
    listed = json.loads(sankofa(service, "keys", "list", "--json"))
    assert [(key["issued_by"], key["changed_by"]) for key in listed] == [(SHOP, SHOP), (AMINA, AMINA)]
    assert f"  {SHOP}  a customer" in sankofa(service, "keys", "list")
    assert f"revoked       professional  {SHOP}" in sankofa(service, "keys", "history", first["key_id"])
    assert kept(service, "keys") == sorted([SHOP, KOFI, AMINA, AMINA, SHOP])


def test_without_a_name_the_login_is_recorded(service):
    assert history(service, issued(service)["key_id"]) == [("issued", getpass.getuser())]


@pytest.mark.parametrize("name", ["a\nb", "x" * 101, " "])
def test_a_name_that_cannot_be_printed_is_refused(service, name):
    arguments = ["keys", "issue", "starter", "a customer", "--as", name]
    result = CliRunner().invoke(app, arguments, env=service.installation.environment)
    assert result.exit_code == 1
    assert "1 to 100 printable characters" in result.output
    assert service.rows("SELECT count(*) FROM ops.key_event") == [(0,)]


def test_a_takedown_names_who_ordered_it_and_no_answer_does(service):
    filer = Filer(1).says(100, filed="2024-02-01")
    service.ingest(filer.document(), Filer(2).says(1, filed="2024-02-01").document())
    service.publish()
    service_id = service.id_of(filer.identifier)
    sankofa(service, "takedown", service_id, "--reason", "court order", "--yes", "--as", AMINA)
    [record] = json.loads(sankofa(service, "takedowns", "--json"))
    assert (record["takedown"], record["target"], record["operator"]) == (1, service_id, AMINA)
    assert AMINA in sankofa(service, "takedowns")
    assert kept(service, "takedowns") == [AMINA]
    service.await_edition(service.publish().edition)
    for path in ("/v1/editions", "/v1/changes", "/v1/catalog", "/v1/status"):
        assert AMINA not in service.get(path).text


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT operator FROM ops.key_event",
        "SELECT operator FROM ledger.takedown",
        "SELECT operator FROM ops.takedown_order",
        "SELECT * FROM ops.usage_day",
        "SELECT * FROM ops.usage_tally",
    ],
)
def test_the_role_of_the_api_reads_neither_operators_nor_usage(service, statement):
    with service.connect("read") as connection, pytest.raises(InsufficientPrivilege):
        connection.execute(statement)
