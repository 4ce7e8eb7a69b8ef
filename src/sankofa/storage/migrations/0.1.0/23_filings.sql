-- What was filed, newest first, and where issuers were on which days.

CREATE TABLE serving.filing (
    row_id bigint GENERATED ALWAYS AS IDENTITY,
    published_in integer NOT NULL,
    superseded_in integer NOT NULL DEFAULT 2147483647,
    provenance_id uuid NOT NULL,
    available_at date NOT NULL,
    facts integer NOT NULL CHECK (facts >= 0),
    changed_values integer NOT NULL CHECK (changed_values >= 0),
    reason serving.change_reason NOT NULL,
    service_id text NOT NULL,
    country text COLLATE "C" NOT NULL,
    form text COLLATE "C" NOT NULL,
    filing_id text COLLATE "C" NOT NULL,
    source_url text,
    PRIMARY KEY (row_id, service_id)
) WITH (fillfactor = 90, vacuum_truncate = off);
CREATE INDEX filing_by_service_id ON serving.filing (service_id, available_at);
-- The newest first: of all, of a country, of a form. Each has the whole order, so that a page is read and never sorted.
CREATE INDEX filing_by_day ON serving.filing (available_at DESC, filing_id, service_id);
CREATE INDEX filing_by_country ON serving.filing (country, available_at DESC, filing_id, service_id);
CREATE INDEX filing_by_form ON serving.filing (form, available_at DESC, filing_id, service_id);
COMMENT ON TABLE serving.filing IS 'Filings of all editions, also those that only confirm what was known.';
COMMENT ON COLUMN serving.filing.row_id IS 'Given in publish order.';
COMMENT ON COLUMN serving.filing.published_in IS 'First edition that holds the row.';
COMMENT ON COLUMN serving.filing.superseded_in IS 'First edition that does not; the largest integer while none.';
COMMENT ON COLUMN serving.filing.provenance_id IS 'The document fetched earliest that shows it.';
COMMENT ON COLUMN serving.filing.available_at IS 'The day the public could know it.';
COMMENT ON COLUMN serving.filing.facts IS 'Values that it states.';
COMMENT ON COLUMN serving.filing.changed_values IS 'Values known before that it changed.';
COMMENT ON COLUMN serving.filing.reason IS 'Why the edition put the row.';
COMMENT ON COLUMN serving.filing.service_id IS 'The issuer.';
COMMENT ON COLUMN serving.filing.country IS
'ISO 3166-1 alpha-2 of the jurisdiction known on the day of the filing; empty where none was.';
COMMENT ON COLUMN serving.filing.form IS 'Form type, such as 10-K; empty where the source has none.';
COMMENT ON COLUMN serving.filing.filing_id IS 'The regulator''s number of it.';
COMMENT ON COLUMN serving.filing.source_url IS 'Its page at the publisher; null where none is known.';

CREATE TABLE serving.issuer_place (
    row_id bigint GENERATED ALWAYS AS IDENTITY,
    published_in integer NOT NULL,
    superseded_in integer NOT NULL DEFAULT 2147483647,
    known_from date NOT NULL,
    known_until date NOT NULL CHECK (known_from < known_until),
    reason serving.change_reason NOT NULL,
    service_id text NOT NULL,
    place text COLLATE "C" NOT NULL,
    PRIMARY KEY (row_id, service_id)
) WITH (fillfactor = 90, vacuum_truncate = off);
CREATE INDEX issuer_place_by_service_id ON serving.issuer_place (service_id);
-- The issuers of a place, in the order of their ids.
CREATE INDEX issuer_place_by_place ON serving.issuer_place (place, service_id);
COMMENT ON TABLE serving.issuer_place IS
'Where issuers were on which days: in a country, on an exchange, and under the empty place all of them.';
COMMENT ON COLUMN serving.issuer_place.row_id IS 'Given in publish order.';
COMMENT ON COLUMN serving.issuer_place.published_in IS 'First edition that holds the row.';
COMMENT ON COLUMN serving.issuer_place.superseded_in IS 'First edition that does not; the largest integer while none.';
COMMENT ON COLUMN serving.issuer_place.known_from IS 'First day on which it was known there, and something that it filed.';
COMMENT ON COLUMN serving.issuer_place.known_until IS 'First day on which it was not; infinity while it is.';
COMMENT ON COLUMN serving.issuer_place.reason IS 'Why the edition put the row.';
COMMENT ON COLUMN serving.issuer_place.service_id IS 'The issuer.';
COMMENT ON COLUMN serving.issuer_place.place IS 'ISO 3166-1 alpha-2 of a country, MIC of an exchange, or empty.';

CREATE VIEW serving.line_item_map_version AS
SELECT known.edition, known.version AS map_version
FROM ops.edition_version AS known
WHERE known.part = 'line_items';
COMMENT ON VIEW serving.line_item_map_version IS 'The line-item map that each edition was computed with.';
COMMENT ON COLUMN serving.line_item_map_version.edition IS 'The edition.';
COMMENT ON COLUMN serving.line_item_map_version.map_version IS 'Hash of the map''s content.';

SELECT serving.keep_published('serving.filing', 'serving.issuer_place');
SELECT ops.renew_form('serving.filing');
SELECT ops.renew_form('serving.issuer_place');
INSERT INTO ops.takedown_reach (kind, dataset, about) VALUES
('organisation', 'filing', 'departed.service_id = $1'),
('organisation', 'issuer_place', 'departed.service_id = $1');

GRANT SELECT ON serving.filing, serving.issuer_place, serving.line_item_map_version TO sankofa_api;
GRANT SELECT, INSERT, DELETE, UPDATE (superseded_in) ON serving.filing, serving.issuer_place TO sankofa_publish;
