-- What a row's hash is over. Seals outlive the schema: an edition is verified by the columns that its tables had when it
-- was sealed, in the order in which they are kept here.

CREATE TABLE ops.sealed_form (
    part text COLLATE "C" NOT NULL,
    first_edition integer NOT NULL CHECK (first_edition > 0),
    columns text[] NOT NULL,
    key text[] NOT NULL,
    PRIMARY KEY (part, first_edition)
);
COMMENT ON TABLE ops.sealed_form IS 'The columns that the hash of a row is over, for the editions from one on.';
COMMENT ON COLUMN ops.sealed_form.part IS 'The table, with its schema.';
COMMENT ON COLUMN ops.sealed_form.first_edition IS 'First edition that seals rows of the table in this form.';
COMMENT ON COLUMN ops.sealed_form.columns IS
'The columns in the order of the hash, without superseded_in, which is sealed as a closing.';
COMMENT ON COLUMN ops.sealed_form.key IS 'The columns by which rows are told apart and ordered.';
SELECT ops.keep_append_only('ops.sealed_form');

CREATE FUNCTION ops.renew_form(relation regclass, key text[] DEFAULT NULL) RETURNS void LANGUAGE sql AS $$
    INSERT INTO ops.sealed_form (part, first_edition, columns, key)
    SELECT
        namespace.nspname || '.' || class.relname,
        1 + greatest(
            0, (SELECT max(edition.edition) FROM serving.edition AS edition),
            (SELECT max(build.edition) FROM ops.edition_build AS build)
        ),
        array(
            SELECT attribute.attname::text FROM pg_attribute AS attribute
            WHERE
                attribute.attrelid = class.oid AND attribute.attnum > 0 AND NOT attribute.attisdropped
                AND attribute.attname <> 'superseded_in'
            ORDER BY attribute.attnum
        ),
        -- Without a primary key: as before, or by the number of the row.
        coalesce(renew_form.key, nullif(array(
            SELECT attribute.attname::text
            FROM pg_index AS index
            CROSS JOIN LATERAL unnest(index.indkey) WITH ORDINALITY AS place (attnum, place)
            INNER JOIN pg_attribute AS attribute ON attribute.attrelid = class.oid AND place.attnum = attribute.attnum
            WHERE index.indrelid = class.oid AND index.indisprimary
            ORDER BY place.place
        ), '{}'), (
            SELECT form.key FROM ops.sealed_form AS form
            WHERE form.part = namespace.nspname || '.' || class.relname
            ORDER BY form.first_edition DESC
            LIMIT 1
        ), '{row_id}')
    FROM pg_class AS class
    INNER JOIN pg_namespace AS namespace ON class.relnamespace = namespace.oid
    WHERE class.oid = relation;
$$;
COMMENT ON FUNCTION ops.renew_form IS
'For migrations that change a sealed table: editions after those that are published or being built seal its columns of now.';
REVOKE ALL ON FUNCTION ops.renew_form FROM public;

SELECT
    ops.renew_form(
        class.oid,
        CASE
            WHEN class.oid = 'ledger.fact'::regclass
                THEN ARRAY['filing_id', 'concept_id', 'period_end', 'period_start', 'unit', 'scope', 'document_id']
        END
    )
FROM pg_class AS class
INNER JOIN pg_namespace AS namespace ON class.relnamespace = namespace.oid
WHERE namespace.nspname IN ('ledger', 'serving', 'ops') AND class.relkind = 'r';

-- A row that no edition has sealed yet will be sealed in the newest form.
CREATE FUNCTION ops.sealing_edition(relation regclass, name text) RETURNS text LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp AS $$
    SELECT CASE
        WHEN EXISTS (
            SELECT FROM pg_attribute AS attribute
            WHERE attribute.attrelid = relation AND attribute.attname = 'published_in'
        ) THEN format('(%I).published_in', name)
        ELSE format(
            'coalesce((SELECT block.edition FROM ops.digest_block AS block '
            'WHERE block.part = %L AND block.last_key::bigint >= (%I).row_id '
            'ORDER BY block.last_key::bigint LIMIT 1), 2147483647)',
            relation, name
        )
    END
$$;
COMMENT ON FUNCTION ops.sealing_edition IS 'The SQL of the edition that sealed a row.';

CREATE FUNCTION ops.row_hash(relation regclass, name text) RETURNS text LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp AS $$
    SELECT format('CASE %s END', string_agg(format(
        'WHEN %s >= %s THEN sha256(''\x00''::bytea || convert_to(ROW(%s)::text, ''UTF8''))',
        ops.sealing_edition(relation, name), form.first_edition,
        (
            SELECT string_agg(format('(%I).%I', name, kept.column_name), ', ' ORDER BY kept.place)
            FROM unnest(form.columns) WITH ORDINALITY AS kept (column_name, place)
        )
    ), ' ' ORDER BY form.first_edition DESC))
    FROM ops.sealed_form AS form
    WHERE form.part = relation::text
$$;
COMMENT ON FUNCTION ops.row_hash IS 'The SQL of a row''s hash, as editions/rows.py writes it for digests.';
REVOKE ALL ON FUNCTION ops.sealing_edition, ops.row_hash FROM public;

GRANT SELECT ON ops.sealed_form TO sankofa_publish;
