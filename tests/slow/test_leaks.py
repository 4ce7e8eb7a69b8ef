"""The scan finds secrets of several kinds in a copy of this repository; `make lint` scans the original."""

from __future__ import annotations

import random
import string
import subprocess

from dev.leaks import scan
from sankofa.access.keys import generate
from support.repository import ROOT

DRAWN = random.SystemRandom()


def drawn(length, alphabet=string.ascii_letters + string.digits):
    return "".join(DRAWN.choices(alphabet, k=length))


def private_key():
    body = "\n".join(["MII" + drawn(61), *(drawn(64) for _ in range(11))])  # as ASN.1 begins
    kind = "RSA PRIVATE KEY"
    return f"-----BEGIN {kind}-----\n{body}\n-----END {kind}-----\n"


# By file; put together here, so that this file holds none of them.
PLANTED = {
    "src/sankofa/planted.py": lambda: f'KEY = "{generate()}"\n',
    "deploy/planted.pem": private_key,
    "dev/planted.toml": lambda: f'access = "AKIA{drawn(16, string.ascii_uppercase + string.digits[2:8])}"\n',
    "docs/planted.md": lambda: f"curl -H 'Authorization: token ghp_{drawn(36)}'\n",
    "README.md": lambda: f"postgresql://sankofa_api:{drawn(20)}@db.example.org:5432/sankofa\n",
}


def test_secrets_planted_in_a_copy_are_found(tmp_path):
    copy = tmp_path / "copy"
    subprocess.run(["git", "clone", "--quiet", "--depth=1", f"file://{ROOT}", str(copy)], check=True)
    for name, made in PLANTED.items():
        with (copy / name).open("a") as file:
            file.write(made())
    status, found = scan(copy)
    assert status == 1
    assert {name for name in PLANTED if name not in found} == set()
