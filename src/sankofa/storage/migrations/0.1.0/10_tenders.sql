-- Public tenders: what is served of releases, the values in them, and the parts that organisations play.

-- Reading at a day d: the rows with available_at <= d < known_until, one for a release at most. Parties stand
-- as issued ids, whoever they are; a name is only where serving.organisation has it.
CREATE TABLE serving.tender_release (
    row_id bigint GENERATED ALWAYS AS IDENTITY,
    published_in integer NOT NULL,
    superseded_in integer NOT NULL DEFAULT 2147483647,
    fact_id uuid NOT NULL,
    process_key uuid NOT NULL,
    provenance_id uuid NOT NULL,
    sorted_at timestamptz NOT NULL,
    available_at date NOT NULL,
    known_until date NOT NULL,
    vintage smallint NOT NULL CHECK (vintage > 0),
    has_text boolean NOT NULL,
    reason serving.change_reason NOT NULL,
    country text NOT NULL,
    source text NOT NULL,
    ocid text NOT NULL,
    release_id text NOT NULL,
    named_in_ids text[] NOT NULL,
    parties jsonb NOT NULL,
    body jsonb NOT NULL,
    marks bigint[] NOT NULL,
    PRIMARY KEY (row_id, process_key)
) WITH (
    fillfactor = 90, vacuum_truncate = off,
    autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02
);
-- The order of TEN-1. published_in ends the key so that rows of later editions are passed over in the index.
CREATE INDEX tender_release_by_country ON serving.tender_release
(country, sorted_at DESC, ocid, release_id, source, published_in);
CREATE INDEX tender_release_by_process ON serving.tender_release (process_key);
-- A page asks this for each month that it walks over. A list of entries to be sorted in later would be read each time.
CREATE INDEX tender_release_by_mark ON serving.tender_release USING gin (marks) WITH (fastupdate = off);
CREATE INDEX tender_release_by_named_id ON serving.tender_release USING gin (named_in_ids)
WHERE named_in_ids <> '{}';
-- The planner's samples outlive a takedown and can be read by whoever may read the column: none are taken.
ALTER TABLE serving.tender_release
ALTER COLUMN ocid SET STATISTICS 0,
ALTER COLUMN release_id SET STATISTICS 0,
ALTER COLUMN body SET STATISTICS 0,
ALTER COLUMN marks SET STATISTICS 0;
COMMENT ON TABLE serving.tender_release IS 'Every content of every release, of all editions, without free text.';
COMMENT ON COLUMN serving.tender_release.row_id IS 'Given in publish order.';
COMMENT ON COLUMN serving.tender_release.published_in IS 'First edition that holds the row.';
COMMENT ON COLUMN serving.tender_release.superseded_in IS 'First edition that does not; the largest integer while none.';
COMMENT ON COLUMN serving.tender_release.fact_id IS 'Hash of release, content and the document that shows it; it never changes.';
COMMENT ON COLUMN serving.tender_release.process_key IS 'The contracting process.';
COMMENT ON COLUMN serving.tender_release.provenance_id IS 'Where the content comes from, and what evidences available_at.';
COMMENT ON COLUMN serving.tender_release.sorted_at IS 'The publisher''s date; the start of available_at where that is missing.';
COMMENT ON COLUMN serving.tender_release.available_at IS 'The day the public could know this content.';
COMMENT ON COLUMN serving.tender_release.known_until IS 'The day another content took its place; infinity while none.';
COMMENT ON COLUMN serving.tender_release.vintage IS '1, 2, 3 … in order of availability.';
COMMENT ON COLUMN serving.tender_release.has_text IS 'Whether the release has free text, served or not.';
COMMENT ON COLUMN serving.tender_release.reason IS 'Why the edition put the row.';
COMMENT ON COLUMN serving.tender_release.country IS 'The portal''s country, ISO 3166-1 alpha-2.';
COMMENT ON COLUMN serving.tender_release.source IS 'The portal.';
COMMENT ON COLUMN serving.tender_release.ocid IS 'Contracting process.';
COMMENT ON COLUMN serving.tender_release.release_id IS 'The release''s id, unique within its process.';
COMMENT ON COLUMN serving.tender_release.named_in_ids IS 'Ids of parties whose names stand in its ids: it goes with them.';
COMMENT ON COLUMN serving.tender_release.parties IS 'Pairs of issued id and roles; the body points here by place.';
COMMENT ON COLUMN serving.tender_release.body IS 'What the release says; texts stand as places in those of serving.tender_text.';
COMMENT ON COLUMN serving.tender_release.marks IS
'By what it is found: month of its date and hash of what it has, and its process.';

CREATE TABLE serving.tender_text (
    row_id bigint GENERATED ALWAYS AS IDENTITY,
    published_in integer NOT NULL,
    superseded_in integer NOT NULL DEFAULT 2147483647,
    fact_id uuid NOT NULL,
    process_key uuid NOT NULL,
    reason serving.change_reason NOT NULL,
    named text[] NOT NULL,
    texts text[] NOT NULL,
    marks bigint[] NOT NULL,
    PRIMARY KEY (row_id, process_key)
) WITH (fillfactor = 90, vacuum_truncate = off);
CREATE INDEX tender_text_by_content ON serving.tender_text (fact_id);
CREATE INDEX tender_text_by_process ON serving.tender_text (process_key);
CREATE INDEX tender_text_by_named ON serving.tender_text USING gin (named) WHERE named <> '{}';
CREATE INDEX tender_text_by_mark ON serving.tender_text USING gin (marks) WITH (fastupdate = off);
ALTER TABLE serving.tender_text
ALTER COLUMN texts SET STATISTICS 0,
ALTER COLUMN marks SET STATISTICS 0;
COMMENT ON TABLE serving.tender_text IS
'Free text of releases that may be served: it names only organisations that are established, and no contact.';
COMMENT ON COLUMN serving.tender_text.row_id IS 'Given in publish order.';
COMMENT ON COLUMN serving.tender_text.published_in IS 'First edition that holds the row.';
COMMENT ON COLUMN serving.tender_text.superseded_in IS 'First edition that does not; the largest integer while none.';
COMMENT ON COLUMN serving.tender_text.fact_id IS 'The content it belongs to.';
COMMENT ON COLUMN serving.tender_text.process_key IS 'The contracting process.';
COMMENT ON COLUMN serving.tender_text.reason IS 'Why the edition put the row.';
COMMENT ON COLUMN serving.tender_text.named IS 'Ids of parties that it names: it goes with any of them.';
COMMENT ON COLUMN serving.tender_text.texts IS 'The texts, in the places that the body points at.';
COMMENT ON COLUMN serving.tender_text.marks IS 'By what it is found: those of its content, and the words of its titles.';

-- Reading at a day d: the rows with available_at <= d < known_until, one for a value at most.
CREATE TABLE serving.tender_fact (
    row_id bigint GENERATED ALWAYS AS IDENTITY,
    published_in integer NOT NULL,
    superseded_in integer NOT NULL DEFAULT 2147483647,
    fact_id uuid NOT NULL,
    process_key uuid NOT NULL,
    provenance_id uuid NOT NULL,
    period_end date NOT NULL,
    available_at date NOT NULL,
    known_until date NOT NULL,
    vintage smallint NOT NULL CHECK (vintage > 0),
    reason serving.change_reason NOT NULL,
    measure text NOT NULL CHECK (measure IN ('tender_value', 'award_value')),
    country text NOT NULL,
    party text,
    joint boolean,
    unit text NOT NULL,
    location text NOT NULL,
    named_in_ids text[] NOT NULL,
    value numeric NOT NULL CHECK (scale(value) <= 30 AND abs(value) < 1e26),
    PRIMARY KEY (row_id, process_key)
) WITH (fillfactor = 90, vacuum_truncate = off);
CREATE INDEX tender_fact_by_country ON serving.tender_fact (country, period_end DESC, fact_id, published_in)
WHERE measure = 'tender_value';
CREATE INDEX tender_fact_by_party ON serving.tender_fact (party, period_end DESC, fact_id)
WHERE measure = 'award_value';
CREATE INDEX tender_fact_by_process ON serving.tender_fact (process_key);
CREATE INDEX tender_fact_by_named_id ON serving.tender_fact USING gin (named_in_ids) WHERE named_in_ids <> '{}';
-- As in serving.fundamentals_fact: an edition's puts of one reason, in the order of the change feed.
CREATE INDEX tender_fact_by_edition ON serving.tender_fact (reason, published_in, row_id);
ALTER TABLE serving.tender_fact ALTER COLUMN location SET STATISTICS 0;
COMMENT ON TABLE serving.tender_fact IS 'Every vintage of tender and award values, of all editions.';
COMMENT ON COLUMN serving.tender_fact.row_id IS 'Given in publish order.';
COMMENT ON COLUMN serving.tender_fact.published_in IS 'First edition that holds the row.';
COMMENT ON COLUMN serving.tender_fact.superseded_in IS 'First edition that does not; the largest integer while none.';
COMMENT ON COLUMN serving.tender_fact.fact_id IS 'Hash of the content that states it and what it states; it never changes.';
COMMENT ON COLUMN serving.tender_fact.process_key IS 'The contracting process.';
COMMENT ON COLUMN serving.tender_fact.provenance_id IS 'Where the value comes from, and what evidences available_at.';
COMMENT ON COLUMN serving.tender_fact.period_end IS 'Day of the release that states it.';
COMMENT ON COLUMN serving.tender_fact.available_at IS 'The day the public could know this vintage.';
COMMENT ON COLUMN serving.tender_fact.known_until IS
'The day another vintage took its place, or the award was cancelled or went to others; infinity while neither.';
COMMENT ON COLUMN serving.tender_fact.vintage IS '1, 2, 3 … in order of availability.';
COMMENT ON COLUMN serving.tender_fact.reason IS 'Why the edition put the row.';
COMMENT ON COLUMN serving.tender_fact.measure IS 'tender_value of a process, or award_value of an award and a supplier.';
COMMENT ON COLUMN serving.tender_fact.country IS 'The portal''s country, ISO 3166-1 alpha-2.';
COMMENT ON COLUMN serving.tender_fact.party IS 'Issued id of the buyer or the supplier, whoever it is; null where there is none.';
COMMENT ON COLUMN serving.tender_fact.joint IS
'Whether several suppliers won it together: each has the whole value; null of a tender.';
COMMENT ON COLUMN serving.tender_fact.unit IS 'ISO 4217 code.';
COMMENT ON COLUMN serving.tender_fact.location IS 'Where in the document: the last part of source_ref.';
COMMENT ON COLUMN serving.tender_fact.named_in_ids IS 'Ids of parties whose names stand in its location: it goes with them.';
COMMENT ON COLUMN serving.tender_fact.value IS 'As stated, exact.';

-- What signals count. Each process stands once under each kind, in the month it first became known, with what
-- was known at that month's end. Read by the publisher alone.
CREATE TABLE serving.tender_event (
    row_id bigint GENERATED ALWAYS AS IDENTITY,
    published_in integer NOT NULL,
    superseded_in integer NOT NULL DEFAULT 2147483647,
    event_id uuid NOT NULL,
    process_key uuid NOT NULL,
    provenance_id uuid NOT NULL,
    month date NOT NULL,
    tenderers integer,
    days integer,
    joint boolean,
    reason serving.change_reason NOT NULL,
    kind text NOT NULL CHECK (kind IN ('tendered', 'valued', 'awarded', 'won')),
    country text NOT NULL,
    category text,
    party text,
    currency text,
    value numeric,
    PRIMARY KEY (row_id, process_key)
) WITH (fillfactor = 90, vacuum_truncate = off);
CREATE INDEX tender_event_by_month ON serving.tender_event (country, month);
CREATE INDEX tender_event_by_process ON serving.tender_event (process_key);
COMMENT ON TABLE serving.tender_event IS 'What happened in a contracting process, as signals count it, of all editions.';
COMMENT ON COLUMN serving.tender_event.row_id IS 'Given in publish order.';
COMMENT ON COLUMN serving.tender_event.published_in IS 'First edition that holds the row.';
COMMENT ON COLUMN serving.tender_event.superseded_in IS 'First edition that does not; the largest integer while none.';
COMMENT ON COLUMN serving.tender_event.event_id IS 'Hash of process, kind and, of what was won, award.';
COMMENT ON COLUMN serving.tender_event.process_key IS 'The contracting process.';
COMMENT ON COLUMN serving.tender_event.provenance_id IS 'Where it is stated.';
COMMENT ON COLUMN serving.tender_event.month IS 'First day of the month in which it first became known.';
COMMENT ON COLUMN serving.tender_event.tenderers IS 'Of an award: how many tendered, where stated.';
COMMENT ON COLUMN serving.tender_event.days IS
'Of an award: days from the deadline of the tender to the award, where both are stated.';
COMMENT ON COLUMN serving.tender_event.joint IS 'Of what was won: whether several suppliers won it together.';
COMMENT ON COLUMN serving.tender_event.reason IS 'Why the edition put the row.';
COMMENT ON COLUMN serving.tender_event.kind IS
'tendered: a tender; valued: a tender with a value; awarded: a first award; won: an award with a value.';
COMMENT ON COLUMN serving.tender_event.country IS 'The portal''s country, ISO 3166-1 alpha-2.';
COMMENT ON COLUMN serving.tender_event.category IS
'The portal''s own word, or what the codes of items tell; null where neither does.';
COMMENT ON COLUMN serving.tender_event.party IS 'The organisation that buys, or that won alone; null where none is established.';
COMMENT ON COLUMN serving.tender_event.currency IS 'ISO 4217 code of the value.';
COMMENT ON COLUMN serving.tender_event.value IS 'Value of the tender or the award, exact.';

-- Reading at a day d: the rows with available_at <= d < known_until, one for a part at most.
CREATE TABLE serving.tender_party (
    row_id bigint GENERATED ALWAYS AS IDENTITY,
    published_in integer NOT NULL,
    superseded_in integer NOT NULL DEFAULT 2147483647,
    part_id uuid NOT NULL,
    provenance_id uuid NOT NULL,
    available_at date NOT NULL,
    known_until date NOT NULL,
    first_release date NOT NULL,
    last_release date NOT NULL,
    releases integer NOT NULL CHECK (releases > 0),
    reason serving.change_reason NOT NULL,
    service_id text NOT NULL,
    role text NOT NULL,
    country text NOT NULL,
    location text NOT NULL,
    PRIMARY KEY (row_id, service_id)
) WITH (fillfactor = 90, vacuum_truncate = off);
-- The days end each key, so that what was known on other days is passed over in the index.
CREATE INDEX tender_party_by_service_id ON serving.tender_party
(service_id, role, country, available_at, known_until, published_in);
CREATE INDEX tender_party_by_country ON serving.tender_party
(country, service_id, role, available_at, known_until, published_in);
-- Of the most releases first, everywhere and in one country.
CREATE INDEX tender_party_by_releases ON serving.tender_party
(releases DESC, service_id, role, country, available_at, known_until, published_in);
CREATE INDEX tender_party_of_country_by_releases ON serving.tender_party
(country, releases DESC, service_id, role, available_at, known_until, published_in);
ALTER TABLE serving.tender_party ALTER COLUMN location SET STATISTICS 0;
COMMENT ON TABLE serving.tender_party IS
'Parts that established organisations play in releases, as known from day to day, of all editions.';
COMMENT ON COLUMN serving.tender_party.row_id IS 'Given in publish order.';
COMMENT ON COLUMN serving.tender_party.published_in IS 'First edition that holds the row.';
COMMENT ON COLUMN serving.tender_party.superseded_in IS 'First edition that does not; the largest integer while none.';
COMMENT ON COLUMN serving.tender_party.part_id IS 'Hash of organisation, role and country.';
COMMENT ON COLUMN serving.tender_party.provenance_id IS 'Where the newest of the releases comes from.';
COMMENT ON COLUMN serving.tender_party.available_at IS 'The first day on which the part was known so.';
COMMENT ON COLUMN serving.tender_party.known_until IS 'The day from which it is known otherwise; infinity while none.';
COMMENT ON COLUMN serving.tender_party.first_release IS 'Day of the first release.';
COMMENT ON COLUMN serving.tender_party.last_release IS 'Day of the newest release.';
COMMENT ON COLUMN serving.tender_party.releases IS 'How many releases show it in this role.';
COMMENT ON COLUMN serving.tender_party.reason IS 'Why the edition put the row.';
COMMENT ON COLUMN serving.tender_party.service_id IS 'The organisation.';
COMMENT ON COLUMN serving.tender_party.role IS 'OCDS role.';
COMMENT ON COLUMN serving.tender_party.country IS 'Country of the portals, ISO 3166-1 alpha-2.';
COMMENT ON COLUMN serving.tender_party.location IS 'Where in the document: the last part of source_ref.';

CREATE TABLE serving.tender_country (
    row_id bigint GENERATED ALWAYS AS IDENTITY,
    published_in integer NOT NULL,
    superseded_in integer NOT NULL DEFAULT 2147483647,
    newest_at timestamptz NOT NULL,
    reason serving.change_reason NOT NULL,
    country text NOT NULL,
    PRIMARY KEY (row_id, country)
) WITH (fillfactor = 90, vacuum_truncate = off);
CREATE INDEX tender_country_by_country ON serving.tender_country (country);
COMMENT ON TABLE serving.tender_country IS
'The newest release of each country in each edition: from here a page begins, past all that came later.';
COMMENT ON COLUMN serving.tender_country.row_id IS 'Given in publish order.';
COMMENT ON COLUMN serving.tender_country.published_in IS 'First edition that holds the row.';
COMMENT ON COLUMN serving.tender_country.superseded_in IS 'First edition that does not; the largest integer while none.';
COMMENT ON COLUMN serving.tender_country.newest_at IS 'Date of its newest release.';
COMMENT ON COLUMN serving.tender_country.reason IS 'Why the edition put the row.';
COMMENT ON COLUMN serving.tender_country.country IS 'ISO 3166-1 alpha-2.';

SELECT serving.keep_published(
    'serving.tender_release', 'serving.tender_text', 'serving.tender_fact', 'serving.tender_event',
    'serving.tender_party', 'serving.tender_country'
);

GRANT SELECT, INSERT, DELETE, UPDATE (superseded_in)
ON serving.tender_release, serving.tender_text, serving.tender_fact, serving.tender_event, serving.tender_party,
serving.tender_country TO sankofa_publish;
GRANT SELECT ON serving.tender_release, serving.tender_text, serving.tender_fact, serving.tender_party,
serving.tender_country TO sankofa_api;
