-- Exports: which files were written whole, and which of them an edition lists.

CREATE TABLE ops.artifact (
    artifact_id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    edition integer NOT NULL,
    first_edition integer NOT NULL,
    last_edition integer NOT NULL,
    part integer NOT NULL,
    parts integer NOT NULL,
    after_row bigint NOT NULL,
    until_row bigint NOT NULL,
    takedown integer NOT NULL,
    rows bigint NOT NULL,
    bytes bigint NOT NULL,
    sha256 bytea NOT NULL CHECK (length(sha256) = 32),
    subject text NOT NULL,
    kind text NOT NULL CHECK (
        kind IN (
            'panel', 'rows', 'rows_table', 'rows_manifest', 'closings', 'closings_table', 'closings_manifest'
        )
    ),
    name text COLLATE "C" NOT NULL UNIQUE,
    license_class text NOT NULL,
    url text NOT NULL,
    object_key text NOT NULL,
    columns jsonb NOT NULL,
    recorded_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE ops.artifact IS 'Files that were written whole and verified, each once: Parquet, and Iceberg metadata over it.';
COMMENT ON COLUMN ops.artifact.artifact_id IS 'Handle.';
COMMENT ON COLUMN ops.artifact.edition IS 'The edition it was made from.';
COMMENT ON COLUMN ops.artifact.first_edition IS 'First published_in it holds; of closings, the first edition that closed.';
COMMENT ON COLUMN ops.artifact.last_edition IS 'Last one.';
COMMENT ON COLUMN ops.artifact.part IS 'Which part of the range, by row id; 0 where there is one.';
COMMENT ON COLUMN ops.artifact.parts IS 'How many parts the range has.';
COMMENT ON COLUMN ops.artifact.after_row IS 'Row ids of its facts are above this.';
COMMENT ON COLUMN ops.artifact.until_row IS 'And up to this.';
COMMENT ON COLUMN ops.artifact.takedown IS 'The newest takedown when it was read.';
COMMENT ON COLUMN ops.artifact.rows IS 'Rows of the file.';
COMMENT ON COLUMN ops.artifact.bytes IS 'Its length.';
COMMENT ON COLUMN ops.artifact.sha256 IS 'Of its bytes.';
COMMENT ON COLUMN ops.artifact.subject IS 'The table, or the key of a panel.';
COMMENT ON COLUMN ops.artifact.kind IS
'panel; rows or closings of a dataset; the metadata of an Iceberg table of these; its lists and manifests.';
COMMENT ON COLUMN ops.artifact.name IS 'Its name; of one content for ever.';
COMMENT ON COLUMN ops.artifact.license_class IS 'Licence of the file; of bulk files the strictest of its rows.';
COMMENT ON COLUMN ops.artifact.url IS 'Where it is read.';
COMMENT ON COLUMN ops.artifact.object_key IS 'Its key in the bucket of its kind.';
COMMENT ON COLUMN ops.artifact.columns IS 'Names and types, in order.';
COMMENT ON COLUMN ops.artifact.recorded_at IS 'When this row was written; the server''s clock.';

CREATE TABLE serving.artifact (
    row_id bigint GENERATED ALWAYS AS IDENTITY,
    published_in integer NOT NULL,
    superseded_in integer NOT NULL DEFAULT 2147483647,
    reason serving.change_reason NOT NULL,
    edition integer NOT NULL,
    first_edition integer NOT NULL,
    last_edition integer NOT NULL,
    after_row bigint NOT NULL,
    until_row bigint NOT NULL,
    rows bigint NOT NULL,
    bytes bigint NOT NULL,
    sha256 bytea NOT NULL,
    subject text NOT NULL,
    kind text NOT NULL,
    name text COLLATE "C" NOT NULL,
    license_class text NOT NULL,
    url text NOT NULL,
    object_key text NOT NULL,
    columns jsonb NOT NULL,
    PRIMARY KEY (row_id, subject)
) WITH (fillfactor = 90, vacuum_truncate = off);
CREATE INDEX artifact_by_name ON serving.artifact (name);
COMMENT ON TABLE serving.artifact IS 'Files that editions list.';
COMMENT ON COLUMN serving.artifact.row_id IS 'Given in publish order.';
COMMENT ON COLUMN serving.artifact.published_in IS 'First edition that lists it.';
COMMENT ON COLUMN serving.artifact.superseded_in IS 'First edition that does not; the largest integer while none.';
COMMENT ON COLUMN serving.artifact.reason IS 'Why the edition put the row.';
COMMENT ON COLUMN serving.artifact.edition IS 'The edition it was made from.';
COMMENT ON COLUMN serving.artifact.first_edition IS
'First published_in it holds; of closings, the first edition that closed.';
COMMENT ON COLUMN serving.artifact.last_edition IS 'Last one.';
COMMENT ON COLUMN serving.artifact.after_row IS 'Row ids of its facts are above this.';
COMMENT ON COLUMN serving.artifact.until_row IS 'And up to this.';
COMMENT ON COLUMN serving.artifact.rows IS 'Rows of the file.';
COMMENT ON COLUMN serving.artifact.bytes IS 'Its length.';
COMMENT ON COLUMN serving.artifact.sha256 IS 'Of its bytes.';
COMMENT ON COLUMN serving.artifact.subject IS 'The table, or the key of a panel.';
COMMENT ON COLUMN serving.artifact.kind IS
'panel; rows or closings of a dataset; the metadata of an Iceberg table of these; its lists and manifests.';
COMMENT ON COLUMN serving.artifact.name IS 'Its name; of one content for ever.';
COMMENT ON COLUMN serving.artifact.license_class IS 'Licence of the file.';
COMMENT ON COLUMN serving.artifact.url IS 'Where it is read.';
COMMENT ON COLUMN serving.artifact.object_key IS 'Its key in the bucket of its kind.';
COMMENT ON COLUMN serving.artifact.columns IS 'Names and types, in order.';

-- What has become of a file: an edition lists it, or the next one may, or it is void and its object goes. A takedown
-- reaches a file that is not listed by the rows it buried since the file was read; of awards, by any party's.
CREATE VIEW ops.artifact_standing AS
SELECT
    artifact.artifact_id,
    artifact.name,
    artifact.kind,
    CASE
        WHEN artifact.name IN (SELECT listed.name FROM serving.artifact AS listed) THEN 'listed'
        WHEN
            EXISTS (
                SELECT FROM ops.edition_holds AS held
                WHERE
                    held.kind = 'artifact' AND held.number = artifact.artifact_id
                    AND held.edition <= (SELECT max(edition.edition) FROM serving.edition AS edition)
            )
            OR (
                artifact.kind IN ('rows', 'rows_table', 'rows_manifest')
                AND EXISTS (
                    SELECT FROM ops.tombstone AS buried
                    WHERE
                        buried.takedown > artifact.takedown
                        AND CASE artifact.subject
                            WHEN 'awards' THEN buried.dataset IN ('tender_fact', 'issued_id', 'organisation')
                            ELSE
                                buried.dataset = CASE artifact.subject
                                    WHEN 'fundamentals' THEN 'fundamentals_fact'
                                    WHEN 'releases' THEN 'tender_release'
                                    WHEN 'organisations' THEN 'organisation'
                                    WHEN 'names' THEN 'organisation_name'
                                    WHEN 'identifiers' THEN 'identifier'
                                    WHEN 'identifiers-earlier' THEN 'identifier_earlier'
                                    WHEN 'metrics' THEN 'metric_value'
                                END
                                AND buried.row_id > artifact.after_row AND buried.row_id <= artifact.until_row
                        END
                )
            )
            THEN 'void'
        ELSE 'pending'
    END AS standing
FROM ops.artifact AS artifact;
COMMENT ON VIEW ops.artifact_standing IS 'What has become of each file that was written.';
COMMENT ON COLUMN ops.artifact_standing.artifact_id IS 'The file.';
COMMENT ON COLUMN ops.artifact_standing.name IS 'Its name.';
COMMENT ON COLUMN ops.artifact_standing.kind IS 'Kind of the file.';
COMMENT ON COLUMN ops.artifact_standing.standing IS 'listed by an edition, pending, or void: its object may go.';

SELECT ops.keep_append_only('ops.artifact');
SELECT serving.keep_published('serving.artifact');

GRANT SELECT ON serving.signal, serving.artifact, ops.artifact, ops.artifact_standing TO sankofa_export;
GRANT INSERT (
    edition, first_edition, last_edition, part, parts, after_row, until_row, takedown, rows, bytes, sha256, subject,
    kind, name, license_class, url, object_key, columns
) ON ops.artifact TO sankofa_export;
GRANT SELECT ON ops.artifact, ops.artifact_standing TO sankofa_publish;
GRANT SELECT, INSERT, DELETE, UPDATE (superseded_in) ON serving.artifact TO sankofa_publish;
-- Which files went with a takedown.
GRANT SELECT ON ops.artifact_standing TO sankofa_privacy;
GRANT SELECT ON serving.artifact TO sankofa_api;
