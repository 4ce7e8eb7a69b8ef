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


def administer(s3, *commands):
    """Run commands of SeaweedFS's own shell, as an administrator, and return how it ended."""
    shell = [Path(sys.executable).with_name("weed"), "shell"]
    master = f"-master=127.0.0.1:{s3.ports['master']}.{s3.ports['master_grpc']}"
    lines = "".join(f"{command}\n" for command in commands)
    return subprocess.run([*shell, master], input=lines, check=False, capture_output=True, text=True)


@pytest.fixture(scope="module")
def s3(stack):
    """Return the S3 of the stack with buckets as the page on installing makes them."""
    versions, lock = "s3.bucket.versioning -name documents -enable", "s3.bucket.lock -name journal -enable"
    assert administer(stack.s3, versions, lock).returncode == 0
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


@pytest.mark.parametrize(
    ("bucket", "key", "identity"),
    [("documents", "documents/cc/kept", "adder"), ("journal", "keys/x/kept", "keeper")],
)
def test_what_is_overwritten_or_deleted_is_kept_as_a_version(s3, bucket, key, identity):
    owner = s3.store(bucket)
    obstore.put(owner, key, b"as it was")
    first = obstore.head(owner, key)["version"]
    obstore.put(s3.store(bucket, identity=identity), key, b"overwritten")
    obstore.delete(owner, key)
    kept = obstore.get(owner, key, options={"version": first}).bytes()
    assert bytes(kept) == b"as it was"


def test_the_versions_of_the_journal_cannot_be_switched_off(s3):
    """Not even by an administrator, since the bucket has a lock."""
    assert administer(s3, "s3.bucket.versioning -name journal -suspend").returncode == 1
    assert "Enabled" in administer(s3, "s3.bucket.versioning -name journal").stdout


def test_a_record_is_added_once_where_versions_are_kept(s3):
    access, secret = s3.keys_of("keeper")
    options = ObjectOptions(endpoint=s3.endpoint, bucket="journal", access_key=access, secret_key=secret)
    assert Objects(options).keep("keys/x/once", b"first")
    assert not Objects(options).keep("keys/x/once", b"second")
    assert Objects(_as_owner(options, s3)).fetch("keys/x/once") == b"first"


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
    removed = run("publisher", "takedown", service.id_of(filer.identifier), "--yes", "--reason", "asked to")
    assert "files withdrawn with it: 1" in removed
    assert "all is as it was sealed" in run("publisher", "verify")
