"""Make a release: `.venv/bin/python -m dev.release 0.2.0`, on a clean branch main.

It gives the version its section in the changelog, leaves the kit from which later versions prove that they
can take this one over, runs all checks, commits and tags. Nothing is pushed.
"""

import re
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).parents[1]
CITATION = ROOT / "CITATION.cff"
CHANGELOG, PROJECT, KITS = ROOT / "CHANGELOG.md", ROOT / "pyproject.toml", ROOT / "tests" / "releases"
_UNRELEASED = "## [Unreleased]\n"
_VERSION = re.compile(r'^version = "(.*)"$', re.MULTILINE)


def release(version: str) -> None:
    """Make the release, or say why it cannot be made."""
    if not re.fullmatch(r"\d+\.\d+\.\d+", version):
        raise SystemExit(f"{version} is no version: use three numbers, such as 0.2.0")
    if (KITS / version).exists():
        raise SystemExit(f"{version} was released: {KITS / version} is its kit, so take the next number")
    if _told("git", "status", "--porcelain") or _told("git", "branch", "--show-current") != "main":
        raise SystemExit("commit or remove your changes, and check out main")
    day = f"{datetime.now(UTC):%Y-%m-%d}"
    news = changelog(CHANGELOG.read_text(), version, day)
    CHANGELOG.write_text(news)
    CITATION.write_text(citation(CITATION.read_text(), version, day))
    PROJECT.write_text(_VERSION.sub(f'version = "{version}"', PROJECT.read_text(), count=1))
    print("writing the kit", flush=True)
    _run(sys.executable, "-m", "tests.releases", version)
    _run("git", "add", "--all")
    _run("git", "commit", "--quiet", f"--message=Release {version}")
    print("running all checks", flush=True)
    _run(".ci/run")
    _run("git", "tag", "--annotate", f"v{version}", f"--message=Sankofa {version}")
    print(f"v{version} is tagged. Publish it: git push origin main v{version}")


def changelog(text: str, version: str, day: str) -> str:
    """Return the changelog with what is unreleased under the heading of a version."""
    before, heading, after = text.partition(_UNRELEASED)
    if not heading or not after.split("\n## ")[0].strip():
        raise SystemExit("the changelog has nothing under Unreleased: there is nothing to release")
    return f"{before}{heading}\n## [{version}] - {day}\n{after}"


def citation(text: str, version: str, day: str) -> str:
    """Return the citation file with a version and its day."""
    text = re.sub(r"^version: .*$", f"version: {version}", text, flags=re.MULTILINE)
    return re.sub(r"^date-released: .*$", f'date-released: "{day}"', text, flags=re.MULTILINE)


def _told(*command: str) -> str:
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()


def _run(*command: str) -> None:
    if subprocess.run(command, cwd=ROOT, check=False).returncode:
        raise SystemExit(f"stopped: `{' '.join(command)}` failed; nothing is tagged")


if __name__ == "__main__":
    if len(sys.argv) != 2:  # noqa: PLR2004 - the program and the version
        raise SystemExit(__doc__)
    release(sys.argv[1])
