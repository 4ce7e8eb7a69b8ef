-- Takedowns: no login deletes what is published. Takedowns go through one function, which records what it removes. They
-- are kept with all that is needed to repeat them, and a restored database repeats them under their numbers.

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
    'issued_id', 'organisation', 'organisation_name', 'identifier', 'identifier_earlier', 'issuer', 'fundamentals_fact',
    'metric_value', 'metric_absence', 'issuer_coverage', 'tender_party'
]) AS one (dataset);

INSERT INTO ops.takedown_reach (kind, dataset, about) VALUES
('names', 'organisation_name', 'departed.service_id = $1'),
('organisation', 'tender_release', 'departed.named_in_ids <> ''{}'' AND departed.named_in_ids @> ARRAY[$1]'),
('organisation', 'tender_fact', 'departed.named_in_ids <> ''{}'' AND departed.named_in_ids @> ARRAY[$1]'),
('organisation', 'tender_text', 'departed.named <> ''{}'' AND departed.named @> ARRAY[$1]'),
-- A filing is one issuer's, so no row of another organisation loses its provenance.
('organisation', 'provenance', 'departed.provenance_id IN (
    SELECT fact.provenance_id FROM serving.fundamentals_fact AS fact WHERE fact.service_id = $1
    UNION ALL
    SELECT filing.provenance_id FROM serving.filing AS filing WHERE filing.service_id = $1
)'),
-- Files with rows about the id, or with rows whose source names it, and tables of such files. Panels and closings are
-- about nobody.
('organisation', 'artifact', 'departed.kind IN (''rows'', ''rows_table'', ''rows_manifest'') AND (
    departed.subject = ''fundamentals'' AND EXISTS (
        SELECT FROM serving.fundamentals_fact AS held
        WHERE held.service_id = $1
            AND held.row_id > departed.after_row AND held.row_id <= departed.until_row
            AND held.published_in BETWEEN departed.first_edition AND departed.last_edition
    )
    OR departed.subject = ''organisations'' AND EXISTS (
        SELECT FROM serving.organisation AS held
        WHERE held.service_id = $1
            AND held.row_id > departed.after_row AND held.row_id <= departed.until_row
            AND held.published_in BETWEEN departed.first_edition AND departed.last_edition
    )
    OR departed.subject = ''names'' AND EXISTS (
        SELECT FROM serving.organisation_name AS held
        WHERE held.service_id = $1
            AND held.row_id > departed.after_row AND held.row_id <= departed.until_row
            AND held.published_in BETWEEN departed.first_edition AND departed.last_edition
    )
    OR departed.subject = ''identifiers'' AND EXISTS (
        SELECT FROM serving.identifier AS held
        WHERE held.service_id = $1
            AND held.row_id > departed.after_row AND held.row_id <= departed.until_row
            AND held.published_in BETWEEN departed.first_edition AND departed.last_edition
    )
    OR departed.subject = ''identifiers-earlier'' AND EXISTS (
        SELECT FROM serving.identifier_earlier AS held
        WHERE held.service_id = $1
            AND held.row_id > departed.after_row AND held.row_id <= departed.until_row
            AND held.published_in BETWEEN departed.first_edition AND departed.last_edition
    )
    OR departed.subject = ''metrics'' AND EXISTS (
        SELECT FROM serving.metric_value AS held
        WHERE held.service_id = $1
            AND held.row_id > departed.after_row AND held.row_id <= departed.until_row
            AND held.published_in BETWEEN departed.first_edition AND departed.last_edition
    )
    OR departed.subject = ''releases'' AND EXISTS (
        SELECT FROM serving.tender_release AS held
        WHERE held.named_in_ids <> ''{}'' AND held.named_in_ids @> ARRAY[$1]
            AND held.row_id > departed.after_row AND held.row_id <= departed.until_row
            AND held.published_in BETWEEN departed.first_edition AND departed.last_edition
    )
    OR departed.subject = ''awards'' AND EXISTS (
        SELECT FROM serving.tender_fact AS fact
        WHERE fact.measure = ''award_value'' AND fact.party IN (
            SELECT $1
            UNION ALL
            SELECT member.service_id FROM serving.issued_id AS member WHERE member.resolves_to = $1
        )
            AND fact.row_id > departed.after_row AND fact.row_id <= departed.until_row
            AND fact.published_in <= departed.last_edition
    )
    OR departed.subject = ''awards'' AND EXISTS (
        SELECT FROM serving.tender_fact AS fact
        WHERE fact.named_in_ids <> ''{}'' AND fact.named_in_ids @> ARRAY[$1]
            AND fact.row_id > departed.after_row AND fact.row_id <= departed.until_row
            AND fact.published_in <= departed.last_edition
    )
)'),
('names', 'artifact', 'departed.kind IN (''rows'', ''rows_table'', ''rows_manifest'') AND
    departed.subject = ''names'' AND EXISTS (
        SELECT FROM serving.organisation_name AS held
        WHERE held.service_id = $1
            AND held.row_id > departed.after_row AND held.row_id <= departed.until_row
            AND held.published_in BETWEEN departed.first_edition AND departed.last_edition
    )'),
('fact', 'metric_value', 'departed.service_id = $1 AND serving.row_ids(departed.inputs) && ARRAY(
    SELECT fact.row_id FROM serving.fundamentals_fact AS fact WHERE fact.service_id = $1 AND fact.fact_id = $2
)'),
('fact', 'artifact', 'departed.kind IN (''rows'', ''rows_table'', ''rows_manifest'') AND (
    departed.subject = ''fundamentals'' AND EXISTS (
        SELECT FROM serving.fundamentals_fact AS held
        WHERE held.service_id = $1 AND held.fact_id = $2
            AND held.row_id > departed.after_row AND held.row_id <= departed.until_row
            AND held.published_in BETWEEN departed.first_edition AND departed.last_edition
    )
    OR departed.subject = ''metrics'' AND EXISTS (
        SELECT FROM serving.metric_value AS held
        WHERE held.service_id = $1 AND serving.row_ids(held.inputs) && ARRAY(
            SELECT fact.row_id FROM serving.fundamentals_fact AS fact WHERE fact.service_id = $1 AND fact.fact_id = $2
        )
            AND held.row_id > departed.after_row AND held.row_id <= departed.until_row
            AND held.published_in BETWEEN departed.first_edition AND departed.last_edition
    )
)');

CREATE VIEW ops.takedown_order AS
SELECT
    takedown.takedown,
    takedown.kind,
    coalesce(takedown.reach, CASE
        WHEN takedown.kind = 'fact' THEN 'fact'
        WHEN takedown.kind = 'withheld' AND buried.names_only THEN 'names'
        ELSE 'organisation'
    END) AS reach,
    coalesce(
        takedown.service_id, CASE takedown.kind WHEN 'fact' THEN buried.service_id ELSE takedown.target END
    ) AS service_id,
    CASE takedown.kind WHEN 'fact' THEN takedown.target::uuid END AS fact_id,
    takedown.decided_at,
    takedown.operator
FROM ledger.takedown AS takedown
LEFT JOIN LATERAL (
    SELECT min(tombstone.service_id) AS service_id, bool_and(tombstone.dataset = 'organisation_name') AS names_only
    FROM ops.tombstone AS tombstone
    WHERE tombstone.takedown = takedown.takedown AND takedown.reach IS NULL
) AS buried ON TRUE;
COMMENT ON VIEW ops.takedown_order IS 'Takedowns as they can be repeated, without their reasons.';
COMMENT ON COLUMN ops.takedown_order.takedown IS 'Its number.';
COMMENT ON COLUMN ops.takedown_order.kind IS 'issuer, fact or withheld.';
COMMENT ON COLUMN ops.takedown_order.reach IS 'organisation, names or fact.';
COMMENT ON COLUMN ops.takedown_order.service_id IS 'The id that it is about.';
COMMENT ON COLUMN ops.takedown_order.fact_id IS 'The fact, if it is about one.';
COMMENT ON COLUMN ops.takedown_order.decided_at IS 'When it was decided first.';
COMMENT ON COLUMN ops.takedown_order.operator IS 'Who decided; null where a rule did.';

-- A repeated takedown has its first number and time.
CREATE FUNCTION ops.remove(
    kind text, target text, reason text, reach text, service_id text, fact_id uuid, operator text,
    first_number integer DEFAULT NULL, first_decided_at timestamptz DEFAULT NULL
)
RETURNS integer LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp SET datestyle = 'ISO' SET timezone = 'UTC' SET bytea_output = 'hex' AS $$
DECLARE
    number integer;
    reached record;
BEGIN
    INSERT INTO ledger.takedown (takedown, kind, target, reason, service_id, reach, decided_at, operator)
    SELECT
        greatest(first_number, coalesce(max(before.takedown), 0) + 1),
        remove.kind, remove.target, remove.reason, remove.service_id, remove.reach, coalesce(first_decided_at, now()),
        remove.operator
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

CREATE FUNCTION ops.take_down(service_id text, fact_id uuid, reason text, operator text) RETURNS integer LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF fact_id IS NULL AND EXISTS (
        SELECT FROM ops.issued_id AS issued WHERE issued.service_id = take_down.service_id
    ) THEN
        RETURN ops.remove('issuer', service_id, reason, 'organisation', service_id, NULL, operator);
    END IF;
    IF EXISTS (
        SELECT FROM serving.fundamentals_fact AS fact
        WHERE fact.service_id = take_down.service_id AND fact.fact_id = take_down.fact_id
    ) THEN
        RETURN ops.remove('fact', fact_id::text, reason, 'fact', service_id, fact_id, operator);
    END IF;
    RAISE EXCEPTION 'nothing is published that this takedown could remove' USING ERRCODE = 'no_data_found';
END
$$;
COMMENT ON FUNCTION ops.take_down IS
'A takedown on request: an organisation or, with a fact_id, one fact of it. Returns the number of the takedown.';

CREATE FUNCTION ops.take_down_withheld(service_id text, party text, names_only boolean) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM ops.edition_build AS build WHERE build.edition > serving.current_edition()) THEN
        RAISE EXCEPTION 'takedown refused: no edition is being built' USING ERRCODE = 'insufficient_privilege';
    END IF;
    IF NOT names_only AND NOT EXISTS (
        SELECT FROM ops.organisation_decision AS judged WHERE judged.service_id = party AND NOT judged.is_established
    ) THEN
        RAISE EXCEPTION 'takedown refused: no judgement withholds %', party USING ERRCODE = 'insufficient_privilege';
    END IF;
    IF ops.takedowns_left() <= 0 THEN
        RAISE EXCEPTION 'takedown refused: more in 24 hours than anybody released'
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN ops.remove(
        'withheld', service_id, 'no longer established to be an organisation',
        CASE WHEN names_only THEN 'names' ELSE 'organisation' END, service_id, NULL, NULL
    );
END
$$;
COMMENT ON FUNCTION ops.take_down_withheld IS
'For the publisher, while it builds: an id of a party that a judgement withholds, or only the former names of an id.';

CREATE FUNCTION ops.repeat_take_down(
    takedown integer, kind text, reach text, service_id text, fact_id uuid, decided_at timestamptz, operator text
) RETURNS integer LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    subject constant text := coalesce(fact_id::text, service_id);
BEGIN
    -- Parties can be withheld more than once; everything else is taken down once.
    IF EXISTS (
        SELECT FROM ledger.takedown AS known
        WHERE known.kind = repeat_take_down.kind AND known.target = subject
            AND (known.kind <> 'withheld' OR known.decided_at = repeat_take_down.decided_at)
    ) THEN
        RETURN NULL;
    END IF;
    RETURN ops.remove(
        kind, subject, 'repeated after a restore; the journal keeps no reasons', reach, service_id, fact_id,
        operator, takedown, decided_at
    );
END
$$;
COMMENT ON FUNCTION ops.repeat_take_down IS
'Carries out a takedown of the journal that a restored database lacks; null if it has it. What it is about may be unknown.';

CREATE FUNCTION ops.renew_statistics(dataset text) RETURNS void LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    EXECUTE format('ANALYZE serving.%I', dataset);
END
$$;
COMMENT ON FUNCTION ops.renew_statistics IS 'Analyses one serving table. Only an owner may, and no login owns one.';

CREATE FUNCTION ops.pack_indexes(dataset text) RETURNS void LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF serving.current_edition() > 0 THEN
        RAISE EXCEPTION 'indexes are not packed while an edition is read' USING ERRCODE = 'insufficient_privilege';
    END IF;
    IF EXISTS (
        SELECT FROM pg_class AS class WHERE class.oid = format('serving.%I', dataset)::regclass AND class.relkind = 'r'
    ) THEN
        EXECUTE format('REINDEX TABLE serving.%I', dataset);
    END IF;
END
$$;
COMMENT ON FUNCTION ops.pack_indexes IS
'Writes the indexes of one serving table anew, before the first edition is current: rows that came in another order leave gaps.';

SELECT ops.keep_append_only('ops.takedown_reach');

REVOKE ALL ON FUNCTION
ops.remove, ops.take_down, ops.take_down_withheld, ops.repeat_take_down, ops.renew_statistics, ops.pack_indexes
FROM public;
GRANT SELECT ON ops.takedown_order TO sankofa_privacy, sankofa_publish, sankofa_follow;
GRANT EXECUTE ON FUNCTION ops.take_down, ops.repeat_take_down TO sankofa_privacy;
GRANT EXECUTE ON FUNCTION ops.take_down_withheld, ops.renew_statistics, ops.pack_indexes TO sankofa_publish;
