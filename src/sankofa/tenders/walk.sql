-- name: touch_held
-- Processes of batches, and those that mention a party whose resolution has changed: it is newly established, not
-- established any more, or merged with another.
INSERT INTO build.touched_process (process_key)
SELECT process.process_key
FROM build.concerned_batch AS concerned
INNER JOIN ops.batch_process AS process ON concerned.batch_id = process.batch_id
UNION
SELECT party.process_key
FROM build.touched_id
INNER JOIN ops.issued_id AS issued ON touched_id.service_id = issued.service_id
INNER JOIN ledger.release_party AS party ON issued.subject_id = party.subject_id
LEFT JOIN build.answered_before AS was ON touched_id.service_id = was.service_id
LEFT JOIN serving.issued_id AS now
    ON touched_id.service_id = now.service_id AND fragment.is_live(now)
WHERE now.resolves_to IS DISTINCT FROM was.resolves_to
UNION
SELECT party.process_key
FROM ops.edition_holds AS held
INNER JOIN ledger.takedown AS takedown ON held.number = takedown.takedown
INNER JOIN ops.issued_id AS issued ON takedown.target = issued.service_id
INNER JOIN ledger.release_party AS party ON issued.subject_id = party.subject_id
WHERE held.edition = %(edition)s AND held.kind = 'takedown';

-- name: chunk
CREATE TEMPORARY TABLE touched ON COMMIT DROP AS
SELECT process_key FROM build.touched_process
WHERE process_key > %(after)s::uuid AND process_key <= %(until)s::uuid;
