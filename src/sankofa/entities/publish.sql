-- name: touch_all
-- Changed rules: every subject of every source is judged again.
INSERT INTO build.touched_subject (subject_id)
SELECT DISTINCT record.subject_id FROM ledger.organisation_record AS record
ON CONFLICT DO NOTHING;

-- name: vintages
-- All statements about the chunk's organisations, each vintage with the earliest fetched document that contains it.
-- Read by index, few organisations out of many.
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

-- name: filings
-- The filings of the chunk's organisations that a document of the edition shows a value of, each once, with the day on
-- which it became available. One value of a filing is enough, so it is looked up filing by filing: by index, which the
-- order asks for, and compared with the documents one by one.
CREATE TEMPORARY TABLE filed ON COMMIT DROP AS
SELECT DISTINCT ON (resolved.resolves_to, filing.filing_number)
    resolved.resolves_to AS service_id,
    subject.identifier,
    filing.*
FROM resolved
INNER JOIN ledger.subject AS subject ON resolved.subject_id = subject.subject_id
INNER JOIN ledger.filing AS filing ON resolved.subject_id = filing.subject_id
CROSS JOIN
    LATERAL (
        SELECT fact.document_id
        FROM ledger.fact AS fact
        WHERE
            fact.filing_id = filing.filing_id AND fact.value IS NOT NULL
            AND EXISTS (SELECT FROM build.held_document AS held WHERE held.document_id = fact.document_id OFFSET 0)
        ORDER BY fact.concept_id
        LIMIT 1
    ) AS one_value
ORDER BY
    resolved.resolves_to ASC, filing.filing_number ASC, filing.available_at ASC, filing.accepted_at ASC NULLS LAST,
    filing.source ASC, filing.form ASC NULLS LAST, filing.report_period ASC NULLS LAST, filing.true_end ASC NULLS LAST;

-- name: former_names
-- Names of earlier days, each once: search compares them too.
SELECT DISTINCT version.legal_name FROM name_version AS version
WHERE version.known_until < 'infinity' AND version.legal_name IS NOT NULL;

-- name: search_names
CREATE TEMPORARY TABLE search_name (legal_name text, search_name text) ON COMMIT DROP;

-- name: copy_search_names
COPY search_name FROM STDIN;

-- name: target_organisations
-- Each organisation by its representative statement, from the first vintage with that content.
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

-- A valid LEI precedes a retired one, and that of the representative statement precedes others. Only the register
-- that issues LEIs retires one; other sources do not revive it. A third party's LEI is ignored here.
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
    coalesce(version.provenance_id, newest.provenance_id) AS name_provenance_id,
    coalesce(version.location, newest.location) AS name_location,
    version.known_from,
    version.name_as_of,
    judged.service_id IN (SELECT filed.service_id FROM filed) AS is_issuer,
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

-- name: target_name_provenance
-- The provenance of the newest names, besides the representative records of their organisations.
CREATE TEMPORARY TABLE target ON COMMIT DROP AS
SELECT version.* FROM name_version AS version
WHERE version.known_until = 'infinity' AND version.provenance_id IS NOT NULL;

-- name: disputed
-- Identifiers that third parties assign to the chunk's organisations and a register to others.
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
    AND concat_ws(':', one.value ->> 0, one.value ->> 2) <> vintage.location
    AND NOT EXISTS (
        SELECT FROM resolved
        WHERE resolved.subject_id = claim.subject_id AND resolved.resolves_to = vintage.service_id
    );

-- name: identifier_versions
-- Each identifier ever claimed for an organisation, as it was known from day to day: from the vintage that claimed it
-- first, until when it held. One that a source's newest vintage of the day no longer claims ended when the first without it
-- became available. A third party's claim is left out if a register assigns the identifier to another.
CREATE TEMPORARY TABLE identifier_version ON COMMIT DROP AS
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
            WHEN
                one.value ->> 0 <> 'registry' AND 'evidence:third_party' = any(followed.marks)
                AND concat_ws(':', one.value ->> 0, one.value ->> 2) <> followed.location THEN 'third_party'
            ELSE 'register'
        END AS evidence,
        (one.value ->> 4)::date AS retired_at
    FROM followed CROSS JOIN LATERAL jsonb_array_elements(followed.identifiers) AS one
),

-- The days on which something about the identifier became known.
moment AS (
    SELECT claim.service_id, claim.id_type, claim.issuer, claim.id_key, claim.available_at AS day FROM claim
    UNION
    SELECT claim.service_id, claim.id_type, claim.issuer, claim.id_key, claim.next_available_at AS day FROM claim
    WHERE claim.next_available_at IS NOT NULL
),

-- The last vintage of each source that claims it by the day determines its end.
held AS (
    SELECT
        claim.*,
        moment.day,
        first_value(
            CASE
                WHEN claim.next_available_at <= moment.day THEN coalesce(claim.retired_at, claim.next_available_at)
                ELSE claim.retired_at
            END
        ) OVER last_claim AS valid_to,
        first_value(claim.id_type = 'lei' AND claim.retired_at IS NOT NULL) OVER last_claim AS is_retired_lei
    FROM moment
    INNER JOIN claim
        ON
            moment.service_id = claim.service_id AND moment.id_type = claim.id_type AND moment.issuer = claim.issuer
            AND moment.id_key = claim.id_key AND moment.day >= claim.available_at
    WINDOW last_claim AS (
        PARTITION BY
            claim.service_id, claim.subject_id, claim.source, claim.id_type, claim.issuer, claim.id_key, moment.day
        ORDER BY claim.place DESC
    )
),

-- One row per identifier and day: from a valid claim if there is one, else from the one that ended last. A retired LEI
-- stays retired, whatever other sources claim.
settled AS (
    SELECT DISTINCT ON (held.service_id, held.id_type, held.issuer, held.id_key, held.day)
        held.*,
        md5(concat_ws('|', held.location, held.id_type, held.issuer, held.id_key))::uuid AS claim_id,
        concat_ws(
            '|', held.location, held.id_value, held.provenance_id, held.available_at, held.evidence,
            coalesce(held.valid_from, 'infinity'), coalesce(held.valid_to, 'infinity')
        ) AS state
    FROM held
    WHERE
        held.evidence = 'register'
        OR (held.service_id, held.id_type, held.id_key) NOT IN (
            SELECT disputed.service_id, disputed.id_type, disputed.id_key FROM disputed
        )
    ORDER BY
        held.service_id ASC, held.id_type ASC, held.issuer ASC, held.id_key ASC, held.day ASC, held.is_retired_lei DESC,
        held.evidence ASC, held.valid_to DESC NULLS FIRST, held.available_at ASC, held.stated_at ASC, held.location ASC,
        held.source ASC, held.place ASC
),

compared AS (
    SELECT
        settled.*,
        lag(settled.state) OVER (
            PARTITION BY settled.service_id, settled.id_type, settled.issuer, settled.id_key
            ORDER BY settled.day
        ) AS state_before
    FROM settled
)

SELECT
    compared.service_id,
    compared.claim_id,
    md5(concat_ws('|', compared.service_id, compared.id_type, compared.issuer, compared.id_key, compared.day))::uuid
        AS version_id,
    compared.provenance_id,
    compared.available_at,
    compared.valid_from,
    compared.valid_to,
    compared.day AS known_from,
    lead(compared.day, 1, 'infinity') OVER (
        PARTITION BY compared.service_id, compared.id_type, compared.issuer, compared.id_key
        ORDER BY compared.day
    ) AS known_until,
    compared.evidence,
    compared.id_type,
    compared.issuer,
    compared.id_value,
    compared.location,
    compared.document_ref,
    compared.license_class,
    compared.observed_at,
    compared.available_at_basis
FROM compared
WHERE compared.state IS DISTINCT FROM compared.state_before;

-- name: target_identifiers
CREATE TEMPORARY TABLE target ON COMMIT DROP AS
SELECT row_number() OVER () AS target_id, version.* FROM identifier_version AS version
WHERE version.known_until = 'infinity';

-- name: target_earlier_identifiers
CREATE TEMPORARY TABLE target ON COMMIT DROP AS
SELECT row_number() OVER () AS target_id, version.* FROM identifier_version AS version
WHERE version.known_until < 'infinity';

-- name: target_issuers
-- Filers of accounts: the days of all filings, with each country and industry and its days. The first filing is cited, from
-- the document of it that was fetched first.
CREATE TEMPORARY TABLE target ON COMMIT DROP AS
WITH first_filing AS (
    SELECT DISTINCT ON (filed.service_id) filed.*
    FROM filed
    ORDER BY filed.service_id ASC, filed.available_at ASC, filed.accepted_at ASC NULLS LAST, filed.filing_number ASC
),

cited AS (
    SELECT first_filing.*, first_document.sha256, first_document.license_class, first_document.fetched_at
    FROM first_filing
    CROSS JOIN
        LATERAL (
            SELECT document.sha256, document.license_class, document.fetched_at
            FROM ledger.fact AS fact
            INNER JOIN build.held_document AS document ON fact.document_id = document.document_id
            WHERE fact.filing_id = first_filing.filing_id AND fact.value IS NOT NULL
            ORDER BY document.fetched_at, document.sha256
            LIMIT 1
        ) AS first_document
),

days AS (
    SELECT filed.service_id, array_agg(filed.available_at ORDER BY filed.available_at) AS filed_on
    FROM filed
    GROUP BY filed.service_id
),

home AS (
    SELECT
        version.service_id,
        version.known_from,
        coalesce(left(version.jurisdiction, 2), '') AS country,
        version.sic,
        concat_ws('|', coalesce(left(version.jurisdiction, 2), ''), version.sic) AS state,
        lag(concat_ws('|', coalesce(left(version.jurisdiction, 2), ''), version.sic)) OVER (
            PARTITION BY version.service_id ORDER BY version.known_from
        ) AS state_before
    FROM name_version AS version
)

SELECT
    row_number() OVER () AS target_id,
    home.service_id,
    md5(concat_ws(
        '|', cited.source, cited.filing_number, cited.sha256, cited.available_at_basis, coalesce(cited.form, ''),
        cited.accepted_at AT TIME ZONE 'UTC'
    ))::uuid AS provenance_id,
    cited.available_at AS first_filed,
    home.known_from,
    lead(home.known_from, 1, 'infinity') OVER (PARTITION BY home.service_id ORDER BY home.known_from) AS known_until,
    home.country,
    home.sic,
    days.filed_on,
    cited.source || ':' || cited.filing_number || '@sha256:' || encode(cited.sha256, 'hex') AS document_ref,
    cited.license_class,
    cited.fetched_at AS observed_at,
    cited.available_at_basis,
    CASE WHEN starts_with(cited.identifier, 'cvm:') THEN 'table' ELSE 'xbrl' END AS method,
    cited.accepted_at,
    cited.form,
    cited.filing_number AS filing_id
FROM home
INNER JOIN cited ON home.service_id = cited.service_id
INNER JOIN days ON home.service_id = days.service_id
WHERE home.state IS DISTINCT FROM home.state_before;

-- name: target_ids
-- An id is served in an edition while the organisation it resolves to may be served.
CREATE TEMPORARY TABLE target ON COMMIT DROP AS
SELECT row_number() OVER () AS target_id, touched.service_id, touched.survivor AS resolves_to
FROM touched
WHERE touched.survivor IN (SELECT resolved.resolves_to FROM resolved);
