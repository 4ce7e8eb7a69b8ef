-- name: touch
-- Parties of the edition's processes whose organisation has several names or jurisdictions: a new release may change the
-- day from which one of them was known.
INSERT INTO build.touched_subject (subject_id)
SELECT mentioned.subject_id
FROM (
    SELECT DISTINCT party.subject_id
    FROM build.concerned_batch AS concerned
    INNER JOIN ops.batch_process AS touched ON concerned.batch_id = touched.batch_id
    INNER JOIN ledger.release_party AS party ON touched.process_key = party.process_key
) AS mentioned
WHERE
    EXISTS (
        SELECT FROM ops.issued_id AS issued
        INNER JOIN serving.issued_id AS mine ON issued.service_id = mine.service_id AND fragment.is_live(mine)
        INNER JOIN serving.issued_id AS theirs ON mine.resolves_to = theirs.resolves_to AND fragment.is_live(theirs)
        INNER JOIN ops.issued_id AS other ON theirs.service_id = other.service_id
        INNER JOIN ledger.organisation_record AS record ON other.subject_id = record.subject_id
        WHERE issued.subject_id = mentioned.subject_id
        HAVING count(DISTINCT concat_ws('|', record.jurisdiction, record.legal_name)) > 1
    )
ON CONFLICT DO NOTHING;

-- name: date
-- If an organisation has several names or jurisdictions, each mention is known from the day of the first content that
-- states it. A single name is served for every day and needs no date.
WITH various AS (
    SELECT vintage.service_id
    FROM vintage
    GROUP BY vintage.service_id
    HAVING count(DISTINCT concat_ws('|', vintage.jurisdiction, vintage.legal_name)) > 1 AND bool_or(vintage.is_mention)
),

mention AS (
    SELECT party.*
    FROM various
    INNER JOIN vintage ON various.service_id = vintage.service_id AND vintage.is_mention
    INNER JOIN ledger.release_party AS party
        ON vintage.subject_id = party.subject_id AND vintage.content = party.record
),

sighted AS (
    SELECT sighting.*, document.place, document.fetched_at, release.released_at, release.released_on
    FROM (SELECT DISTINCT mention.process_key, mention.release_key FROM mention) AS made
    INNER JOIN ledger.release_sighting AS sighting
        ON made.process_key = sighting.process_key AND made.release_key = sighting.release_key
    INNER JOIN build.held_document AS document ON sighting.document_id = document.document_id
    INNER JOIN ledger.release AS release
        ON
            sighting.process_key = release.process_key AND sighting.release_key = release.release_key
            AND sighting.content = release.content
),

worded AS (
    SELECT sighted.*, fragment.is_last_word(sighted) AS is_last_word FROM sighted
),

settled AS (
    SELECT DISTINCT ON (worded.release_key, worded.content) worded.* FROM worded
    ORDER BY worded.release_key, worded.content, worded.place
),

numbered AS (
    SELECT settled.*, fragment.turn(settled) AS vintage, fragment.first_day(settled) AS first_available_at FROM settled
),

first AS (
    SELECT mention.subject_id, mention.record, min(fragment.day_of(numbered)) AS day
    FROM mention
    INNER JOIN numbered ON mention.release_key = numbered.release_key AND mention.content = numbered.content
    GROUP BY mention.subject_id, mention.record
)

UPDATE vintage SET available_at = first.day, is_undated = FALSE
FROM first
WHERE vintage.is_mention AND vintage.subject_id = first.subject_id AND vintage.content = first.record;
