"""No trick leads a fetch to a private address: it is tried where every address answers, and listened to."""

from __future__ import annotations

import ipaddress
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from sankofa.core.errors import Refused
from sankofa.ingest.portals.addresses import address, is_public
from support.address_tricks import PRIVATE, PUBLIC, PUBLIC_SIX, TARGETS, addresses

TESTS = Path(__file__).parents[1]
ALONE = ["unshare", "--map-root-user", "--net", "--mount"]
OPEN = {PUBLIC, PUBLIC_SIX}


def has_own_network():
    tools = all(shutil.which(tool) for tool in ("unshare", "ip", "mount", "openssl"))
    return tools and subprocess.run([*ALONE, "true"], capture_output=True, check=False).returncode == 0


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    if not has_own_network():
        pytest.skip(
            "needs unshare, ip, mount and openssl, and a kernel that lets us have a network of our own"
        )
    program = [
        sys.executable,
        str(TESTS / "support" / "address_world.py"),
        str(tmp_path_factory.mktemp("world")),
    ]
    paths = [str(TESTS.parent / "src"), str(TESTS.parent), str(TESTS)]
    ran = subprocess.run(
        [*ALONE, *program],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        capture_output=True,
        check=False,
        timeout=300,
    )
    assert ran.returncode == 0, ran.stderr.decode()
    return json.loads(ran.stdout)


def test_the_listener_hears_public_and_private_addresses(world):
    controls = world["controls"]
    assert controls["public"] == [[PUBLIC], 1]
    assert controls["six"] == [[PUBLIC_SIX], 1]
    # Linux itself keeps back the groups, the limits of the address space and links that need an interface.
    assert set(TARGETS) | {"fc00::5", "64:ff9b::a00:5", "2002:a00:5::1", "192.0.0.8"} <= set(
        controls["private"]
    )


def test_no_trick_connects_to_a_private_address(world):
    tricks = world["tricks"]
    fooled = [one["trick"] for one in tricks if set(one["careless"]) - OPEN]
    print(f"{len(tricks)} tricks; {len(fooled)} of them lead a careless client to a private address")
    assert len(tricks) >= 300
    assert len(fooled) >= 150
    assert [one for one in tricks if set(one["heard"]) - OPEN] == []


def test_a_name_that_changes_its_address_is_not_asked_for_again(world):
    rebinding = [one for one in world["tricks"] if one["trick"].startswith("rebinding")]
    assert len(rebinding) == len(TARGETS)
    for one in rebinding:
        assert one["heard"] == [PUBLIC] * 3, one  # two pages and the empty one, all where the first was
        assert set(one["careless"]) - OPEN, one


def test_the_certificate_must_be_for_the_name_though_the_address_is_pinned(world):
    controls = world["controls"]
    assert controls["tls"] == [[PUBLIC], 1]
    said = "Refused: tz-nest: https://other.test:8443/: other.test is not who it says"
    assert controls["other"].startswith(said)


@pytest.mark.parametrize("number", PRIVATE)
def test_private_addresses_are_not_public(number):
    assert not is_public(number)
    assert not is_public(str(ipaddress.ip_address(number)))


@pytest.mark.parametrize(
    "number", [PUBLIC, PUBLIC_SIX, "8.8.8.8", "196.11.240.1", "41.204.160.1", "2c0f:fb50::1"]
)
def test_public_addresses_are(number):
    assert is_public(number)


@pytest.mark.parametrize("text", [text for target in TARGETS for text in addresses(target)])
def test_an_address_in_disguise_is_no_address(text):
    try:
        read = address(text)
    except Refused:
        return
    # What is read at all is read as any reader does: the host, a colon, the port.
    assert text.startswith(f"http://{read.origin.host}:{read.origin.port}/")


@pytest.mark.parametrize(
    "text",
    [
        *("", "portal.test", "https://", "https://portal.test", "https:///x", "https://-a.test/"),
        *("https://a..test/", "https://a_b.test/", "https://portal.test./", "https://PORTAL.test/"),
        *("https://portal.test:0/", "https://portal.test:65536/", "https://portal.test:/", "https://a/b c"),
        *(f"https://{'a' * 64}.test/", "https://[fe80::1%25eth0]/", "https://a/é", "https://1.2.3/"),
    ],
)
def test_what_is_not_an_address_is_refused(text):
    with pytest.raises(Refused):
        address(text)
