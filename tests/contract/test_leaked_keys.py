"""KEY-20: a key that a listed reporter found in public is revoked; nobody else can have a key revoked."""

from __future__ import annotations

import base64
import hashlib
import json
import subprocess

import httpx
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from contract.keyed import furnish
from dev.installation import command
from dev.ports import unused_ports
from sankofa.access.keys import generate
from support.command import sankofa
from support.waiting import until

pytestmark = pytest.mark.proves("KEY-20")
PATH = "/reports/leaked-keys"
PLACE = "https://forge.example/somebody/notes/blob/main/run.sh"


class Reporter:
    """Signs reports as GitHub does."""

    def __init__(self, identifier):
        self.identifier, self.key = identifier, ec.generate_private_key(ec.SECP256R1())

    def listed(self):
        pem = self.key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode()
        return {"key_identifier": self.identifier, "key": pem, "is_current": True}

    def headers(self, body):
        signature = base64.b64encode(self.key.sign(body, ec.ECDSA(SHA256()))).decode()
        return {
            "Github-Public-Key-Identifier": self.identifier,
            "Github-Public-Key-Signature": signature,
        }


@pytest.fixture(scope="module")
def reporter():
    return Reporter("listed")


@pytest.fixture(scope="module")
def api(module_service, reporter, tmp_path_factory):
    listed = tmp_path_factory.mktemp("reporters") / "keys.json"
    listed.write_text(json.dumps({"public_keys": [reporter.listed()]}))
    furnish(module_service)
    environment = {"SANKOFA_LEAK_REPORTERS": str(listed)}
    api = module_service.installation.api(next(unused_ports()), environment=environment)
    api.start()
    yield api
    api.stop()


def report(*keys):
    findings = [{"token": key, "type": "sankofa_key", "url": PLACE, "source": "content"} for key in keys]
    return json.dumps(findings).encode()


def send(api, reporter, body, **headers):
    return httpx.post(f"{api.url}{PATH}", content=body, headers={**reporter.headers(body), **headers})


def status(api, key):
    return httpx.get(f"{api.url}/v1/editions", headers={"X-API-Key": key}).status_code


def test_a_reported_key_is_revoked_and_its_history_says_why(module_service, api, reporter):
    leaked, other = module_service.issue(), module_service.issue()
    stranger = generate()
    answer = send(api, reporter, report(leaked.key, stranger, "snk_nothing"))
    digest = hashlib.sha256(leaked.key.encode()).hexdigest()
    assert (answer.status_code, answer.json()) == (
        200,
        [{"token_hash": digest, "token_type": "sankofa_key", "label": "true_positive"}],
    )
    printed = sankofa(module_service, "keys", "leaked")
    assert printed == f"{leaked.key_id} is revoked: found at {PLACE}\n"
    until(lambda: status(api, leaked.key) == 401, seconds=5)
    assert status(api, other.key) == 200
    [*_, decision] = json.loads(sankofa(module_service, "keys", "history", leaked.key_id, "--json"))
    assert (decision["kind"], decision["operator"]) == ("revoked", "leak report")
    assert sankofa(module_service, "keys", "leaked") == ""


def test_a_watching_process_revokes_within_seconds(module_service, api, reporter):
    leaked = module_service.issue()
    line, environment = command(module_service.installation, "keys", "leaked", "--watch")
    with subprocess.Popen(line, env=environment, stdout=subprocess.DEVNULL) as process:
        try:
            assert send(api, reporter, report(leaked.key)).status_code == 200
            until(lambda: status(api, leaked.key) == 401)
        finally:
            process.terminate()


def test_a_public_key_stays_valid(module_service, api, reporter):
    public = module_service.issue("sample", public=True)
    answer = send(api, reporter, report(public.key))
    assert [each["label"] for each in answer.json()] == ["true_positive"]
    assert sankofa(module_service, "keys", "leaked") == ""
    assert status(api, public.key) == 200


def test_a_report_that_no_listed_reporter_signed_changes_nothing(module_service, api, reporter):
    issued = module_service.issue()
    body, other = report(issued.key), Reporter("listed")  # another key under a listed name
    signed = reporter.headers(body)
    refused = [
        httpx.post(f"{api.url}{PATH}", content=body, headers=headers)
        for headers in (
            {},
            other.headers(body),
            {**signed, "Github-Public-Key-Identifier": "unlisted"},
            {**signed, "Github-Public-Key-Signature": "no base64"},
            reporter.headers(body + b" "),
        )
    ]
    assert {(answer.status_code, answer.json()["code"]) for answer in refused} == {(403, "not-signed")}
    assert sankofa(module_service, "keys", "leaked") == ""
    assert status(api, issued.key) == 200


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"no JSON", "unreadable-report"),
        (b'{"token": "a"}', "unreadable-report"),
        (b'[{"token": 1, "type": "a"}]', "unreadable-report"),
        (b" " * (65 << 10), "body-too-large"),
    ],
)
def test_what_is_no_report_is_refused(api, reporter, body, code):
    assert send(api, reporter, body).json()["code"] == code


def test_other_methods_are_refused_and_without_reporters_there_is_no_such_path(module_service, api):
    answer = httpx.get(f"{api.url}{PATH}")
    assert (answer.status_code, answer.headers["allow"]) == (405, "POST")
    closed = module_service.client.post(PATH, content=b"[]")
    assert (closed.status_code, closed.json()["code"]) == (404, "unknown-path")


def test_a_file_of_reporters_that_cannot_be_used_is_told_at_the_start(module_service, tmp_path):
    wrong = tmp_path / "keys.json"
    wrong.write_text('{"public_keys": [{"key_identifier": "a", "key": "no key"}]}')
    line, environment = command(module_service.installation, "serve", "--port", str(next(unused_ports())))
    done = subprocess.run(
        line,
        env={**environment, "SANKOFA_LEAK_REPORTERS": str(wrong)},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 1
    assert "SANKOFA_LEAK_REPORTERS" in done.stderr
    assert "Traceback" not in done.stderr
