-- Proofs: what leads from one served row to the digest of the edition that sealed it. The API may read neither tombstones
-- nor blocks, so it asks this function, which returns hashes and the one row.

CREATE FUNCTION serving.proof_of(dataset text, row_number bigint) RETURNS TABLE (
    edition integer, columns text[], content text, row_hashes bytea[], row_place integer, blocks bytea[],
    block_place integer, groups bytea[], group_place integer, manifest text, digest bytea, signature bytea, public_key bytea
) LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET datestyle = 'ISO' SET timezone = 'UTC' SET bytea_output = 'hex'
SET enable_seqscan = off AS $$
DECLARE
    table_name constant text := 'serving.' || dataset;
    relation constant regclass := format('serving.%I', dataset)::regclass;
    sealed_before bigint;
    first_block integer;
    after bigint;
    until bigint;
BEGIN
    IF dataset NOT IN ('fundamentals_fact', 'provenance') THEN
        RAISE EXCEPTION 'no proofs of %', dataset USING ERRCODE = 'insufficient_privilege';
    END IF;
    EXECUTE format(
        'SELECT %s FROM serving.%I AS stood WHERE stood.row_id = $1', ops.sealing_edition(relation, 'stood'), dataset
    ) INTO edition USING row_number;
    SELECT block.last_key::bigint INTO sealed_before FROM ops.digest_block AS block
    WHERE block.part = table_name AND block.edition < proof_of.edition
    ORDER BY block.edition DESC, block.block DESC LIMIT 1;
    sealed_before := coalesce(sealed_before, 0);
    -- A group covers 65,536 row numbers: 256 blocks of at most 256 rows.
    first_block := (row_number - sealed_before - 1) / 65536 * 256;

    SELECT
        array_agg(block.digest ORDER BY block.block),
        (count(*) FILTER (WHERE block.last_key::bigint < row_number))::integer,
        max(block.last_key::bigint) FILTER (WHERE block.last_key::bigint < row_number),
        min(block.last_key::bigint) FILTER (WHERE block.last_key::bigint >= row_number)
    INTO blocks, block_place, after, until
    FROM ops.digest_block AS block
    WHERE
        block.part = table_name AND block.edition = proof_of.edition
        AND block.block BETWEEN first_block AND first_block + 255;
    after := coalesce(after, sealed_before + first_block::bigint * 256);

    SELECT
        array_agg(held.digest ORDER BY held.digest_group),
        (count(*) FILTER (WHERE held.digest_group < first_block / 256))::integer
    INTO groups, group_place
    FROM ops.digest_group AS held
    WHERE held.part = table_name AND held.edition = proof_of.edition;

    EXECUTE format(
        'SELECT array_agg(coalesce(buried.digest, %s) ORDER BY row_id), (count(*) FILTER (WHERE row_id < $3))::integer '
        'FROM (SELECT * FROM serving.%I WHERE row_id > $1 AND row_id <= $2) AS stood '
        'FULL JOIN ('
        '    SELECT DISTINCT ON (row_id) row_id, digest FROM ops.tombstone '
        '    WHERE dataset = %L AND row_id > $1 AND row_id <= $2 ORDER BY row_id, takedown'
        ') AS buried USING (row_id)',
        ops.row_hash(relation, 'stood'), dataset, dataset
    ) INTO row_hashes, row_place USING after, until, row_number;

    SELECT form.columns INTO columns FROM ops.sealed_form AS form
    WHERE form.part = table_name AND form.first_edition <= proof_of.edition
    ORDER BY form.first_edition DESC LIMIT 1;
    EXECUTE format(
        'SELECT ROW(%s)::text FROM serving.%I AS stood WHERE row_id = $1',
        (SELECT string_agg(format('stood.%I', name), ', ' ORDER BY number)
        FROM unnest(columns) WITH ORDINALITY AS kept (name, number)),
        dataset
    ) INTO content USING row_number;

    SELECT sealed.manifest, sealed.digest, sealed.signature, sealed.public_key
    INTO manifest, digest, signature, public_key
    FROM serving.edition_digest AS sealed
    WHERE sealed.edition = proof_of.edition;
    RETURN NEXT;
END
$$;
COMMENT ON FUNCTION serving.proof_of IS
'A row as it was sealed, and the hashes beside it: of its block, of the blocks in its group, and of the groups.';
REVOKE ALL ON FUNCTION serving.proof_of FROM public;
GRANT EXECUTE ON FUNCTION serving.proof_of TO sankofa_api;
