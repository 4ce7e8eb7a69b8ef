-- What keeps both Redis in step: the newest key event, which every API process compares with its key store, and
-- the counts of the month, from which a usage store that lost its contents is rebuilt.

CREATE VIEW serving.key_registry AS
SELECT coalesce(max(key_event.event), 0) AS newest_event FROM ops.key_event AS key_event;
COMMENT ON VIEW serving.key_registry IS 'How far the key registry is; a key store that is elsewhere is not trusted.';
COMMENT ON COLUMN serving.key_registry.newest_event IS 'Number of the newest key event; 0 before the first.';
GRANT SELECT ON serving.key_registry TO sankofa_api;

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

GRANT USAGE ON SCHEMA ops TO sankofa_follow;
GRANT SELECT (event, key_id, key_hash, tier, is_public, ends_at) ON ops.key_event TO sankofa_follow;
GRANT SELECT, INSERT (key_id, month, requests), UPDATE (requests, saved_at) ON ops.usage_month TO sankofa_follow;
