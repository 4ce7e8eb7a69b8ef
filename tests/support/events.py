"""Events of contracting processes as a test states them, written where the publisher keeps them."""

from __future__ import annotations

from dataclasses import replace

from sankofa.core.dataset import Dataset
from sankofa.editions.publish import publish
from sankofa.editions.reconcile import reconcile
from sankofa.editions.walk import Step, Walk
from sankofa.signals.publish import Signals
from sankofa.signals.walk import Cells
from sankofa.tenders.dataset import EVENTS
from support.filings import Filer

_STATED = """
CREATE TEMPORARY TABLE stated (
    name text, kind text, country text, month date, category text, party text, currency text, value numeric,
    tenderers integer, days integer, joint boolean, document text
) ON COMMIT DROP
"""
_KEEP = """
INSERT INTO serving.provenance
(provenance_id, document_ref, license_class, observed_at, available_at_basis, method, extraction_confidence)
SELECT DISTINCT
    md5(document)::uuid, document, CASE document WHEN 'b' THEN 'CC-BY-4.0' ELSE 'synthetic' END,
    '2026-01-05 06:00Z'::timestamptz + ascii(document) * interval '1 minute', 'filing', 'ocds', NULL::numeric
FROM stated
ON CONFLICT DO NOTHING
"""
_TARGET = """
CREATE TEMPORARY TABLE target ON COMMIT DROP AS
SELECT
    row_number() OVER () AS target_id, md5(name || kind)::uuid AS event_id, md5(name)::uuid AS process_key,
    md5(document)::uuid AS provenance_id, month, tenderers, days, joint, kind, country, category,
    party, currency, value
FROM stated
"""
_TOUCHED = """
CREATE TEMPORARY TABLE touched ON COMMIT DROP AS
SELECT process_key FROM target UNION SELECT process_key FROM serving.tender_event
"""


class Events(Step):
    """Events as the walk below writes them."""

    dataset = Dataset(name="events", package="", about="", tables=(EVENTS,))

    def publish(self, connection, edition):
        raise NotImplementedError


class Happened(Walk):
    """All that has happened so far, reconciled as the processes' own walk does it."""

    name = "happened"
    steps = (Events(),)

    def __init__(self, events):
        self._events = events

    def touch(self, connection, edition, _before):
        with connection.transaction():
            connection.execute(_STATED)
            with connection.cursor() as cursor, cursor.copy("COPY stated FROM STDIN") as copy:
                for event in self._events:
                    copy.write_row(event)
            for statement in (_KEEP, _TARGET, _TOUCHED):
                connection.execute(statement)
            reconcile(connection, EVENTS, edition)
        return []


def publish_events(service, events, step=None):
    """Publish an edition in which this is what happened, and a filing, so that there is something new."""
    number = len(service.rows("SELECT FROM serving.edition")) + 1
    service.ingest(Filer(number).says(number, filed="2024-02-01").document())
    walks = (Happened(events), Cells(steps=(step or Signals(),)))
    return publish(replace(service.publisher(), walks=walks, check=lambda _connection, _edition: None))
