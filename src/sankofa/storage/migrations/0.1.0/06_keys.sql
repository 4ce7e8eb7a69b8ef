-- The key registry: what was decided about each key, in order. The key store follows it, and the usage store is rebuilt
-- from the counts of the month if it loses its contents.

CREATE TABLE ops.key_event (
    event integer PRIMARY KEY CHECK (event > 0),
    kind text NOT NULL CHECK (kind IN ('issued', 'tier_changed', 'rotated', 'revoked')),
    key_id text NOT NULL CHECK (key_id = left(key_hash, 12)),
    key_hash text NOT NULL CHECK (key_hash ~ '^[0-9a-f]{64}$'),
    tier text NOT NULL CHECK (tier IN ('sample', 'starter', 'professional')),
    label text NOT NULL CHECK (length(label) BETWEEN 1 AND 200),
    is_public boolean NOT NULL,
    ends_at timestamptz CHECK (
        (kind = 'issued' AND ends_at IS NULL)
        OR kind = 'tier_changed'
        OR (kind IN ('rotated', 'revoked') AND ends_at IS NOT NULL)
    ),
    replaced_by text CHECK ((kind = 'rotated') = (replaced_by IS NOT NULL)),
    recorded_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    pepper_id text CHECK (pepper_id ~ '^[0-9a-f]{8}$'),
    operator text CHECK (length(operator) BETWEEN 1 AND 100)
);
COMMENT ON TABLE ops.key_event IS 'Every decision about an API key. A key stands as its newest event says.';
COMMENT ON COLUMN ops.key_event.event IS '1, 2, 3 … in commit order; the newest is the generation.';
COMMENT ON COLUMN ops.key_event.kind IS 'issued, tier_changed, rotated (another key takes over) or revoked.';
COMMENT ON COLUMN ops.key_event.key_id IS 'Name of the key in logs and commands: the start of its hash.';
COMMENT ON COLUMN ops.key_event.key_hash IS 'HMAC-SHA-256 of the key. The key itself is kept nowhere.';
COMMENT ON COLUMN ops.key_event.tier IS 'Tier from this event on.';
COMMENT ON COLUMN ops.key_event.label IS 'Whose key it is, in the operator''s words; never served.';
COMMENT ON COLUMN ops.key_event.is_public IS 'Published for everyone: limits then count per client.';
COMMENT ON COLUMN ops.key_event.ends_at IS 'The key is refused from then on; null while it has no end.';
COMMENT ON COLUMN ops.key_event.replaced_by IS 'The key that takes over, where this one was rotated.';
COMMENT ON COLUMN ops.key_event.recorded_at IS 'When it was decided first; the server''s clock.';
COMMENT ON COLUMN ops.key_event.pepper_id IS
'Name of the pepper that the key was hashed under; null if only a key store remembered the key.';
COMMENT ON COLUMN ops.key_event.operator IS
'Who decided: the operator''s login or a given name, never served; null if only a key store remembered the decision.';

CREATE UNIQUE INDEX key_event_issued_once ON ops.key_event (key_id) WHERE kind = 'issued';
COMMENT ON INDEX ops.key_event_issued_once IS 'Two keys never share an id.';
CREATE INDEX key_event_by_key ON ops.key_event (key_id, event DESC);
COMMENT ON INDEX ops.key_event_by_key IS 'The newest event of a key, and all keys in order.';

CREATE VIEW serving.key_registry AS
SELECT
    coalesce(max(recent.event), 0) AS newest_event,
    coalesce(array_agg(recent.key_id ORDER BY recent.event DESC), '{}') AS recent_keys
FROM (
    SELECT
        key_event.event,
        key_event.key_id
    FROM ops.key_event AS key_event
    ORDER BY key_event.event DESC
    LIMIT 100
) AS recent;
COMMENT ON VIEW serving.key_registry IS
'How far the key registry is. A key store that lacks an event is not trusted with the key that it concerns.';
COMMENT ON COLUMN serving.key_registry.newest_event IS 'Number of the newest key event; 0 before the first.';
COMMENT ON COLUMN serving.key_registry.recent_keys IS 'Whose the last hundred events are, newest first.';

CREATE TABLE ops.usage_month (
    key_id text NOT NULL CHECK (key_id ~ '^[0-9a-f]{12}$'),
    month text NOT NULL CHECK (month ~ '^[0-9]{4}-[0-9]{2}$'),
    requests bigint NOT NULL CHECK (requests >= 0),
    saved_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (month, key_id)
) WITH (fillfactor = 70);
COMMENT ON TABLE ops.usage_month IS 'Requests of each key and month, copied from the usage store every few seconds.';
COMMENT ON COLUMN ops.usage_month.key_id IS 'The key. Public keys are left out: they count by address of the client.';
COMMENT ON COLUMN ops.usage_month.month IS 'Calendar month in UTC, such as 2026-11.';
COMMENT ON COLUMN ops.usage_month.requests IS 'What the usage store had counted when it was last read.';
COMMENT ON COLUMN ops.usage_month.saved_at IS 'When the count last changed here; the server''s clock.';

-- Usage that is billed: what each API process counted on each day, as it reported it. Sums are taken when it is read, so
-- that a report can be repeated.
CREATE TABLE ops.usage_tally (
    tally text PRIMARY KEY CHECK (tally ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}[.][0-9a-f]{16}$'),
    day date NOT NULL CHECK (day::text = left(tally, 10)),
    is_complete boolean NOT NULL,
    met_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX usage_tally_open ON ops.usage_tally (day) WHERE is_complete IS FALSE;
COMMENT ON TABLE ops.usage_tally IS 'The tallies: each is what one API process counted on one day.';
COMMENT ON COLUMN ops.usage_tally.tally IS 'Its name: the day and a random number.';
COMMENT ON COLUMN ops.usage_tally.day IS 'Day in UTC, by the clock of the API process.';
COMMENT ON COLUMN ops.usage_tally.is_complete IS 'Whether its process reported that nothing will be added.';
COMMENT ON COLUMN ops.usage_tally.met_at IS 'When it was reported first; the server''s clock.';
COMMENT ON INDEX ops.usage_tally_open IS 'Whether a day is final.';

CREATE TABLE ops.usage_day (
    day date NOT NULL,
    key_id text NOT NULL CHECK (key_id ~ '^[0-9a-f]{12}$'),
    tally text NOT NULL REFERENCES ops.usage_tally,
    requests bigint NOT NULL CHECK (requests > 0),
    saved_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (day, key_id, tally)
) WITH (fillfactor = 70);
COMMENT ON TABLE ops.usage_day IS 'Charged requests by key, day and tally. The usage of a key on a day is their sum.';
COMMENT ON COLUMN ops.usage_day.day IS 'Day in UTC.';
COMMENT ON COLUMN ops.usage_day.key_id IS 'The key, also if it is public.';
COMMENT ON COLUMN ops.usage_day.tally IS 'The tally that has the count.';
COMMENT ON COLUMN ops.usage_day.requests IS 'The largest count that was reported.';
COMMENT ON COLUMN ops.usage_day.saved_at IS 'When the count last grew here; the server''s clock.';

CREATE TABLE ops.usage_settled (
    is_only boolean PRIMARY KEY DEFAULT TRUE CHECK (is_only),
    settled_at timestamptz NOT NULL
);
COMMENT ON TABLE ops.usage_settled IS 'When all reported counts were last in PostgreSQL; one row.';
COMMENT ON COLUMN ops.usage_settled.is_only IS 'True: there is one row at most.';
COMMENT ON COLUMN ops.usage_settled.settled_at IS 'The server''s clock, to about 5 s.';

CREATE FUNCTION ops.refuse_smaller_usage() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF TG_OP <> 'UPDATE' OR new.requests IS NULL OR new.requests < old.requests THEN
        RAISE EXCEPTION '% on ops.usage_day refused: usage never becomes smaller', TG_OP
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN new;
END
$$;
COMMENT ON FUNCTION ops.refuse_smaller_usage IS 'Refuses a smaller count, and any removal.';
CREATE TRIGGER usage_never_smaller BEFORE UPDATE OR DELETE ON ops.usage_day
FOR EACH ROW EXECUTE FUNCTION ops.refuse_smaller_usage();

CREATE FUNCTION ops.is_final(day date) RETURNS boolean LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp AS $$
    SELECT
        EXISTS (
            SELECT FROM ops.usage_settled AS settled
            WHERE settled.settled_at AT TIME ZONE 'UTC' > is_final.day + 1 + interval '1 minute'
        )
        AND NOT EXISTS (
            SELECT FROM ops.usage_tally AS tally
            WHERE tally.day = is_final.day AND tally.is_complete IS FALSE
        )
$$;
COMMENT ON FUNCTION ops.is_final IS
'Whether the usage of a day is final: all counts were copied after its end, and every process reported that it is done.';

CREATE FUNCTION ops.repeat_key_event(
    event integer, kind text, key_hash text, tier text, is_public boolean, ends_at timestamptz, replaced_by text,
    recorded_at timestamptz, pepper_id text, operator text
) RETURNS integer LANGUAGE sql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    INSERT INTO ops.key_event (
        event, kind, key_id, key_hash, tier, label, is_public, ends_at, replaced_by, recorded_at, pepper_id,
        operator
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
        repeat_key_event.recorded_at,
        coalesce(repeat_key_event.pepper_id, before.pepper_id),
        repeat_key_event.operator
    FROM (SELECT 1) AS always
    LEFT JOIN LATERAL (
        SELECT newest.label, newest.ends_at, newest.pepper_id
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

SELECT ops.keep_append_only('ops.key_event');

REVOKE ALL ON FUNCTION ops.repeat_key_event, ops.refuse_smaller_usage, ops.is_final FROM public;
GRANT EXECUTE ON FUNCTION ops.repeat_key_event TO sankofa_keys;
GRANT SELECT ON serving.key_registry TO sankofa_api;
GRANT SELECT ON ops.key_event TO sankofa_keys;
GRANT INSERT (event, kind, key_id, key_hash, tier, label, is_public, ends_at, replaced_by, pepper_id, operator)
ON ops.key_event TO sankofa_keys;
GRANT SELECT (event, kind, key_id, key_hash, tier, is_public, ends_at, replaced_by, recorded_at, pepper_id, operator)
ON ops.key_event TO sankofa_follow;
GRANT SELECT, INSERT (key_id, month, requests), UPDATE (requests, saved_at) ON ops.usage_month TO sankofa_follow;
GRANT SELECT, INSERT (tally, day, is_complete), UPDATE (is_complete) ON ops.usage_tally TO sankofa_follow;
GRANT SELECT, INSERT (day, key_id, tally, requests), UPDATE (requests, saved_at) ON ops.usage_day TO sankofa_follow;
GRANT SELECT, INSERT (settled_at), UPDATE (settled_at) ON ops.usage_settled TO sankofa_follow;
GRANT SELECT ON ops.usage_tally, ops.usage_day TO sankofa_keys;
GRANT SELECT ON ops.usage_settled TO sankofa_keys, sankofa_publish;
GRANT EXECUTE ON FUNCTION ops.is_final TO sankofa_keys;
