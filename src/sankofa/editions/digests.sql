-- name: forms
-- Tables with their columns, and the columns of their keys in the order of the key.
SELECT
    namespace.nspname || '.' || class.relname AS name,
    array(
        SELECT attribute.attname::text FROM pg_attribute AS attribute
        WHERE attribute.attrelid = class.oid AND attribute.attnum > 0 AND NOT attribute.attisdropped
        ORDER BY attribute.attnum
    ) AS columns,
    keyed.columns AS key_columns,
    keyed.is_text
FROM pg_class AS class
INNER JOIN pg_namespace AS namespace ON class.relnamespace = namespace.oid
INNER JOIN LATERAL (
    SELECT
        array_agg(attribute.attname::text ORDER BY place.place) AS columns,
        array_agg(attribute.attcollation <> 0 ORDER BY place.place) AS is_text
    FROM pg_index AS index
    CROSS JOIN LATERAL unnest(index.indkey) WITH ORDINALITY AS place (attnum, place)
    INNER JOIN pg_attribute AS attribute
        ON index.indrelid = attribute.attrelid AND place.attnum = attribute.attnum
    WHERE index.indrelid = class.oid AND index.indisprimary
) AS keyed ON TRUE
WHERE namespace.nspname IN ('ledger', 'serving', 'ops') AND class.relkind = 'r';

-- name: steady
-- A sealing or checking session reads by index, whatever the statistics say, and as one whole answer.
SELECT
    set_config('enable_seqscan', 'off', TRUE),
    set_config('cursor_tuple_fraction', '1', TRUE),
    set_config('jit', 'off', TRUE),
    set_config('work_mem', '256MB', TRUE);

-- name: held
-- What an edition took in: its batches, and the documents that those it accepted were made of.
SELECT
    coalesce(array_agg(batch.batch_id), '{}') AS batches,
    coalesce(array_agg(DISTINCT batch.document_id), '{}') AS documents,
    coalesce(array_agg(batch.document_id) FILTER (WHERE batch.outcome = 'accepted'), '{}') AS accepted
FROM ops.edition_holds AS held
INNER JOIN ops.batch AS batch ON held.number = batch.batch_id
WHERE held.kind = 'batch' AND held.edition = %(edition)s;

-- name: last_sealed
-- The last row of a table that any edition before one has sealed.
SELECT block.last_key
FROM ops.digest_block AS block
WHERE block.part = %(part)s AND block.edition < %(edition)s
ORDER BY block.edition DESC, block.block DESC
LIMIT 1;

-- name: last
-- The same for many tables.
SELECT part.part, sealed.last_key
FROM unnest(%(parts)s::text[]) AS part (part)
INNER JOIN LATERAL (
    SELECT block.last_key FROM ops.digest_block AS block
    WHERE block.part = part.part AND block.edition < %(edition)s
    ORDER BY block.edition DESC, block.block DESC
    LIMIT 1
) AS sealed ON TRUE;

-- name: keep_block
INSERT INTO ops.digest_block (part, edition, block, row_count, last_key, digest, marks)
VALUES (%(part)s, %(edition)s, %(block)s, %(rows)s, %(last_key)s, %(digest)s, %(marks)s);

-- name: blocks
SELECT block.block, block.row_count, block.last_key, block.digest
FROM ops.digest_block AS block
WHERE block.part = %(part)s AND block.edition = %(edition)s
ORDER BY block.block;

-- name: marks
SELECT block.marks
FROM ops.digest_block AS block
WHERE block.part = %(part)s AND block.edition = %(edition)s AND block.block BETWEEN %(first)s AND %(last)s
ORDER BY block.block;

-- name: newest_digest
SELECT sealed.edition, sealed.digest
FROM serving.edition_digest AS sealed
ORDER BY sealed.edition DESC
LIMIT 1;

-- name: keep_digest
INSERT INTO serving.edition_digest (edition, digest, manifest) VALUES (%(edition)s, %(digest)s, %(manifest)s);
