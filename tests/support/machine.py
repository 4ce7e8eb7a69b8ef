"""A machine on which nothing is left: a new PostgreSQL cluster that asks for passwords and knows no roles."""

from __future__ import annotations

import re

import psycopg

from dev.postgres import Postgres

_TRUST = re.compile(r"^(host\s+all\s+.*)trust$", re.MULTILINE)


class EmptyCluster(Postgres):
    """A cluster whose logins have the passwords of a folder of secrets, as soon as somebody sets them."""

    def __init__(self, home, port, secrets):
        super().__init__(home, port, durable=False, shared_buffers="128MB")
        self.secrets = secrets

    def dsn(self, user="postgres", dbname="postgres"):
        name = "postgres_password" if user == "postgres" else f"password_{user.removeprefix('sankofa_')}"
        return f"{super().dsn(user, dbname)} password={(self.secrets / name).read_text().strip()}"

    def start(self):
        """Start it; from the first time on, it asks everybody for a password, as a container does."""
        super().start()
        rules = self.data / "pg_hba.conf"
        with psycopg.connect(self.dsn(), autocommit=True) as admin:
            password = (self.secrets / "postgres_password").read_text().strip()
            admin.execute(f"ALTER ROLE postgres PASSWORD '{password}'")
            rules.write_text(_TRUST.sub(r"\1scram-sha-256", rules.read_text()))
            admin.execute("SELECT pg_reload_conf()")
