"""The files of a deployment: linted by real tools; a container has the settings of its duty and no more."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import jsonschema
import pytest

from dev import node, pages
from dev.postgres_programs import major, programs
from sankofa.storage.parquet import MEMORY_GIGABYTES
from sankofa.surfaces.command_settings import OPTIONAL, settings_of
from sankofa.surfaces.settings import Settings
from support.containers import COMPOSE, compose, s3_identity, secrets_given, settings_given
from support.manifests import own_pods
from support.repository import ROOT, files, told

DEPLOY = ROOT / "deploy"
TOOLS = ROOT / "tests" / "deploy-tools"
# Which commands a container runs.
DUTIES = {
    "api": ["serve"],
    "follower": ["follow"],
    "fetcher": ["feeds", "tidy"],  # `work fetch` reads what `feeds` reads; other duties of `work` read more
    "publisher": ["publish"],
    "verifier": ["verify"],
    "fetch": ["fetch"],
    "ingest": ["ingest"],
    "correct": ["correct"],
    "exporter": ["export"],
    "keys": ["keys", "keys leaked", "keys networks"],
    "leaks": ["keys leaked"],
    "operator": [
        "verify",
        "takedown",
        "held",
        "migrate",
        "audit",
        "editions",
        "identify",
        "merge",
        "split",
        "organisations",
    ],
    "restore": ["catch-up"],
    "admin": ["bootstrap"],
}
# Under which S3 identity (identities.json) a container works; the API has one that only signs.
S3_IDENTITIES = {
    "publisher": "publisher",
    "operator": "publisher",
    "verifier": "reader",
    "fetcher": "adder",
    "fetch": "adder",
    "ingest": "adder",
    "correct": "adder",
    "exporter": "exporter",
    "follower": "keeper",
    "keys": "keeper",
    "leaks": "keeper",
    "restore": "restorer",
}
STORES = {"postgres", "redis-keys", "redis-usage", "objects"}
EDGE = {"edge", "edge-cache"}


def has_default(name):
    default = Settings.model_fields[name].get_default(call_default_factory=True)
    return bool(default.get_secret_value() if hasattr(default, "get_secret_value") else default)


def test_the_dockerfile_passes_hadolint():
    hadolint = shutil.which("hadolint", path=f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    done = subprocess.run([hadolint, DEPLOY / "Dockerfile"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")


def test_the_compose_file_passes_its_linter_and_its_schema():
    status, said = node.program(
        TOOLS,
        "dclint",
        "--config",
        str(DEPLOY / ".dclintrc.yaml"),
        "--max-warnings",
        "0",
        str(COMPOSE),
        check=False,
    )
    assert status == 0, said
    schema = node.installed(TOOLS) / "node_modules" / "dclint" / "schemas" / "compose.schema.json"
    jsonschema.Draft7Validator(json.loads(schema.read_text(encoding="utf-8"))).validate(compose())


@pytest.mark.parametrize("service", DUTIES)
def test_a_container_has_the_settings_of_its_duty_and_no_secret_more(service):
    used = {name for command in DUTIES[service] for name in settings_of(command)}
    given = settings_given(service)
    assert {name for name in used if not has_default(name)} - OPTIONAL <= given
    assert given <= used


def test_what_runs_unattended_cannot_become_the_owner_take_down_or_administer():
    unattended = [name for name, one in compose()["services"].items() if "profiles" not in one]
    assert {"api", "publisher"} <= set(unattended)
    for name in unattended:
        logins = {setting for setting in settings_given(name) if setting.endswith("_dsn")}
        assert len(logins) == (0 if name in STORES else 1), name
        assert not logins & {"migrate_dsn", "privacy_dsn", "review_dsn", "admin_dsn"}, name


def test_every_limit_of_the_api_can_be_set_in_the_environment_file():
    given = compose()["services"]["api"]["environment"]
    assert {"SANKOFA_TIERS", "SANKOFA_CACHE_BYTES", "SANKOFA_PUBLIC_CEILING"} <= {
        name for name, text in given.items() if text is None
    }
    words = compose()["services"]["api"]["command"]
    assert words[words.index("--workers") + 1] in given["SANKOFA_PROCESSES"]


def test_a_container_that_sorts_has_more_memory_than_duckdb_takes():
    limits = compose()["services"]["exporter"]["deploy"]["resources"]["limits"]
    pod = own_pods()["exporter"]["spec"]["containers"][0]["resources"]["limits"]
    for memory in (limits["memory"], pod["memory"]):
        assert int(memory.rstrip("gGi")) > MEMORY_GIGABYTES


def test_the_fetcher_comes_back_whenever_it_ends_and_keeps_its_downloads():
    fetcher = compose()["services"]["fetcher"]
    assert fetcher["command"] == ["work", "fetch", "tidy"]
    assert fetcher["restart"] == "always"
    spool = fetcher["environment"]["SANKOFA_SPOOL"]
    assert f"spool:{spool}" in fetcher["volumes"]
    # A volume takes the owner of the folder that the image has there.
    assert f"--owner=sankofa --group=sankofa --mode=0700 {spool}\n" in (DEPLOY / "Dockerfile").read_text()


def test_each_container_has_the_s3_identity_of_its_duty():
    identities = {name: s3_identity(one) for name, one in compose()["services"].items()}
    assert {name: identity for name, identity in identities.items() if identity} == S3_IDENTITIES


def test_every_container_is_confined():
    services = compose()["services"]
    assert set(services) == set(DUTIES) | STORES | EDGE
    for name, service in services.items():
        assert service["read_only"] is True, name
        assert service["cap_drop"] == ["ALL"], name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        assert service["deploy"]["resources"]["limits"].keys() == {"cpus", "memory"}, name
        assert not service.get("privileged"), name
        assert name in {"fetch", "fetcher"} or "outside" not in service["networks"], name
        assert all(port.startswith("127.0.0.1:") for port in service.get("ports", ())), name
        assert name not in STORES | EDGE or re.match(r"\d+:\d+", service["user"]), name
    assert compose()["networks"]["stores"] == {"internal": True}
    assert re.search(r"^USER [1-9]\d*:[1-9]\d*$", (DEPLOY / "Dockerfile").read_text(), re.MULTILINE)


def test_every_secret_is_made_once_and_kept(tmp_path):
    make = [DEPLOY / "make-secrets", tmp_path / "secrets"]
    subprocess.run(make, check=True, capture_output=True)
    made = {file.name: file.read_bytes() for file in (tmp_path / "secrets").iterdir()}
    wanted = {Path(secret["file"]).name for secret in compose()["secrets"].values()}
    used = {name for one in compose()["services"].values() for name in secrets_given(one).values()}
    assert wanted == used
    assert wanted <= made.keys()
    subprocess.run(make, check=True, capture_output=True)
    assert {file.name: file.read_bytes() for file in (tmp_path / "secrets").iterdir()} == made
    drawn = [text for name, text in made.items() if re.search(r"secret|pepper|password_", name)]
    assert len(drawn) == len(set(drawn))


def test_settings_are_read_from_files_of_secrets_after_the_environment(tmp_path, monkeypatch):
    (tmp_path / "sankofa_keys_url").write_text("redis://from-a-file/0\n")
    (tmp_path / "sankofa_usage_url").write_text("redis://from-a-file/1\n")
    monkeypatch.setenv("SANKOFA_USAGE_URL", "redis://from-the-environment/1")
    monkeypatch.setenv("SANKOFA_SECRETS_FOLDER", str(tmp_path))
    settings = Settings()
    assert settings.keys_url == "redis://from-a-file/0"
    assert settings.usage_url == "redis://from-the-environment/1"


def test_the_wheel_of_the_image_holds_the_pages(tmp_path):
    pages.build()
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(tmp_path)],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    (wheel,) = tmp_path.glob("*.whl")
    held = set(zipfile.ZipFile(wheel).namelist())
    assert {
        f"sankofa/surfaces/pages/{name}" for name in ("index.html", "docs/index.html", "llms.txt")
    } <= held


def test_the_image_is_built_from_nothing_but_sources():
    listed = (DEPLOY / "Dockerfile.dockerignore").read_text(encoding="utf-8").split()
    allowed = {line.removeprefix("!") for line in listed if line.startswith("!")}
    copied = [path for path in files() if told(path).split("/")[0] in allowed]
    assert not [told(path) for path in copied if "secret" in path.name and path.suffix != ".md"]
    assert {path for path in map(Path, allowed) if not (ROOT / path).exists()} == set()


def test_the_context_of_the_image_has_all_that_its_steps_read():
    steps = re.sub(r"\\\n", "", (DEPLOY / "Dockerfile").read_text(encoding="utf-8"))
    listed = (DEPLOY / "Dockerfile.dockerignore").read_text(encoding="utf-8").split()
    allowed = {line.removeprefix("!") for line in listed if line.startswith("!")}
    copied = {
        name
        for names in re.findall(r"^COPY (?!--from)(.+) \S+$", steps, re.MULTILINE)
        for name in names.split()
    }
    read = (copied - {"."}) | set(pages.SOURCES) | {"pyproject.toml", "requirements.lock", "LICENSE"}
    assert {
        name for name in read if not any(name == one or name.startswith(f"{one}/") for one in allowed)
    } == set()
    installs = re.findall(r"pip install .*", steps)
    assert len(installs) == 4
    assert [line for line in installs if "--require-hashes" not in line and "--no-deps" not in line] == []
    assert re.findall(r"^USER (.*)$", steps, re.MULTILINE) == ["10001:10001"]


def test_the_stores_have_the_versions_that_tests_run():
    named = {name: compose()["services"][name]["image"] for name in STORES}
    tags = {name: re.search(r":-[\w/]+:([\d.]+)", image)[1] for name, image in named.items()}
    redis = subprocess.run(["redis-server", "--version"], capture_output=True, text=True, check=True).stdout
    weed = subprocess.run(
        [Path(sys.executable).with_name("weed"), "version"], capture_output=True, text=True, check=True
    ).stdout
    run = {
        "postgres": str(major(programs())),
        "redis-keys": re.search(r"v=(\d+)", redis)[1],
        "redis-usage": re.search(r"v=(\d+)", redis)[1],
        "objects": re.search(r" ([\d.]+) ", weed)[1],
    }
    if run["postgres"] != tags["postgres"]:
        pytest.skip(f"this machine has PostgreSQL {run['postgres']}, and CI the version of the compose file")
    assert {name: tag.partition(".")[0] if "redis" in name else tag for name, tag in tags.items()} == run
