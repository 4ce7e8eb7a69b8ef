"""Commands of `docker compose`, run without containers: each reaches the same part of a test's installation.

The command itself is the page's own. What changes is where it is run: `exec` runs here with the ports of the
stack, `run` runs `sankofa` with the settings of the installation, and only with those that the compose file
gives to that service. `kill` and `logs` reach the processes that stand for a service.

With a folder of secrets, a container has the files of its secrets in place of variables. They are hard links,
which show what Docker's mounts of single files show: what is written to a file, not a file that replaces it.
"""

from __future__ import annotations

import os
import shlex
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import yaml
from psycopg.conninfo import conninfo_to_dict

from support.repository import ROOT

COMPOSE = ROOT / "deploy" / "compose.yaml"
_STORES = {"postgres", "redis-keys", "redis-usage", "objects"}
_DOCKER = """\
#!/bin/sh
# docker compose exec [-T] SERVICE COMMAND… | run --rm SERVICE ARGUMENTS… | kill --signal SIGNAL SERVICE… |
# logs --since TIME SERVICE | else: nothing to do
shift
case $1 in
exec) shift; [ "$1" = -T ] && shift; export SERVICE_ASKED=$1; shift; exec "$@" ;;
run) shift 2; exec {shims}/run-"$@" ;;
kill) signal=$3; shift 3; for service; do kill -s "$signal" "$(cat {shims}/pid-"$service")"; done ;;
logs) cat "$(cat {shims}/log-"$4")" ;;
esac
"""
_PSQL = """\
#!/bin/sh
PGHOST=127.0.0.1 PGPORT={port} PGPASSWORD={password} exec {program} "$@"
"""
_REDIS = """\
#!/bin/sh
port={keys}
[ "$SERVICE_ASKED" = redis-usage ] && port={usage}
exec {program} -p $port -n {database} "$@"
"""
_WEED = """\
#!/bin/sh
exec {program} shell -master=127.0.0.1:{master}.{master_grpc}
"""


def compose():
    return yaml.safe_load(COMPOSE.read_text(encoding="utf-8"))


def secrets_given(described):
    """Return the secrets of a service of the compose file: where it finds each, and which one it is."""
    listed = (
        one if isinstance(one, dict) else {"source": one, "target": one}
        for one in described.get("secrets", ())
    )
    return {one["target"]: one["source"] for one in listed}


def settings_given(service):
    """Return the settings that the compose file gives to a service, as secrets or as variables."""
    described = compose()["services"][service]
    secrets = {name for name in secrets_given(described) if name.startswith("sankofa_")}
    return {name.removeprefix("sankofa_") for name in secrets} | {
        name.removeprefix("SANKOFA_").lower() for name in described.get("environment", {})
    }


def s3_identity(described):
    """Return the name of the S3 identity that a service of the compose file has, if it has one."""
    source = secrets_given(described).get("sankofa_s3_secret_key", "")
    return source.removeprefix("s3_").removesuffix("_secret_key")


def make_deploy_folder(home):
    """Make the folder that an operator works in, with the files that the pages name, and return it."""
    deploy = home / "deploy"
    deploy.mkdir()
    for name in ("make-secrets", "identities.json"):
        shutil.copy(ROOT / "deploy" / name, deploy)
    return deploy


class Containers:
    """The programs that a page's commands meet, in a folder that comes first in the path."""

    def __init__(self, installation, home, secrets=None):
        self.installation = installation
        self.home = home
        self.secrets = secrets
        self.shims = home / "shims"
        self.shims.mkdir(exist_ok=True)
        stack = self.installation.stack
        self._write("docker", _DOCKER.format(shims=self.shims))
        password = conninfo_to_dict(stack.postgres_dsn()).get("password", "")
        for name in ("psql", "pg_dump", "pg_restore", "dropdb"):
            program = shutil.which(name)
            self._write(name, _PSQL.format(port=stack.postgres.port, program=program, password=password))
        database = self.installation.redis_database
        ports = {"keys": self.installation.keys.port, "usage": self.installation.usage.port}
        self._write("redis-cli", _REDIS.format(program=shutil.which("redis-cli"), database=database, **ports))
        weed = Path(sys.executable).with_name("weed")
        self._write("weed", _WEED.format(program=weed, **stack.s3.ports))
        for name, described in compose()["services"].items():
            if name not in _STORES:
                self._job(name, described)

    def _job(self, name, described):
        """Write what `run` runs: the entry point with the settings of this service and no others."""
        entry = described.get("entrypoint", ["sankofa"])[1:]
        values = self._variables(name, described)
        if self.secrets:
            files = {target.upper() for target in secrets_given(described)}
            values = {key: text for key, text in values.items() if key not in files} | self.mounted(name)
        exports = "".join(f"export {key}={shlex.quote(text)}\n" for key, text in values.items())
        extra = f'[ "$1" = bootstrap ] && set -- "$@" --database {self.installation.database}\n'
        run = f'exec {sys.executable} -m sankofa.surfaces {" ".join(entry)} "$@"\n'
        self._write(f"run-{name}", f"#!/bin/sh\n{exports}{extra}{run}")

    def _variables(self, name, described):
        """Return the settings of a service as variables."""
        given = {f"SANKOFA_{each.upper()}" for each in settings_given(name)}
        values = {key: text for key, text in self.installation.environment.items() if key in given}
        if identity := s3_identity(described):
            keys = self.installation.stack.s3.keys_of(identity)
            values |= dict(zip(("SANKOFA_S3_ACCESS_KEY", "SANKOFA_S3_SECRET_KEY"), keys, strict=True))
        return values

    def mounted(self, name):
        """Mount the secret files of a service and return the variables that point to them."""
        folder = self.home / f"mounted-{name}"
        if not folder.exists():
            folder.mkdir()
            for target, source in secrets_given(compose()["services"][name]).items():
                (folder / target).hardlink_to((self.secrets / source).resolve())
        return {"SANKOFA_SECRETS_FOLDER": str(folder)}

    def stands_for(self, service, pid, log):
        """Have `kill` and `logs` of a service reach a process."""
        self._write(f"pid-{service}", str(pid))
        self._write(f"log-{service}", str(log))

    def _write(self, name, text):
        file = self.shims / name
        file.write_text(text)
        file.chmod(file.stat().st_mode | stat.S_IXUSR)

    def run(self, command, folder, **variables):
        """Run a page's command in a folder, as an operator would, and return how it ended."""
        return subprocess.run(
            ["bash", "-e", "-o", "pipefail", "-c", self.told(command)],
            cwd=folder,
            env=self.environment(**variables),
            capture_output=True,
            text=True,
            check=False,
        )

    def environment(self, **variables):
        kept = {name: text for name, text in os.environ.items() if not name.startswith("SANKOFA_")}
        return {**kept, **variables, "PATH": f"{self.shims}:{kept['PATH']}"}

    def told(self, text):
        """Return a command as it must be asked here: the database and the secrets have other names."""
        text = text.replace("--dbname=sankofa", f"--dbname={self.installation.database}")
        text = text.replace("--force sankofa", f"--force {self.installation.database}")
        return text.replace("/run/secrets", str(self.secrets)) if self.secrets else text
