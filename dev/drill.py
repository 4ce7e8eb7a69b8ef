"""The command behind `make restore-drill`: restore a copy of what `make ha` runs to a moment, and verify it.

The running cluster is not touched. The copy has the time, the editions and the facts of that moment; what was
published after it is known from the record outside the database, and is printed.
"""

import argparse
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime

from dev import application
from dev.ha import HaStack
from dev.installation import Installation, command
from dev.ports import unused_ports
from dev.postgres import Postgres
from dev.service import StackError, wait_until
from dev.stack import ROOT
from sankofa.storage.postgres import connect

_ARCHIVE_SECONDS = 60.0
# The copy belongs to no cluster: it archives nothing and waits for no replica.
_ALONE = {"archive_mode": "off", "synchronous_standby_names": ""}
# What `sankofa verify` prints of editions that the record outside has and the copy lacks.
_MISSING = re.compile(r"editions up to (\d+) were issued, and all after (\d+) are missing")


@dataclass(frozen=True, kw_only=True)
class Drilled:
    """What was restored."""

    newest: int  # the newest edition of the copy
    issued: int  # the newest edition that the record outside has
    problems: list[str]  # whatever else is not as it was sealed

    @property
    def missing(self) -> range:
        """The editions that were published after the moment."""
        return range(self.newest + 1, self.issued + 1)


def archive_now(stack: HaStack) -> None:
    """Finish the present file of WAL, and wait until everything before it is in the repository."""
    with connect(stack.postgres_dsn()) as admin:
        # A restore to a moment ends at the first commit after it. There may be none yet, so this makes one.
        admin.execute("SELECT pg_current_xact_id()")
        row = admin.execute("SELECT pg_walfile_name(pg_switch_wal())").fetchone()
        wanted = str(row[0] if row else "")

        def is_archived() -> bool:
            newest = admin.execute("SELECT last_archived_wal FROM pg_stat_archiver").fetchone()
            return newest is not None and str(newest[0] or "") >= wanted

        if not wait_until(is_archived, _ARCHIVE_SECONDS):
            raise StackError(f"the WAL up to {wanted} is not archived after {_ARCHIVE_SECONDS:.0f} s")


@contextmanager
def restored(stack: HaStack, moment: datetime) -> Iterator[Postgres]:
    """Run a copy of the cluster as it was at a moment, on a free port, and remove it afterwards."""
    copy = Postgres(stack.home / "drill", next(unused_ports()), durable=False, settings=_ALONE)
    copy.destroy()
    try:
        stack.postgres.repository.restore(copy, f"{moment:%Y-%m-%d %H:%M:%S.%f}+00")
        copy.start()
        with connect(copy.dsn()) as admin:
            promoted = "SELECT NOT pg_is_in_recovery()"
            if not wait_until(lambda: admin.execute(promoted).fetchone() == (True,), copy.start_seconds):
                raise StackError("the copy did not reach the moment")
        yield copy
    finally:
        copy.destroy()


def verified(installation: Installation, copy: Postgres) -> Drilled:
    """Verify a copy against the record outside of the database."""
    line, environment = command(installation, "verify")
    login = copy.dsn("sankofa_publish", installation.database)
    environment |= {"SANKOFA_PUBLISH_DSN": login}
    done = subprocess.run(line, env=environment, cwd=ROOT, capture_output=True, text=True, check=False)
    *found, last = done.stdout.splitlines() or [done.stderr]
    problems = [each for each in found if not each.startswith("note: ") and not _MISSING.search(each)]
    missing = [match for each in found if (match := _MISSING.search(each))]
    with connect(login) as connection:
        row = connection.execute("SELECT coalesce(max(edition), 0) FROM serving.edition").fetchone()
        newest = int(str(row[0])) if row else 0
    if done.returncode and not missing:
        problems.append(last)
    return Drilled(newest=newest, issued=int(missing[0][1]) if missing else newest, problems=problems)


def drill(stack: HaStack, moment: datetime) -> Drilled:
    """Restore to a moment and verify; print what each step took."""
    installation = Installation(stack)
    with application.step("archive") as done:
        archive_now(stack)
        done.append("every commit is in the repository")
    with ExitStack() as kept:
        with application.step("restore") as done:
            copy = kept.enter_context(restored(stack, moment))
            done.append(f"to {moment:%Y-%m-%d %H:%M:%S} UTC")
        with application.step("verify") as done:
            found = verified(installation, copy)
            done.append("; ".join(found.problems) or "all that was restored is as it was sealed")
    return found


def main() -> int:
    """Run a drill."""
    parser = argparse.ArgumentParser(prog="python -m dev.drill", description=__doc__)
    parser.add_argument(
        "--to", type=datetime.fromisoformat, help="the moment, such as 2026-11-18T10:00:00Z; default: now"
    )
    moment = parser.parse_args().to or datetime.now(UTC)
    try:
        found = drill(HaStack.local(), moment.astimezone(UTC))
    except StackError as error:
        print(error, file=sys.stderr)
        return 1
    lost = ", ".join(map(str, found.missing)) or "none"
    print(f"newest edition at that moment: {found.newest}; published later, and missing in the copy: {lost}")
    return 1 if found.problems else 0


if __name__ == "__main__":
    sys.exit(main())
