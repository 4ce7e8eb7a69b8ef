-- Roles: no login deletes what is published. Takedowns go through one function, which records what it removes.

CREATE TABLE ops.takedown_reach (
    kind text NOT NULL CHECK (kind IN ('organisation', 'names', 'fact')),
    dataset text NOT NULL,
    about text NOT NULL,
    PRIMARY KEY (kind, dataset)
);
COMMENT ON TABLE ops.takedown_reach IS 'Which rows of which serving table a takedown removes. Written by migrations alone.';
COMMENT ON COLUMN ops.takedown_reach.kind IS
'organisation: everything about one id; names: its former names; fact: what was computed from one fact, and its files.';
COMMENT ON COLUMN ops.takedown_reach.dataset IS 'The serving table.';
COMMENT ON COLUMN ops.takedown_reach.about IS 'Condition on its row `departed`; $1 is the service_id, $2 the fact_id.';

INSERT INTO ops.takedown_reach (kind, dataset, about)
SELECT 'organisation', one.dataset, 'departed.service_id = $1'
FROM unnest(ARRAY[
    'issued_id', 'organisation', 'organisation_name', 'identifier', 'fundamentals_fact', 'metric_value', 'issuer_coverage',
    'tender_party'
]) AS one (dataset);

INSERT INTO ops.takedown_reach (kind, dataset, about) VALUES
('names', 'organisation_name', 'departed.service_id = $1'),
('organisation', 'tender_release', 'departed.named_in_ids <> ''{}'' AND departed.named_in_ids @> ARRAY[$1]'),
('organisation', 'tender_fact', 'departed.named_in_ids <> ''{}'' AND departed.named_in_ids @> ARRAY[$1]'),
('organisation', 'tender_text', 'departed.named <> ''{}'' AND departed.named @> ARRAY[$1]'),
-- A filing is one issuer's, so no row of another organisation loses its provenance.
('organisation', 'provenance', 'departed.provenance_id IN (
    SELECT fact.provenance_id FROM serving.fundamentals_fact AS fact WHERE fact.service_id = $1
)'),
-- Files with rows about the id, or with rows whose source names it. Panels and closings are about nobody.
('organisation', 'artifact', 'departed.kind = ''rows'' AND (
    departed.subject = ''AF-FUND'' AND EXISTS (
        SELECT FROM serving.fundamentals_fact AS fact
        WHERE fact.service_id = $1
            AND fact.row_id > departed.after_row AND fact.row_id <= departed.until_row
            AND fact.published_in BETWEEN departed.first_edition AND departed.last_edition
    )
    OR departed.subject = ''AF-TENDER'' AND EXISTS (
        SELECT FROM serving.tender_fact AS fact
        WHERE fact.measure = ''award_value'' AND fact.party IN (
            SELECT $1
            UNION ALL
            SELECT member.service_id FROM serving.issued_id AS member WHERE member.resolves_to = $1
        )
            AND fact.row_id > departed.after_row AND fact.row_id <= departed.until_row
            AND fact.published_in <= departed.last_edition
    )
    OR departed.subject = ''AF-TENDER'' AND EXISTS (
        SELECT FROM serving.tender_fact AS fact
        WHERE fact.named_in_ids <> ''{}'' AND fact.named_in_ids @> ARRAY[$1]
            AND fact.row_id > departed.after_row AND fact.row_id <= departed.until_row
            AND fact.published_in <= departed.last_edition
    )
)'),
('fact', 'metric_value', 'departed.service_id = $1 AND departed.inputs && ARRAY(
    SELECT fact.row_id FROM serving.fundamentals_fact AS fact WHERE fact.service_id = $1 AND fact.fact_id = $2
)'),
('fact', 'artifact', 'departed.subject = ''AF-FUND'' AND departed.kind = ''rows'' AND EXISTS (
    SELECT FROM serving.fundamentals_fact AS fact
    WHERE fact.service_id = $1 AND fact.fact_id = $2
        AND fact.published_in BETWEEN departed.first_edition AND departed.last_edition
        AND fact.row_id > departed.after_row AND fact.row_id <= departed.until_row
)');

-- The guard of published rows: a row goes only after its tombstone was written, whoever asks.
CREATE OR REPLACE FUNCTION serving.guard_row() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    never constant integer := 2147483647;
    current_edition constant integer := serving.current_edition();
    unclosed record;
BEGIN
    IF tg_op = 'DELETE' THEN
        -- An unfinished build may be undone; published rows go by takedown only.
        IF old.published_in > current_edition OR EXISTS (
            SELECT FROM ops.tombstone AS tombstone
            WHERE tombstone.dataset = tg_table_name AND tombstone.row_id = old.row_id AND tombstone.remains IS NULL
        ) THEN
            RETURN old;
        END IF;
    ELSE
        unclosed := new;
        unclosed.superseded_in := old.superseded_in;
        IF unclosed IS NOT DISTINCT FROM old AND (
            (old.superseded_in = never AND new.superseded_in > current_edition)
            OR (old.superseded_in > current_edition AND new.superseded_in = never)
        ) THEN
            RETURN new;
        END IF;
        -- A fact that is taken down keeps its place and loses its value.
        IF to_jsonb(new) = jsonb_set(to_jsonb(old), '{value}', 'null', false) AND EXISTS (
            SELECT FROM ops.tombstone AS tombstone
            WHERE tombstone.dataset = tg_table_name AND tombstone.row_id = old.row_id AND tombstone.remains IS NOT NULL
        ) THEN
            RETURN new;
        END IF;
    END IF;
    RAISE EXCEPTION '% on %.% refused: published rows do not change', tg_op, tg_table_schema, tg_table_name
        USING ERRCODE = 'insufficient_privilege';
END
$$;

CREATE FUNCTION serving.guard_provenance() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (
        SELECT FROM ops.tombstone AS tombstone
        WHERE tombstone.dataset = 'provenance' AND tombstone.row_id = old.row_id
    ) THEN
        RETURN old;
    END IF;
    RAISE EXCEPTION 'DELETE on serving.provenance refused: no takedown removes this row'
        USING ERRCODE = 'insufficient_privilege';
END
$$;
COMMENT ON FUNCTION serving.guard_provenance IS 'A provenance goes only after its tombstone was written.';
CREATE TRIGGER published BEFORE DELETE ON serving.provenance
FOR EACH ROW EXECUTE FUNCTION serving.guard_provenance();
ALTER TABLE serving.provenance ENABLE ALWAYS TRIGGER published;

CREATE FUNCTION ops.row_hash(relation regclass, name text) RETURNS text LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp AS $$
    SELECT format(
        'sha256(convert_to(rtrim(ROW(%s)::text, '',)''), ''UTF8''))',
        string_agg(format('(%I).%I', name, attribute.attname), ', ' ORDER BY attribute.attnum)
    )
    FROM pg_attribute AS attribute
    WHERE attribute.attrelid = relation AND attribute.attnum > 0 AND NOT attribute.attisdropped
        AND attribute.attname <> 'superseded_in'
$$;
COMMENT ON FUNCTION ops.row_hash IS 'The SQL of a row''s hash, as editions/rows.py writes it for digests.';

CREATE FUNCTION ops.remove(kind text, target text, reason text, reach text, service_id text, fact_id uuid)
RETURNS integer LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp SET datestyle = 'ISO' SET timezone = 'UTC' SET bytea_output = 'hex' AS $$
DECLARE
    number integer;
    reached record;
BEGIN
    INSERT INTO ledger.takedown (takedown, kind, target, reason)
    SELECT coalesce(max(before.takedown), 0) + 1, remove.kind, remove.target, remove.reason
    FROM ledger.takedown AS before
    RETURNING takedown INTO number;
    -- All tombstones come first: conditions see every row, and no row goes before its tombstone is there.
    FOR reached IN SELECT rule.dataset, rule.about FROM ops.takedown_reach AS rule WHERE rule.kind = reach LOOP
        EXECUTE format(
            'INSERT INTO ops.tombstone (dataset, row_id, published_in, superseded_in, digest, service_id, takedown) '
            'SELECT %L, departed.row_id, %s, %s, $1, $3 FROM serving.%I AS departed WHERE %s',
            reached.dataset,
            CASE reached.dataset WHEN 'provenance' THEN 'NULL, NULL'
                ELSE 'departed.published_in, departed.superseded_in' END,
            ops.row_hash(format('serving.%I', reached.dataset)::regclass, 'departed'), reached.dataset, reached.about
        ) USING service_id, fact_id, number;
    END LOOP;
    IF fact_id IS NOT NULL THEN
        EXECUTE format(
            'INSERT INTO ops.tombstone '
            '(dataset, row_id, published_in, superseded_in, digest, remains, service_id, takedown) '
            'SELECT ''fundamentals_fact'', fact.row_id, fact.published_in, fact.superseded_in, %s, %s, $1, $3 '
            'FROM serving.fundamentals_fact AS fact '
            'CROSS JOIN LATERAL jsonb_populate_record(fact, ''{"value": null}'') AS emptied '
            'WHERE fact.service_id = $1 AND fact.fact_id = $2',
            ops.row_hash('serving.fundamentals_fact', 'fact'), ops.row_hash('serving.fundamentals_fact', 'emptied')
        ) USING service_id, fact_id, number;
    END IF;
    INSERT INTO serving.takedown (takedown, in_edition, rows_removed)
    SELECT number, serving.current_edition(), count(buried.published_in)
    FROM ops.tombstone AS buried
    WHERE buried.takedown = number;
    FOR reached IN SELECT rule.dataset FROM ops.takedown_reach AS rule WHERE rule.kind = reach LOOP
        EXECUTE format(
            'DELETE FROM serving.%I AS departed USING ops.tombstone AS buried '
            'WHERE buried.takedown = $1 AND buried.dataset = %L AND buried.row_id = departed.row_id',
            reached.dataset, reached.dataset
        ) USING number;
    END LOOP;
    -- A fact keeps its place without its value, so that no older vintage passes for the latest.
    UPDATE serving.fundamentals_fact AS fact SET value = NULL
    FROM ops.tombstone AS buried
    WHERE buried.takedown = number AND buried.remains IS NOT NULL AND buried.row_id = fact.row_id;
    RETURN number;
END
$$;
COMMENT ON FUNCTION ops.remove IS
'Removes rows from every edition: number, tombstones, count, then the rows. No login calls it.';

CREATE FUNCTION ops.take_down(service_id text, fact_id uuid, reason text) RETURNS integer LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF fact_id IS NULL AND EXISTS (
        SELECT FROM ops.issued_id AS issued WHERE issued.service_id = take_down.service_id
    ) THEN
        RETURN ops.remove('issuer', service_id, reason, 'organisation', service_id, NULL);
    END IF;
    IF EXISTS (
        SELECT FROM serving.fundamentals_fact AS fact
        WHERE fact.service_id = take_down.service_id AND fact.fact_id = take_down.fact_id
    ) THEN
        RETURN ops.remove('fact', fact_id::text, reason, 'fact', service_id, fact_id);
    END IF;
    RAISE EXCEPTION 'nothing is published that this takedown could remove' USING ERRCODE = 'no_data_found';
END
$$;
COMMENT ON FUNCTION ops.take_down IS
'A takedown on request: an organisation or, with a fact_id, one fact of it. Returns the number of the takedown.';

CREATE FUNCTION ops.take_down_withheld(service_id text, party text, names_only boolean) RETURNS integer LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM ops.edition_build AS build WHERE build.edition > serving.current_edition()) THEN
        RAISE EXCEPTION 'takedown refused: no edition is being built' USING ERRCODE = 'insufficient_privilege';
    END IF;
    IF NOT names_only AND NOT EXISTS (
        SELECT FROM ops.organisation_decision AS judged WHERE judged.service_id = party AND NOT judged.is_established
    ) THEN
        RAISE EXCEPTION 'takedown refused: no judgement withholds %', party USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN ops.remove(
        'withheld', service_id, 'no longer established to be an organisation',
        CASE WHEN names_only THEN 'names' ELSE 'organisation' END, service_id, NULL
    );
END
$$;
COMMENT ON FUNCTION ops.take_down_withheld IS
'For the publisher, while it builds: an id of a party that a judgement withholds, or only the former names of an id.';

CREATE FUNCTION ops.renew_statistics(dataset text) RETURNS void LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    EXECUTE format('ANALYZE serving.%I', dataset);
END
$$;
COMMENT ON FUNCTION ops.renew_statistics IS 'Analyses one serving table. Only an owner may, and no login owns one.';

-- A takedown counts its tombstones before it is recorded.
ALTER TABLE ops.tombstone ALTER CONSTRAINT tombstone_takedown_fkey DEFERRABLE INITIALLY DEFERRED;

SELECT ops.keep_append_only('ops.takedown_reach');

REVOKE ALL ON FUNCTION
serving.guard_provenance, ops.row_hash, ops.remove, ops.take_down, ops.take_down_withheld, ops.renew_statistics
FROM public;
REVOKE ALL ON ALL TABLES IN SCHEMA serving, ledger, ops FROM sankofa_privacy;
REVOKE ALL ON FUNCTION serving.current_edition, serving.identifier_key FROM sankofa_privacy;
REVOKE USAGE ON SCHEMA trigram FROM sankofa_privacy;
-- Which ids are one organisation, and which files went with it.
GRANT SELECT ON ops.issued_id, ledger.identity_decision, ledger.takedown, serving.issued_id TO sankofa_privacy;
GRANT SELECT ON ops.artifact_standing, ops.instance TO sankofa_privacy;
GRANT EXECUTE ON FUNCTION ops.take_down TO sankofa_privacy;
GRANT EXECUTE ON FUNCTION ops.take_down_withheld, ops.renew_statistics TO sankofa_publish;
