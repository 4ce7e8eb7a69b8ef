-- What the journal outside the database needs: takedowns say all that is needed to repeat them, and a restored
-- database repeats them under their numbers.

ALTER TABLE ledger.takedown
ADD COLUMN service_id text,
ADD COLUMN reach text CHECK (reach IN ('organisation', 'names', 'fact'));
COMMENT ON COLUMN ledger.takedown.service_id IS 'The id that it is about. Null before migration 0022.';
COMMENT ON COLUMN ledger.takedown.reach IS
'organisation: everything about the id; names: its former names; fact: one fact of it. Null before migration 0022.';

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
    takedown.decided_at
FROM ledger.takedown AS takedown
LEFT JOIN LATERAL (
    SELECT min(tombstone.service_id) AS service_id, bool_and(tombstone.dataset = 'organisation_name') AS names_only
    FROM ops.tombstone AS tombstone
    WHERE tombstone.takedown = takedown.takedown AND takedown.reach IS NULL
) AS buried ON TRUE;
COMMENT ON VIEW ops.takedown_order IS 'Takedowns as they can be repeated, without their reasons.';
COMMENT ON COLUMN ops.takedown_order.takedown IS 'Its number.';
COMMENT ON COLUMN ops.takedown_order.kind IS 'issuer, fact or withheld.';
COMMENT ON COLUMN ops.takedown_order.reach IS 'organisation, names or fact; for old takedowns, as their tombstones show.';
COMMENT ON COLUMN ops.takedown_order.service_id IS 'The id that it is about.';
COMMENT ON COLUMN ops.takedown_order.fact_id IS 'The fact, if it is about one.';
COMMENT ON COLUMN ops.takedown_order.decided_at IS 'When it was decided first.';

-- As in migration 0020, but for what a takedown records of itself: a repeated one has its first number and time.
DROP FUNCTION ops.remove;
CREATE FUNCTION ops.remove(
    kind text, target text, reason text, reach text, service_id text, fact_id uuid,
    first_number integer DEFAULT NULL, first_decided_at timestamptz DEFAULT NULL
)
RETURNS integer LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp SET datestyle = 'ISO' SET timezone = 'UTC' SET bytea_output = 'hex' AS $$
DECLARE
    number integer;
    reached record;
BEGIN
    INSERT INTO ledger.takedown (takedown, kind, target, reason, service_id, reach, decided_at)
    SELECT
        greatest(first_number, coalesce(max(before.takedown), 0) + 1),
        remove.kind, remove.target, remove.reason, remove.service_id, remove.reach, coalesce(first_decided_at, now())
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

CREATE FUNCTION ops.repeat_take_down(
    takedown integer, kind text, reach text, service_id text, fact_id uuid, decided_at timestamptz
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
        takedown, decided_at
    );
END
$$;
COMMENT ON FUNCTION ops.repeat_take_down IS
'Carries out a takedown of the journal that a restored database lacks; null if it has it. What it is about may be unknown.';

CREATE FUNCTION ops.repeat_key_event(
    event integer, kind text, key_hash text, tier text, is_public boolean, ends_at timestamptz, replaced_by text,
    recorded_at timestamptz
) RETURNS integer LANGUAGE sql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    INSERT INTO ops.key_event (
        event, kind, key_id, key_hash, tier, label, is_public, ends_at, replaced_by, recorded_at
    )
    SELECT
        greatest(repeat_key_event.event, (SELECT max(every.event) + 1 FROM ops.key_event AS every)),
        repeat_key_event.kind,
        left(repeat_key_event.key_hash, 12),
        repeat_key_event.key_hash,
        repeat_key_event.tier,
        coalesce(before.label, 'restored from the journal, which keeps no labels'),
        repeat_key_event.is_public,
        least(repeat_key_event.ends_at, before.ends_at), -- a key that has ended stays ended
        repeat_key_event.replaced_by,
        repeat_key_event.recorded_at
    FROM (SELECT 1) AS always
    LEFT JOIN LATERAL (
        SELECT newest.label, newest.ends_at
        FROM ops.key_event AS newest
        WHERE newest.key_id = left(repeat_key_event.key_hash, 12)
        ORDER BY newest.event DESC
        LIMIT 1
    ) AS before ON TRUE
    WHERE NOT EXISTS (
        SELECT FROM ops.key_event AS known
        WHERE known.key_hash = repeat_key_event.key_hash AND known.kind = repeat_key_event.kind
            AND known.recorded_at = repeat_key_event.recorded_at
    )
    RETURNING key_event.event
$$;
COMMENT ON FUNCTION ops.repeat_key_event IS
'Enters a key event of the journal that a restored registry lacks, under its number if that is free; null if it has it.';

REVOKE ALL ON FUNCTION ops.remove, ops.repeat_take_down, ops.repeat_key_event FROM public;
GRANT EXECUTE ON FUNCTION ops.repeat_take_down TO sankofa_privacy;
GRANT EXECUTE ON FUNCTION ops.repeat_key_event TO sankofa_keys;
GRANT SELECT ON ops.takedown_order TO sankofa_privacy, sankofa_publish, sankofa_follow;
GRANT SELECT ON ops.instance TO sankofa_keys, sankofa_follow;
GRANT SELECT (kind, replaced_by, recorded_at) ON ops.key_event TO sankofa_follow;
COMMENT ON COLUMN ops.key_event.recorded_at IS 'When it was decided first; the server''s clock.';
