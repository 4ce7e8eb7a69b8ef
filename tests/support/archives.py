"""Archives of many filers in the SEC's bulk layout, and reading them by a command that can be killed."""

from __future__ import annotations

import os
import signal
import subprocess
import zipfile
from pathlib import Path

from dev.installation import command
from support.filings import Filer

SOURCE = "demo-companyfacts"
MOMENT = "2026-01-05T06:00:00"  # when the archive was fetched

# What the ledger has, without the numbers that rows got when they were written.
_LEDGER = {
    "facts": """
        SELECT subject.identifier, filing.filing_number, filing.filed, concept.concept,
            fact.period_start::text, fact.period_end, fact.unit, fact.scope::text, fact.value,
            encode(document.sha256, 'hex')
        FROM ledger.fact AS fact
        JOIN ledger.filing AS filing USING (filing_id)
        JOIN ledger.subject AS subject USING (subject_id)
        JOIN ledger.concept AS concept USING (concept_id)
        JOIN ops.document AS document ON fact.document_id = document.document_id
        ORDER BY 1, 2, 4, 5, 6, 7, 8, 9, 10""",
    "organisations": """
        SELECT subject.identifier, record.legal_name, record.available_at, record.stated_at, record.content,
            encode(document.sha256, 'hex')
        FROM ledger.organisation_record AS record
        JOIN ledger.subject AS subject USING (subject_id)
        JOIN ops.document AS document ON record.document_id = document.document_id
        ORDER BY 1, 3, 4, 5, 6""",
    "batches": """
        SELECT document.source, encode(document.sha256, 'hex'), document.fetched_at, batch.outcome,
            batch.facts_read, batch.facts_appended, extent.keys, extent.newest,
            array(SELECT ROW(reason, rows_rejected)::text FROM ops.rejection AS one
                WHERE one.batch_id = batch.batch_id ORDER BY reason),
            (SELECT count(*) FROM ops.batch_subject AS one WHERE one.batch_id = batch.batch_id)
        FROM ops.batch AS batch
        JOIN ops.document AS document USING (document_id)
        LEFT JOIN ops.batch_extent AS extent USING (batch_id)
        ORDER BY 3, 2""",
}


def ledger(service):
    """Return all that the ledger has of filings, and what it says of its batches."""
    return {name: service.rows(statement) for name, statement in _LEDGER.items()}


def filer(number, value=None):
    """Return the document of a filer with two filings; the second one restates the first."""
    one = Filer(number, name=f"Company {number} PLC")
    one.says(number, filed="2023-03-01", period=("2022-01-01", "2022-12-31"))
    one.says(value or number + 1, filed="2024-03-01", period=("2022-01-01", "2022-12-31"))
    one.says(number + 2, filed="2024-03-01", concept="ifrs-full:Assets", period=(None, "2023-12-31"))
    return one.document()


def archive(path: Path, documents) -> Path:
    """Write an archive; what is given as bytes is a filer's document, by number."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        for number, document in documents.items():
            name = number if isinstance(number, str) else f"CIK{number:010d}.json"
            packed.writestr(zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0)), document, zipfile.ZIP_DEFLATED)
    return path


class Family:
    """`sankofa ingest` of an archive and the processes that help it."""

    def __init__(self, service, file, workers=2, source=SOURCE, moment=MOMENT):
        words = ("ingest", source, str(file), "--workers", str(workers), "--fetched-at", moment)
        line, environment = command(service.installation, *words)
        self._process = subprocess.Popen(
            line, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )

    @property
    def pids(self):
        """The one that was started, then those that it has started."""
        children = Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children")
        try:
            return [self._process.pid, *map(int, children.read_text().split())]
        except FileNotFoundError:
            return [self._process.pid]

    def is_over(self):
        return self._process.poll() is not None

    def kill(self, pid):
        """Kill one of them with SIGKILL."""
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            return
        if pid == self._process.pid:
            self._process.wait()

    def wait(self):
        """Wait for its end; it must have succeeded, unless it was killed."""
        return self._process.wait()
