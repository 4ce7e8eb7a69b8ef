"""What each S3 identity of a deployment can do to the archive and to files, tried on a real S3."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import obstore
import pytest
from obstore.exceptions import BaseError
from typer.testing import CliRunner

from sankofa.storage.objects import ObjectOptions, Objects
from sankofa.surfaces.cli import app
from support.filings import Filer

DOCUMENT = "documents/aa/seed"
RECORD = "instances/x/highest-edition"
FILE = "file"
KEY_EVENT, TAKEDOWN = "keys/x/0000000001-y", "takedowns/x/0000000001-y"
BUCKETS = ("documents", "open-panels", "licensed", "journal")
FILES = BUCKETS[1:3]
# By identity: the acts that succeed. Every other act is refused.
ALLOWED = {
    "adder": {("add", "documents", DOCUMENT), ("read", "documents", DOCUMENT)},
    "publisher": {
        ("read", "documents", DOCUMENT),
        ("read", "documents", RECORD),
        ("add", "documents", RECORD),
        ("read", "open-panels", FILE),
        ("read", "licensed", FILE),
        ("delete", "licensed", FILE),
        ("list", "licensed", ""),
        ("add", "journal", TAKEDOWN),
        ("list", "journal", ""),
    },
    "exporter": {(act, bucket, FILE) for act in ("add", "read", "delete") for bucket in FILES}
    | {("list", bucket, "") for bucket in FILES},
    "keeper": {("add", "journal", KEY_EVENT), ("add", "journal", TAKEDOWN), ("list", "journal", "")},
    "restorer": {
        ("read", "documents", DOCUMENT),
        ("add", "documents", DOCUMENT),
        ("list", "documents", ""),
        ("read", "journal", KEY_EVENT),
        ("read", "journal", TAKEDOWN),
        ("list", "journal", ""),
    },
    "reader": {
        ("read", "documents", DOCUMENT),
        ("read", "documents", RECORD),
        ("read", "open-panels", FILE),
        ("read", "licensed", FILE),
    },
    "signer": {("read", "licensed", FILE)},
}
PLACES = (
    ("documents", DOCUMENT),
    ("documents", RECORD),
    ("open-panels", FILE),
    ("licensed", FILE),
    ("journal", KEY_EVENT),
    ("journal", TAKEDOWN),
)


@pytest.fixture(scope="module")
def s3(stack):
    shell = [Path(sys.executable).with_name("weed"), "shell"]
    ports = stack.s3.ports
    subprocess.run(
        [*shell, f"-master=127.0.0.1:{ports['master']}.{ports['master_grpc']}"],
        input=b"s3.bucket.versioning -name documents -enable\n",
        check=True,
        capture_output=True,
    )
    return stack.s3


def succeeds(act, store, key):
    acts = {
        "add": lambda: obstore.put(store, key, b"new"),
        "read": lambda: obstore.get(store, key).bytes(),
        "delete": lambda: obstore.delete(store, key),
        "list": lambda: list(obstore.list(store)),
    }
    try:
        acts[act]()
    except (BaseError, OSError):
        return False
    return True


@pytest.mark.parametrize("identity", ALLOWED)
def test_an_identity_does_its_duty_and_nothing_else(s3, identity):
    done = set()
    for act in ("read", "add", "delete", "list"):
        for bucket, key in PLACES if act != "list" else [(bucket, "") for bucket in BUCKETS]:
            if key:
                obstore.put(s3.store(bucket), key, b"as it was")
            if succeeds(act, s3.store(bucket, identity=identity), key):
                done.add((act, bucket, key))
    assert done == ALLOWED[identity]


def test_documents_are_added_once_and_in_parts_under_the_identity_of_fetch(s3, tmp_path):
    access, secret = s3.keys_of("adder")
    options = ObjectOptions(endpoint=s3.endpoint, bucket="documents", access_key=access, secret_key=secret)
    adder, owner = Objects(options), Objects(_as_owner(options, s3))
    assert adder.keep("documents/bb/once", b"first")
    assert not adder.keep("documents/bb/once", b"second")
    large = tmp_path / "large"
    large.write_bytes(b"x" * (12 << 20))  # goes up in parts
    assert adder.keep("documents/bb/large", large)
    assert owner.fetch("documents/bb/once") == b"first"
    assert len(owner.fetch("documents/bb/large") or b"") == 12 << 20


def test_an_overwritten_document_is_kept_as_a_version(s3):
    obstore.put(s3.store("documents"), "documents/cc/kept", b"as it was")
    first = obstore.head(s3.store("documents"), "documents/cc/kept")["version"]
    obstore.put(s3.store("documents", identity="adder"), "documents/cc/kept", b"overwritten")
    obstore.delete(s3.store("documents"), "documents/cc/kept")
    options = {"version": first}
    kept = obstore.get(s3.store("documents"), "documents/cc/kept", options=options).bytes()
    assert bytes(kept) == b"as it was"


def _as_owner(options, s3):
    access, secret = s3.keys_of("owner")
    return replace(options, access_key=access, secret_key=secret)


def test_every_command_works_under_the_identity_of_its_container(make_service, s3, tmp_path):
    service = make_service()
    filer = Filer(1).says(1, filed="2024-01-31")
    document = tmp_path / "filings.json"
    document.write_bytes(filer.document())

    def run(identity, *arguments):
        access, secret = s3.keys_of(identity)
        keys = {"SANKOFA_S3_ACCESS_KEY": access, "SANKOFA_S3_SECRET_KEY": secret}
        done = CliRunner().invoke(app, arguments, env=service.installation.environment | keys)
        assert done.exit_code == 0, f"{arguments}: {done.output}{done.exception}"
        return done.output

    run("adder", "ingest", "demo-companyfacts", str(document))
    run("publisher", "publish")
    run("exporter", "export")
    run("publisher", "publish")
    assert "all is as it was sealed" in run("reader", "verify")
    removed = run("publisher", "takedown", service.id_of(filer.identifier), "--reason", "asked to")
    assert "files withdrawn with it: 1" in removed
    assert "all is as it was sealed" in run("publisher", "verify")
