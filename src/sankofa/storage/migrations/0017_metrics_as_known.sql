-- Metrics as they were known: a row holds the value of a year for the days on which it was computed from the same
-- facts. basis=as_known shows every row on its days, basis=exact only rows whose facts were never replaced later.
-- In rows of earlier editions known_from and left_out are null: such a row is exact from exact_from on.

ALTER TABLE serving.metric_value RENAME COLUMN next_published_at TO known_until;
ALTER TABLE serving.metric_value RENAME COLUMN year_id TO piece_id;
ALTER TABLE serving.metric_value
ALTER COLUMN complete_from DROP NOT NULL,
ALTER COLUMN exact_from DROP NOT NULL,
ADD COLUMN known_from date CHECK (known_from >= published_at AND known_from < known_until),
ADD COLUMN left_out text CHECK (left_out IN ('revised_after_as_of', 'completed_after_as_of', 'input_missing')),
ADD CONSTRAINT metric_value_exact CHECK ((left_out IS NULL) = (exact_from IS NOT NULL)),
ADD CONSTRAINT metric_value_served_from CHECK (known_from IS NULL OR served_from IS NULL OR served_from = known_from);
COMMENT ON TABLE serving.metric_value IS
'Metrics of all editions: the value of a full year of an issuer on the days on which it was computed from these facts.';
COMMENT ON COLUMN serving.metric_value.piece_id IS
'Hash of issuer, metric, the last day of the year, and known_from where there is one.';
COMMENT ON COLUMN serving.metric_value.known_from IS
'First day on which the year was the last one published and the value was computed from these facts.';
COMMENT ON COLUMN serving.metric_value.known_until IS
'First day on which another row replaces this one: other facts or a later year; infinity while there is none.';
COMMENT ON COLUMN serving.metric_value.complete_from IS
'First day on which every input was known; null where known_from is set.';
COMMENT ON COLUMN serving.metric_value.exact_from IS
'First day from which on these facts decide the value, up to the end of the edition; null if they were replaced.';
COMMENT ON COLUMN serving.metric_value.served_from IS
'First day on which the value is shown: known_from or, where that is null, exact_from; null without a value.';
COMMENT ON COLUMN serving.metric_value.left_out IS
'Why basis=exact leaves the row out; null if it shows the row.';

-- Editions before this migration hold only what basis=exact shows. The first publish after it derives all anew.
DO $$
BEGIN
    EXECUTE format(
        'CREATE FUNCTION serving.as_known_since() RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN %s',
        (SELECT coalesce(max(edition.edition), 0) + 1 FROM serving.edition AS edition)
    );
END
$$;
COMMENT ON FUNCTION serving.as_known_since() IS 'First edition that can answer metrics with basis=as_known.';
REVOKE ALL ON FUNCTION serving.as_known_since() FROM public;
GRANT EXECUTE ON FUNCTION serving.as_known_since() TO sankofa_api;
