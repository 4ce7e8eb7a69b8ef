-- name: forms
-- The forms of all tables, the newest of each first, and which columns of their keys are text.
SELECT
    form.part,
    form.first_edition,
    form.columns,
    form.key,
    array(
        SELECT attribute.attcollation <> 0
        FROM unnest(form.key) WITH ORDINALITY AS key (name, place)
        INNER JOIN pg_attribute AS attribute
            ON attribute.attrelid = form.part::regclass AND key.name = attribute.attname::text
        ORDER BY key.place
    ) AS is_text
FROM ops.sealed_form AS form
ORDER BY form.part, form.first_edition DESC;

-- name: steady
-- A sealing or checking session reads by index, whatever the statistics are, and is planned for whole results.
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
VALUES (%s, %s, %s, %s, %s, %s, %s);

-- name: keep_group
INSERT INTO ops.digest_group (part, edition, digest_group, digest) VALUES (%s, %s, %s, %s);

-- name: groups
SELECT held.digest_group, held.digest
FROM ops.digest_group AS held
WHERE held.part = %(part)s AND held.edition = %(edition)s
ORDER BY held.digest_group;

-- name: blocks
SELECT block.block, block.row_count, block.last_key, block.digest
FROM ops.digest_block AS block
WHERE block.part = %(part)s AND block.edition = %(edition)s
ORDER BY block.block;

-- name: all_blocks
-- The blocks of all tables of an edition, those of each table in their order.
SELECT block.part, block.block, block.row_count, block.digest
FROM ops.digest_block AS block
WHERE block.edition = %(edition)s
ORDER BY block.part, block.block;

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
INSERT INTO serving.edition_digest (edition, digest, manifest, signature, public_key)
VALUES (%(edition)s, %(digest)s, %(manifest)s, %(signature)s, %(public_key)s);
