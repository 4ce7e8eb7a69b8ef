-- Signals: monthly panels computed from events of contracting processes.

CREATE TABLE serving.signal (
    row_id bigint GENERATED ALWAYS AS IDENTITY,
    published_in integer NOT NULL,
    superseded_in integer NOT NULL DEFAULT 2147483647,
    signal_id uuid NOT NULL,
    observed_at timestamptz NOT NULL,
    month date NOT NULL CHECK (extract(DAY FROM month) = 1),
    reason serving.change_reason NOT NULL,
    cell text COLLATE "C" NOT NULL,
    panel text NOT NULL,
    country text NOT NULL,
    breakdown text NOT NULL CHECK (breakdown <> ''),
    methodology_ref text NOT NULL,
    license_class text NOT NULL,
    figures jsonb NOT NULL,
    source_ref text NOT NULL,
    PRIMARY KEY (row_id, cell)
) WITH (fillfactor = 90, vacuum_truncate = off);
CREATE INDEX signal_by_cell ON serving.signal (cell);
-- The order of ENV-17, of one country and of all. published_in ends the keys so that rows of later editions are
-- passed over in the index.
CREATE INDEX signal_by_country ON serving.signal (panel, country, month DESC, breakdown, published_in);
CREATE INDEX signal_by_month ON serving.signal (panel, month DESC, breakdown, country, published_in);
COMMENT ON TABLE serving.signal IS 'Rows of all panels, of all editions; a month is shown once it is closed.';
COMMENT ON COLUMN serving.signal.row_id IS 'Given in publish order.';
COMMENT ON COLUMN serving.signal.published_in IS 'First edition that holds the row.';
COMMENT ON COLUMN serving.signal.superseded_in IS 'First edition that does not; the largest integer while none.';
COMMENT ON COLUMN serving.signal.signal_id IS 'Hash of panel, cell and breakdown; it never changes.';
COMMENT ON COLUMN serving.signal.observed_at IS 'When the latest document of the inputs was fetched.';
COMMENT ON COLUMN serving.signal.month IS 'First day of the month.';
COMMENT ON COLUMN serving.signal.reason IS 'Why the edition put the row.';
COMMENT ON COLUMN serving.signal.cell IS 'Country and month, such as ZA 2024-01: what is computed together.';
COMMENT ON COLUMN serving.signal.panel IS 'Key of the panel.';
COMMENT ON COLUMN serving.signal.country IS 'The portals'' country, ISO 3166-1 alpha-2.';
COMMENT ON COLUMN serving.signal.breakdown IS 'The portal''s category or an ISO 4217 code, as the panel has it.';
COMMENT ON COLUMN serving.signal.methodology_ref IS 'The method, and its version, that the figures were made by.';
COMMENT ON COLUMN serving.signal.license_class IS 'The strictest licence among the inputs.';
COMMENT ON COLUMN serving.signal.figures IS 'The panel''s figures by name; null where one cannot be known.';
COMMENT ON COLUMN serving.signal.source_ref IS 'The documents of the inputs, sorted.';

SELECT serving.keep_published('serving.signal');

GRANT SELECT, INSERT, DELETE, UPDATE (superseded_in) ON serving.signal TO sankofa_publish;
GRANT SELECT ON serving.signal TO sankofa_api;
