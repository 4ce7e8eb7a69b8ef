"""How the WAL of the cluster is archived and backed up: pgBackRest with a repository on this machine."""

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from dev.postgres import Postgres
from dev.postgres_programs import give_to_postgres, postgres_identity, reachable
from dev.service import StackError

_STANZA = "sankofa"
_CONFIGURATION = """\
[global]
repo1-path={repository}
repo1-retention-full=2
start-fast=y
log-path={server}
log-level-console=warn
log-level-file=off
lock-path={server}/lock
spool-path={server}/spool
[{stanza}]
pg1-path={data}
pg1-port={port}
pg1-socket-path={server}
"""


@dataclass(frozen=True, slots=True)
class Source:
    """One server as pgBackRest finds it."""

    repository: Path
    server: Postgres

    @property
    def file(self) -> Path:
        """The configuration."""
        return self.server.home / "pgbackrest.conf"

    @property
    def archive_command(self) -> str:
        """The command that puts a finished file of WAL into the repository."""
        return f'pgbackrest --config={self.file} --stanza={_STANZA} archive-push "%p"'

    def prepare(self) -> None:
        """Write the configuration."""
        give_to_postgres(self.server.home)
        values = {"server": self.server.home, "data": self.server.data, "port": self.server.port}
        self.file.write_text(_CONFIGURATION.format(repository=self.repository, stanza=_STANZA, **values))

    def run(self, *arguments: str) -> None:
        """Run a command of pgBackRest on this server."""
        program = shutil.which("pgbackrest")
        if program is None:
            raise StackError("pgbackrest is not installed: run make setup")
        done = subprocess.run(
            [program, f"--config={self.file}", f"--stanza={_STANZA}", *arguments],
            cwd=self.server.home,
            capture_output=True,
            text=True,
            check=False,
            **postgres_identity(),
        )
        if done.returncode:
            raise StackError(f"pgbackrest {arguments[-1]} failed:\n{done.stdout}{done.stderr}")


class Repository:
    """The backups and the archived WAL of one cluster."""

    def __init__(self, home: Path) -> None:
        """Describe the repository."""
        self.home = reachable(home.resolve())

    def source(self, server: Postgres) -> Source:
        """Return how a server is backed up to, or restored from, this repository."""
        return Source(self.home, server)

    def prepare(self) -> None:
        """Make the folder."""
        give_to_postgres(self.home)

    def accept(self, primary: Postgres) -> None:
        """Accept the WAL of a cluster from now on; safe to repeat."""
        self.source(primary).run("stanza-create")

    def back_up(self, primary: Postgres) -> None:
        """Make a backup: a full one, or of what changed since the last full one."""
        self.source(primary).run("--type=diff", "backup")

    def restore(self, target: Postgres, moment: str) -> None:
        """Fill an empty server with the state of the cluster at a moment; it is promoted when started."""
        source = self.source(target)
        source.prepare()
        give_to_postgres(target.data)
        target.data.chmod(0o700)
        point = (f"--target={moment}", "--target-action=promote", "--archive-mode=off")
        source.run("--type=time", *point, "restore")

    def destroy(self) -> None:
        """Remove everything."""
        shutil.rmtree(self.home, ignore_errors=True)
