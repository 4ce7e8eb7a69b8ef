-- name: touch_all
-- Other rules: whoever any source states something about is judged anew.
INSERT INTO build.touched_subject (subject_id)
SELECT DISTINCT record.subject_id FROM ledger.organisation_record AS record
ON CONFLICT DO NOTHING;

-- name: vintages
-- What sources stated of the chunk's organisations, each vintage with the earliest fetched document that shows
-- it. Read by index, few organisations out of many.
CREATE TEMPORARY TABLE vintage ON COMMIT DROP AS
SELECT DISTINCT ON (
    record.subject_id, record.source, record.stated_at, record.content,
    CASE WHEN NOT record.is_mention THEN record.available_at END
)
    resolved.resolves_to AS service_id,
    record.*,
    CASE WHEN record.is_mention THEN record.content END AS mention,
    record.available_at_basis = 'first_seen' AS is_undated,
    subject.identifier AS location,
    document.document_ref,
    md5(concat_ws(
        '|', document.source, encode(document.sha256, 'hex'), record.available_at_basis, document.corrected
    ))::uuid AS provenance_id,
    document.license_class,
    document.fetched_at AS observed_at
FROM resolved
INNER JOIN ledger.organisation_record AS record ON resolved.subject_id = record.subject_id
INNER JOIN ledger.subject AS subject ON record.subject_id = subject.subject_id
INNER JOIN build.held_document AS document ON record.document_id = document.document_id
ORDER BY
    record.subject_id, record.source, record.stated_at, record.content,
    CASE WHEN NOT record.is_mention THEN record.available_at END, document.fetched_at, document.sha256;

-- name: target_organisations
-- Each organisation as the statement that speaks for it has it, from the first vintage with that content.
CREATE TEMPORARY TABLE target ON COMMIT DROP AS
WITH followed AS (
    SELECT vintage.*, fragment.content_before(vintage) AS content_before FROM vintage
),

newest AS (
    SELECT DISTINCT ON (followed.subject_id, followed.source, followed.mention) followed.*
    FROM followed
    WHERE followed.content IS DISTINCT FROM followed.content_before
    ORDER BY
        followed.subject_id ASC, followed.source ASC, followed.mention ASC, followed.available_at DESC,
        followed.stated_at DESC, followed.content DESC
),

-- One that holds before one that is retired, the speaking statement's own before another's. Only the register that
-- issues LEIs says that one is retired; whoever else names it does not revive it. A third party's says nothing here.
lei AS (
    SELECT DISTINCT ON (newest.service_id) newest.service_id, claim.value ->> 2 AS value
    FROM newest
    INNER JOIN judged ON newest.service_id = judged.service_id
    CROSS JOIN LATERAL jsonb_array_elements(newest.identifiers) AS claim
    WHERE claim.value ->> 0 = 'lei' AND 'evidence:third_party' <> all(newest.marks)
    ORDER BY
        newest.service_id ASC,
        bool_or((claim.value ->> 4) IS NOT NULL) OVER (PARTITION BY newest.service_id, claim.value ->> 2) ASC,
        newest.subject_id = judged.subject_id DESC, claim.value ->> 2 ASC
)

SELECT
    row_number() OVER () AS target_id,
    judged.service_id,
    judged.decision_id,
    newest.provenance_id,
    nullif(newest.legal_name, '') AS legal_name,
    judged.search_name,
    version.jurisdiction,
    version.sic,
    lei.value AS lei,
    newest.status,
    string_to_array(judged.established_by, ' ') AS established_by,
    judged.rule_version,
    newest.location,
    version.known_from,
    version.name_as_of,
    newest.document_ref,
    newest.license_class,
    newest.observed_at,
    newest.available_at_basis
FROM judged
INNER JOIN newest
    ON
        judged.subject_id = newest.subject_id AND judged.source = newest.source
        AND judged.content = newest.content
LEFT JOIN name_version AS version ON judged.service_id = version.service_id AND version.known_until = 'infinity'
LEFT JOIN lei ON judged.service_id = lei.service_id;

-- name: disputed
-- What third parties say the chunk's organisations have, and a register gives to another.
CREATE TEMPORARY TABLE disputed ON COMMIT DROP AS
SELECT DISTINCT vintage.service_id, one.value ->> 0 AS id_type, serving.identifier_key(one.value ->> 2) AS id_key
FROM vintage
CROSS JOIN LATERAL jsonb_array_elements(vintage.identifiers) AS one
INNER JOIN ops.organisation_claim AS claim
    ON claim.key = concat_ws(
        ':', one.value ->> 0, nullif(one.value ->> 1, ''), serving.identifier_key(one.value ->> 2)
    ) AND claim.kind < 7
WHERE
    'evidence:third_party' = any(vintage.marks)
    AND NOT EXISTS (
        SELECT FROM resolved
        WHERE resolved.subject_id = claim.subject_id AND resolved.resolves_to = vintage.service_id
    );

-- name: target_identifiers
-- Each identifier ever claimed for an organisation, from the vintage that claimed it first, until when it held:
-- one that a source's newest vintage no longer claims ended when the first without it became available. What only third
-- parties say is left out where a register gives it to another.
CREATE TEMPORARY TABLE target ON COMMIT DROP AS
WITH followed AS (
    SELECT
        vintage.*,
        row_number() OVER in_time AS place,
        lead(vintage.available_at) OVER in_time AS next_available_at
    FROM vintage
    WINDOW in_time AS (
        PARTITION BY vintage.subject_id, vintage.source, vintage.mention
        ORDER BY vintage.available_at, vintage.stated_at, vintage.content
    )
),

claim AS (
    SELECT
        followed.*,
        one.value ->> 0 AS id_type,
        coalesce(one.value ->> 1, '') AS issuer,
        one.value ->> 2 AS id_value,
        serving.identifier_key(one.value ->> 2) AS id_key,
        (one.value ->> 3)::date AS valid_from,
        CASE
            WHEN one.value ->> 0 <> 'registry' AND 'evidence:third_party' = any(followed.marks) THEN 'third_party'
            ELSE 'register'
        END AS evidence,
        coalesce((one.value ->> 4)::date, followed.next_available_at) AS ended_at,
        (one.value ->> 4)::date AS retired_at
    FROM followed CROSS JOIN LATERAL jsonb_array_elements(followed.identifiers) AS one
),

-- The last vintage of each source that claims it says until when.
held AS (
    SELECT
        claim.*,
        first_value(
            CASE WHEN claim.next_available_at IS NULL THEN claim.retired_at ELSE claim.ended_at END
        ) OVER last_claim AS valid_to,
        first_value(claim.id_type = 'lei' AND claim.retired_at IS NOT NULL) OVER last_claim AS is_retired_lei
    FROM claim
    WINDOW last_claim AS (
        PARTITION BY claim.service_id, claim.subject_id, claim.source, claim.id_type, claim.issuer, claim.id_key
        ORDER BY claim.place DESC
    )
)

SELECT row_number() OVER () AS target_id, settled.* FROM (
    -- One row per identifier: from a claim that holds if there is one, else from the one that ended last. A retired
    -- LEI is that, whoever else names it.
    SELECT DISTINCT ON (held.service_id, held.id_type, held.issuer, held.id_key)
        held.service_id,
        md5(concat_ws('|', held.location, held.id_type, held.issuer, held.id_key))::uuid AS claim_id,
        held.provenance_id,
        held.available_at,
        held.valid_from,
        held.valid_to,
        held.evidence,
        held.id_type,
        held.issuer,
        held.id_value,
        held.location,
        held.document_ref,
        held.license_class,
        held.observed_at,
        held.available_at_basis
    FROM held
    WHERE
        held.evidence = 'register'
        OR (held.service_id, held.id_type, held.id_key) NOT IN (
            SELECT disputed.service_id, disputed.id_type, disputed.id_key FROM disputed
        )
    ORDER BY
        held.service_id ASC, held.id_type ASC, held.issuer ASC, held.id_key ASC, held.is_retired_lei DESC,
        held.evidence ASC, held.valid_to DESC NULLS FIRST, held.available_at ASC, held.stated_at ASC, held.location ASC,
        held.source ASC, held.place ASC
) AS settled;

-- name: target_ids
-- An id answers in an edition while the organisation it resolves to may be shown.
CREATE TEMPORARY TABLE target ON COMMIT DROP AS
SELECT row_number() OVER () AS target_id, touched.service_id, touched.survivor AS resolves_to
FROM touched
WHERE touched.survivor IN (SELECT resolved.resolves_to FROM resolved);
