-- fragment: record_content(staged)
-- The hash of a record's content, without its dates.
SELECT
    md5(concat_ws(
        '|', staged.legal_name, staged.jurisdiction, staged.status, staged.duplicate_of, staged.marks,
        staged.identifiers
    ))::uuid
FROM staged;

-- name: stage
CREATE TEMPORARY TABLE IF NOT EXISTS staged_organisation (
    staged integer NOT NULL, identifier text NOT NULL, available_at date NOT NULL, stated_at timestamptz NOT NULL,
    legal_name text NOT NULL, jurisdiction text, status text NOT NULL, available_at_basis text NOT NULL, duplicate_of text,
    is_mention boolean NOT NULL, marks text NOT NULL, identifiers jsonb NOT NULL
);
CREATE TEMPORARY TABLE IF NOT EXISTS appended_organisation (subject_id integer NOT NULL);
TRUNCATE staged_organisation, appended_organisation;

-- name: copy
COPY staged_organisation FROM STDIN;

-- name: register_subjects
-- In a fixed order, so that two ingests that meet the same subjects cannot deadlock.
INSERT INTO ledger.subject (identifier)
SELECT DISTINCT staged.identifier
FROM staged_organisation AS staged
WHERE
    NOT EXISTS (
        SELECT FROM ledger.subject AS known
        WHERE known.identifier = staged.identifier
    )
ORDER BY staged.identifier
ON CONFLICT DO NOTHING;

-- name: append
-- Vintages that no earlier fetched document contains, except held documents.
WITH incoming AS (
    SELECT
        subject.subject_id,
        staged.*,
        fragment.record_content(staged) AS content
    FROM staged_organisation AS staged
    INNER JOIN ledger.subject AS subject ON staged.identifier = subject.identifier
),

put AS (
    INSERT INTO ledger.organisation_record (
        subject_id, document_id, available_at, stated_at, content, source, legal_name, jurisdiction, status,
        available_at_basis, duplicate_of, is_mention, marks, identifiers
    )
    SELECT
        incoming.subject_id, %(document_id)s, incoming.available_at, incoming.stated_at, incoming.content, %(source)s,
        incoming.legal_name, incoming.jurisdiction, incoming.status, incoming.available_at_basis, incoming.duplicate_of,
        incoming.is_mention, string_to_array(incoming.marks, ' '), incoming.identifiers
    FROM incoming
    WHERE
        NOT EXISTS (
            SELECT FROM ledger.organisation_record AS record
            INNER JOIN ops.document AS document ON record.document_id = document.document_id
            WHERE
                record.subject_id = incoming.subject_id AND record.source = %(source)s
                AND record.stated_at = incoming.stated_at AND record.content = incoming.content
                AND (document.fetched_at, document.sha256) <= (%(fetched_at)s, %(sha256)s)
                AND record.document_id NOT IN (SELECT waiting.document_id FROM ops.held_back AS waiting)
        )
    ON CONFLICT DO NOTHING
    RETURNING subject_id
)

INSERT INTO appended_organisation SELECT subject_id FROM put;

-- name: mention
-- The subject and the record hash of each staged record.
DROP TABLE IF EXISTS mentioned;
CREATE TEMPORARY TABLE mentioned ON COMMIT DROP AS
SELECT staged.staged, subject.subject_id, fragment.record_content(staged) AS record
FROM staged_organisation AS staged
INNER JOIN ledger.subject AS subject ON staged.identifier = subject.identifier;

-- name: extent
SELECT count(DISTINCT staged.identifier), NULL::date FROM staged_organisation AS staged;

-- name: count_appended
SELECT count(*) FROM appended_organisation;

-- name: touched_subjects
SELECT DISTINCT appended.subject_id FROM appended_organisation AS appended;

-- name: touch_subjects
INSERT INTO ops.batch_subject (batch_id, subject_id)
SELECT DISTINCT %(batch_id)s::integer, appended.subject_id
FROM appended_organisation AS appended
ON CONFLICT DO NOTHING;
