"""The command line without any store: settings, versions, mistyped words."""

from __future__ import annotations

import os
import socket

import pytest
from typer.testing import CliRunner

from sankofa.surfaces.cli import MODULES, app
from sankofa.surfaces.command_settings import is_required, settings_of
from sankofa.surfaces.settings_check import PAGE, variable

# Arguments with which each command would begin to work.
ARGUMENTS = {
    "bootstrap": (),
    "migrate": (),
    "ingest": ("demo-companyfacts", __file__),
    "fetch": ("za-etenders",),
    "feeds list": (),
    "feeds run": ("za-etenders",),
    "feeds pause": ("za-etenders", "--because", "a test"),
    "correct": ("sec-fsds", "00", "--fetched-at", "2024-01-01", "--because", "a test"),
    "publish": (),
    "editions": (),
    "held": (),
    "audit": (),
    "sample": (__file__,),
    "export": (),
    "tidy": (),
    "verify": (),
    "identify": ("cik:1",),
    "merge": ("DC1", "DC2", "--reason", "a test"),
    "split": ("DC1", "--reason", "a test"),
    "organisations": ("why", "cik:1"),
    "takedown": ("DC1", "--reason", "a test", "--yes"),
    "takedowns": (),
    "catch-up": (),
    "keys": ("list",),
    "follow": (),
    "serve": (),
}
# As many letters as a secret needs, and nothing that may be printed.
SECRET = "correct horse battery staple, in many bytes"


@pytest.fixture
def run(monkeypatch):
    """Run a command with these settings and no others."""
    for name in list(os.environ):
        if name.startswith("SANKOFA_"):
            monkeypatch.delenv(name)

    def act(*words, **settings):
        environment = {f"SANKOFA_{name.upper()}": value for name, value in settings.items()}
        result = CliRunner().invoke(app, [*words], env=environment)
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
        return result

    return act


def words(command):
    name, *rest = command.split()
    return (name, *(word for word in rest if word != "list"), *ARGUMENTS[command])


def test_every_command_that_needs_settings_is_tried():
    assert {command.split()[0] for command in ARGUMENTS} == MODULES.keys() - {"sources", "work", "doctor"}


@pytest.mark.parametrize("command", ARGUMENTS)
def test_a_command_lists_all_missing_settings_at_once_with_the_page(run, command):
    needed = [variable(name) for name in settings_of(command) if is_required(name)]
    result = run(*words(command))
    assert result.exit_code == 1
    assert [name for name in needed if f"{name} is not set" not in result.stderr] == []
    assert result.stderr.count("is not set") == len(needed)
    assert PAGE in result.stderr
    assert result.stdout == ""


def test_a_worker_names_all_missing_settings_of_its_duties(run):
    result = run("work", "fetch", "export", ingest_dsn="host=nowhere")
    assert result.exit_code == 1
    for name in ("S3_ENDPOINT", "S3_ACCESS_KEY", "S3_SECRET_KEY", "CONTACT", "EXPORT_DSN", "OPEN_URL"):
        assert f"SANKOFA_{name} is not set" in result.stderr
    assert "INSTANCE_SECRET" not in result.stderr


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("read_dsn", f"{SECRET}"),
        ("keys_url", f"http://:{SECRET}@host"),
        ("usage_url", SECRET),
        ("s3_endpoint", SECRET),
        ("key_pepper", SECRET[:15]),
        ("retired_key_peppers", f'["{SECRET[:15]}"'),
        ("cursor_secret", SECRET[:31]),
        ("cursor_key_id", f"{SECRET}"),
        ("tiers", f'{{"{SECRET}": {{}}}}'),
        ("hosts", SECRET),
        ("processes", SECRET),
        ("link_seconds", "0"),
    ],
)
def test_a_setting_that_cannot_be_used_is_named_and_never_shown(run, setting, value):
    result = run("serve", **{setting: value})
    assert result.exit_code == 1
    blamed = {"cursor_key_id": "cursor_secret"}.get(setting, setting)
    assert variable(blamed) in result.stderr
    assert "Traceback" not in result.stderr
    if setting != "tiers":  # names of tiers are no secret
        assert value not in result.stderr


def test_an_address_that_is_taken_is_named(run):
    settings = {
        "read_dsn": "host=nowhere",
        "keys_url": "redis://nowhere",
        "usage_url": "redis://nowhere",
        "key_pepper": SECRET,
        "cursor_secret": SECRET,
        "s3_endpoint": "http://nowhere",
        "signer_access_key": "a",
        "signer_secret_key": "b",
    }
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        result = run("serve", "--port", port, **settings)
    assert result.exit_code == 1
    assert f"cannot listen on 127.0.0.1, port {port}: Address already in use" in result.stderr


def test_the_version_is_printed(run):
    assert run("--version").stdout.split()[0] == "sankofa"


@pytest.mark.parametrize(
    ("mistyped", "meant"),
    [
        (("pubish",), "publish"),
        (("catchup",), "catch-up"),
        (("keys", "lst"), "list"),
        (("publish", "--wtch"), "--watch"),
        (("takedown", "DC1", "--raeson", "x"), "--reason"),
        (("feeds", "--chek"), "--check"),
    ],
)
def test_a_mistyped_command_or_option_is_answered_with_the_one_that_was_meant(run, mistyped, meant):
    result = run(*mistyped)
    assert result.exit_code == 2
    assert meant in result.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ("ingest", "demo-companyfacts", "/no/such/file"),
        ("ingest", "demo-companyfacts", "/"),
        ("sample", "/"),
        ("publish", "--workers", "0"),
        ("publish", "--workers", "many"),
        ("takedown", "DC1", "--reason", "x", "--fact", "no-uuid"),
        ("fetch", "za-etenders", "--from", "yesterday"),
        ("work", "sleep"),
        ("keys", "issue", "gold", "x"),
        ("serve", "--port", "99999"),
        ("serve", "--workers", "0"),
    ],
)
def test_a_wrong_argument_is_explained_without_a_traceback(run, arguments):
    result = run(*arguments)
    assert result.exit_code == 2
    assert "Usage:" in result.stderr
    assert "Traceback" not in result.stderr
