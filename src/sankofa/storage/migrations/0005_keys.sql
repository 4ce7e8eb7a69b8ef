-- The key registry: what was decided about each key, in order. The key store follows it.

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
    recorded_at timestamptz NOT NULL DEFAULT clock_timestamp()
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
COMMENT ON COLUMN ops.key_event.recorded_at IS 'When this row was written; the server''s clock.';

CREATE UNIQUE INDEX key_event_issued_once ON ops.key_event (key_id) WHERE kind = 'issued';
COMMENT ON INDEX ops.key_event_issued_once IS 'Two keys never share an id.';
CREATE INDEX key_event_by_key ON ops.key_event (key_id, event DESC);
COMMENT ON INDEX ops.key_event_by_key IS 'The newest event of a key, and all keys in order.';

SELECT ops.keep_append_only('ops.key_event');

GRANT USAGE ON SCHEMA ops TO sankofa_keys;
GRANT SELECT ON ops.key_event TO sankofa_keys;
GRANT INSERT (event, kind, key_id, key_hash, tier, label, is_public, ends_at, replaced_by)
ON ops.key_event TO sankofa_keys;
