-- name: session_tables
CREATE TEMPORARY TABLE touched_process (process_key uuid PRIMARY KEY);

-- name: touch_held
-- Processes that batches show anything of, and those that mention a party which answers otherwise than before:
-- it is established now, is no longer, or is the same as another.
INSERT INTO touched_process (process_key)
SELECT process.process_key
FROM concerned_batch AS concerned
INNER JOIN ops.batch_process AS process ON concerned.batch_id = process.batch_id
UNION
SELECT party.process_key
FROM touched_id
INNER JOIN ops.issued_id AS issued ON touched_id.service_id = issued.service_id
INNER JOIN ledger.release_party AS party ON issued.subject_id = party.subject_id
LEFT JOIN answered_before AS was ON touched_id.service_id = was.service_id
LEFT JOIN serving.issued_id AS now
    ON touched_id.service_id = now.service_id AND now.superseded_in = 2147483647
WHERE now.resolves_to IS DISTINCT FROM was.resolves_to
UNION
SELECT party.process_key
FROM ops.edition_holds AS held
INNER JOIN ledger.takedown AS takedown ON held.number = takedown.takedown
INNER JOIN ops.issued_id AS issued ON takedown.target = issued.service_id
INNER JOIN ledger.release_party AS party ON issued.subject_id = party.subject_id
WHERE held.edition = %(edition)s AND held.kind = 'takedown';

-- name: chunk_bounds
-- Processes in order, so many at a time: the last one of each chunk.
SELECT process_key::text FROM (
    SELECT process_key, row_number() OVER (ORDER BY process_key) AS place, count(*) OVER () AS total
    FROM touched_process
) AS placed
WHERE mod(place, %(size)s) = 0 OR place = total
ORDER BY process_key;

-- name: chunk
CREATE TEMPORARY TABLE touched ON COMMIT DROP AS
SELECT process_key FROM touched_process
WHERE process_key > %(after)s::uuid AND process_key <= %(until)s::uuid;
