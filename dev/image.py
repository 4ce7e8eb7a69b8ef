"""The image of the service: built from `deploy/Dockerfile` by Docker, or by buildah as root.

Where the base image cannot be pulled, buildah gets one of Debian's packages in its place: the same release of
Debian and the same Python, not the same bytes. The steps are those of the Dockerfile either way.
"""

import json
import re
import shutil
import subprocess
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from dev.service import StackError
from dev.stack import ROOT

DOCKERFILE = ROOT / "deploy" / "Dockerfile"
_PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
NAME = f"{_PROJECT['name']}:{_PROJECT['version']}"
_STORE = ROOT / ".local" / "image"
_AUTHORITIES = "/etc/ssl/certs"
_BASE = re.compile(r"^ARG PYTHON=(?P<tag>(?P<python>\d+\.\d+)-slim-(?P<debian>[a-z]+))$", re.MULTILINE)
_PULL_SECONDS = 600
_MEGABYTE = 1_000_000


def build() -> str:
    """Build the image, and return the name of the builder."""
    file = ["--file", str(DOCKERFILE), "--tag", NAME]
    if _has_docker():
        _run("docker", "build", *file, str(ROOT))
        return "docker"
    if shutil.which("buildah") is None:
        raise StackError("neither Docker nor buildah can be used: start Docker, or run dev/setup.sh image")
    _provide_base()
    ignored = ["--ignorefile", f"{DOCKERFILE}.dockerignore"]
    how = ["--isolation=chroot", "--layers", "--pull-never", f"--volume={_AUTHORITIES}:{_AUTHORITIES}:ro"]
    _buildah("bud", *how, *ignored, *file, str(ROOT))
    return "buildah"


def size() -> int:
    """Return the bytes of the image."""
    if _has_docker():
        return int(_run("docker", "image", "inspect", "--format={{.Size}}", NAME))
    listed: list[dict[str, Any]] = json.loads(_buildah("images", "--json", NAME))
    return round(float(listed[0]["size"].split()[0]) * _MEGABYTE)


def config() -> dict[str, Any]:
    """Return what the image declares: user, environment, command, labels."""
    declared: dict[str, Any] = json.loads(_buildah("inspect", "--type=image", NAME))["OCIv1"]["config"]
    return declared


@contextmanager
def unpacked() -> Iterator[Path]:
    """Mount the files of the image that buildah built, and yield their folder."""
    container = _buildah("from", "--pull-never", NAME)
    try:
        yield Path(_buildah("mount", container))
    finally:
        _buildah("rm", container)


def _has_docker() -> bool:
    """Return whether there is a Docker whose daemon answers."""
    if shutil.which("docker") is None:
        return False
    return subprocess.run(["docker", "version"], capture_output=True, check=False).returncode == 0


def _provide_base() -> None:
    """Have the base image in the store: as it is, pulled, or made of Debian's packages."""
    found = _BASE.search(DOCKERFILE.read_text(encoding="utf-8"))
    if found is None:
        raise StackError(f"{DOCKERFILE} must name its Python as 3.11-slim-bookworm is named")
    base = f"python:{found['tag']}"
    if json.loads(_buildah("images", "--json", "--filter", f"reference={base}")):
        return
    try:
        _buildah("pull", f"docker.io/library/{base}", seconds=_PULL_SECONDS)
    except StackError:
        print(f"{base} cannot be pulled: a base is made of the packages of Debian {found['debian']}")
        _make_base(base, found["python"], found["debian"])


def _make_base(name: str, python: str, debian: str) -> None:
    root = _STORE / "base.tar"
    packages = f"--include=ca-certificates,netbase,tzdata,python{python}-venv"
    link = f'--customize-hook=ln -s /usr/bin/python{python} "$1/usr/local/bin/python"'
    _run("mmdebstrap", "--variant=minbase", packages, link, debian, str(root))
    container = _buildah("from", "scratch")
    _buildah("add", container, str(root), "/")
    _buildah("commit", "--rm", container, name)
    root.unlink()


def _buildah(*arguments: str, seconds: float | None = None) -> str:
    store = ["--storage-driver=overlay", f"--root={_STORE / 'store'}", f"--runroot={_STORE / 'run'}"]
    _STORE.mkdir(parents=True, exist_ok=True)
    return _run("buildah", *store, *arguments, seconds=seconds)


def _run(*command: str, seconds: float | None = None) -> str:
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, errors="replace", check=False, timeout=seconds
        )
    except subprocess.TimeoutExpired:
        raise StackError(f"{' '.join(command)} took longer than {seconds} s") from None
    if done.returncode:
        raise StackError(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}")
    return done.stdout.strip()
