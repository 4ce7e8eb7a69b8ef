"""The image: built from its Dockerfile, free of tools and secrets, and the API runs in it without rights."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal

import httpx
import pytest

from dev import inventory
from dev.ports import unused_ports
from dev.service import wait_until
from support.image_root import image_root

pytestmark = [
    pytest.mark.heavy,
    pytest.mark.skipif(
        os.geteuid() != 0 or shutil.which("buildah") is None,
        reason="buildah builds the image as root: dev/setup.sh image installs it",
    ),
]
TOOLS = ("pip", "pip3", "uv", "gcc", "cc", "make", "git", "node", "npm", "hatchling", "pytest", "weed")
SECRET = re.compile(r"(^|/)(\.git|\.env|\.npmrc|id_\w+|sankofa_\w+(dsn|url|secret|key|pepper)|[^/]*\.pem)$")
PUBLIC = "certifi/cacert.pem"


@pytest.fixture(scope="module")
def built():
    with image_root() as root:
        yield root


def files(root, under):
    return [str(path.relative_to(root.folder)) for path in (root.folder / under).rglob("*")]


def test_the_command_runs_under_a_user_without_rights(built):
    status, printed = built.run("sankofa", "--version")
    assert (status, printed.split()[0]) == (0, "sankofa")
    assert built.declared["User"] == "10001:10001"
    status, printed = built.run("python", "-c", "import os; print(os.getuid()); open('/opt/sankofa/x', 'w')")
    assert status == 1
    assert printed.startswith("10001\n")
    assert "Read-only file system" in printed


def test_it_holds_what_runs_and_nothing_that_builds(built):
    assert "PATH=/opt/sankofa/bin:" in built.declared["Env"][0]
    programs = {path.rpartition("/")[2] for path in files(built, "opt/sankofa/bin")}
    assert "sankofa" in programs
    assert not programs & set(TOOLS)
    assert [path.name for path in (built.folder / "opt").iterdir()] == ["sankofa"]
    assert not (built.folder / "build").exists()
    held = [
        path for folder in ("opt", "root", "tmp", "usr/share/doc/sankofa") for path in files(built, folder)
    ]
    assert [path for path in held if SECRET.search(path) and not path.endswith(PUBLIC)] == []


def test_it_lists_its_parts_and_their_licences(built):
    folder = built.folder / "usr" / "share" / "doc" / "sankofa"
    parts = {one["name"] for one in json.loads((folder / inventory.BILL).read_text())["components"]}
    (site,) = (built.folder / "opt" / "sankofa" / "lib").glob("python*/site-packages")
    installed = {path.name.split("-")[0].lower().replace("_", "-") for path in site.glob("*.dist-info")}
    assert installed - {"sankofa"} <= {name.lower().replace("_", "-").replace(".", "-") for name in parts}
    assert "Apache License" in (folder / inventory.TEXTS).read_text()
    assert "Apache License" in (folder / "LICENSE").read_text()


def test_the_api_in_it_answers_and_stops(built, service):
    port = next(unused_ports())
    words = [*built.declared["Entrypoint"], *built.declared["Cmd"]]
    words[words.index("--port") + 1] = str(port)
    given = service.installation.environment
    mine = {
        name: given[name] for name in given if name.endswith(("_URL", "_PEPPER", "READ_DSN", "CURSOR_SECRET"))
    }
    signer = {name: given[name] for name in given if "SIGNER" in name or name == "SANKOFA_S3_ENDPOINT"}
    started = built.start(*words, **mine, **signer)
    try:
        assert wait_until(lambda: answers(port, "/health") == 200, 300), started.poll()
        assert answers(port, "/ready") == 503  # nothing is published
        assert answers(port, "/") == 200  # the explorer
        assert answers(port, "/docs/") == 200
    finally:
        started.send_signal(signal.SIGTERM)
        printed, _ = started.communicate(timeout=120)
    assert started.returncode == 0, printed


def answers(port, path):
    try:
        return httpx.get(f"http://127.0.0.1:{port}{path}", timeout=30).status_code
    except httpx.TransportError:
        return None
