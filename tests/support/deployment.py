"""An operator's folder `deploy` with secrets from `make-secrets`, and an API that reads them as files."""

from __future__ import annotations

import shutil
import subprocess
from contextlib import contextmanager

import httpx
from redis import Redis as Client

from dev import process
from dev.installation import Api
from dev.ports import unused_ports
from dev.service import wait_until
from sankofa.storage.postgres import connect
from support.containers import Containers, settings_given
from support.repository import ROOT

WORKERS = 2
# Limits are no part of what a deployment is tried for.
_TIERS = '{"professional": {"per_minute": 100000}}'


class Deployment:
    """What an operator sees: the folder, its commands, and the workers of the API."""

    def __init__(self, installation, home):
        self.installation = installation
        self.folder = home / "deploy"
        self.secrets = self.folder / "secrets"
        shutil.copytree(ROOT / "deploy", self.folder, ignore=shutil.ignore_patterns("secrets"))
        subprocess.run([self.folder / "make-secrets"], check=True, capture_output=True)
        self._lead_to_stores()
        self.containers = Containers(installation, home, self.secrets)
        given = {f"SANKOFA_{name.upper()}" for name in settings_given("api")}
        as_files = {file.name.upper() for file in self.secrets.iterdir()}
        environment = {
            **{
                name: installation.environment[name]
                for name in given & installation.environment.keys() - as_files
            },
            **self.containers.mounted("api"),
            "SANKOFA_TIERS": _TIERS,
        }
        self.api = Api(home / "api", next(unused_ports()), WORKERS, environment)

    def _lead_to_stores(self):
        """Have the stores want the passwords that were drawn; all else is as the installation has it."""
        redis_password = self.secret("redis_password")
        for name, value in self.installation.environment.items():
            file = self.secrets / name.lower()
            if file.exists():
                role = name.removeprefix("SANKOFA_").removesuffix("_DSN").lower().replace("read", "api")
                password = f" password={self.secret(f'password_{role}')}" if name.endswith("_DSN") else ""
                file.write_text(value.replace("redis://", f"redis://:{redis_password}@") + password)
        for server in (self.installation.keys, self.installation.usage):
            with Client.from_url(server.url) as client:
                client.config_set("requirepass", redis_password)
        for file in self.secrets.glob("s3_*_access_key"):
            identity = file.name.removeprefix("s3_").removesuffix("_access_key")
            access, secret = self.installation.stack.s3.keys_of(identity)
            file.write_text(access)
            (self.secrets / f"s3_{identity}_secret_key").write_text(secret)
        identities = self.secrets / "objects_identities"
        identities.unlink()
        identities.symlink_to(self.installation.stack.s3.config)
        with connect(self.installation.stack.postgres_dsn()) as admin:
            admin.execute((self.secrets / "passwords.sql").read_bytes())

    def secret(self, name):
        file = self.secrets / name
        return file.read_text().strip() if file.exists() else ""

    def run(self, command):
        """Run a command of the page in the folder and return what it prints."""
        self.containers.stands_for("api", self.api.pid, self.api.log)
        self.containers.stands_for("objects", self.installation.stack.s3.pid, self.installation.stack.s3.log)
        done = subprocess.run(
            ["bash", "-e", "-o", "pipefail", "-c", self.containers.told(command)],
            cwd=self.folder, env=self.containers.environment(), capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
        return done.stdout

    @property
    def workers(self):
        return set(process.children(self.api.pid))

    @contextmanager
    def replacing_workers(self):
        """Wait at the end until every worker is another one than before."""
        before = self.workers
        yield
        assert wait_until(lambda: len(self.workers) == WORKERS and not before & self.workers, 120)

    def issue(self):
        return self.run("docker compose run --rm keys issue professional 'a customer'").strip()

    def client(self, key, **headers):
        return httpx.Client(base_url=self.api.url, headers={"X-API-Key": key, **headers}, timeout=30)
