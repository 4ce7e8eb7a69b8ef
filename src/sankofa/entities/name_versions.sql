-- name: name_versions
-- The name, home and industry of each organisation of the chunk, day by day. On a day, the statements known by then are
-- ranked as the newest ones are in `profiles`. A statement whose source dates it is known from its own
-- day, a mention from that of its release where names differ (`tenders/mentions.sql`), any other from the day of the
-- fetch. Days on which nothing was known get the name of the undated statement that was fetched first, unless its source
-- dates other names of the subject, as submissions do. Where the statement
-- that gives the name has no jurisdiction, another one gives it, but no mention: of a party without a country, a mention
-- has the portal's. An industry counts from the day on which a statement of it was known, and no earlier.
CREATE TEMPORARY TABLE name_version ON COMMIT DROP AS
WITH followed AS (
    SELECT vintage.*, fragment.content_before(vintage) AS content_before FROM vintage
),

recorded AS (
    SELECT
        followed.*,
        lead(followed.available_at, 1, 'infinity') OVER (
            PARTITION BY followed.subject_id, followed.source, followed.mention
            ORDER BY followed.available_at, followed.stated_at, followed.content
        ) AS until,
        followed.available_at_basis <> 'first_seen' AS is_dated,
        bool_or(followed.available_at_basis <> 'first_seen') OVER (
            PARTITION BY followed.subject_id, followed.source
        ) AS is_of_dated_names,
        (
            SELECT substr(mark.value, 5) FROM unnest(followed.marks) AS mark (value)
            WHERE mark.value LIKE 'sic:%%' LIMIT 1
        ) AS sic,
        row_number() OVER (
            PARTITION BY followed.service_id
            ORDER BY
                issued.service_id = followed.service_id DESC,
                array_position(ARRAY['lei', 'cik', 'ticker'], split_part(followed.location, ':', 1)) ASC NULLS LAST,
                followed.stated_at DESC, followed.location ASC, followed.source ASC, followed.content ASC
        ) AS place
    FROM followed
    INNER JOIN ops.issued_id AS issued ON followed.subject_id = issued.subject_id
    WHERE followed.content IS DISTINCT FROM followed.content_before
),

first_name AS (
    SELECT DISTINCT ON (recorded.service_id) recorded.* FROM recorded
    WHERE recorded.is_undated AND NOT recorded.is_of_dated_names AND recorded.legal_name <> ''
    ORDER BY recorded.service_id, recorded.available_at, recorded.place
),

first_home AS (
    SELECT DISTINCT ON (recorded.service_id) recorded.service_id, recorded.jurisdiction FROM recorded
    WHERE NOT recorded.is_dated AND NOT recorded.is_mention AND recorded.jurisdiction IS NOT NULL
    ORDER BY recorded.service_id, recorded.available_at, recorded.place
),

moment AS (
    SELECT DISTINCT recorded.service_id, recorded.available_at AS day FROM recorded
    UNION ALL
    SELECT DISTINCT recorded.service_id, '-infinity'::date AS day FROM recorded
),

name_then AS (
    SELECT DISTINCT ON (moment.service_id, moment.day)
        moment.day, recorded.*
    FROM moment
    INNER JOIN recorded ON moment.service_id = recorded.service_id
    WHERE recorded.legal_name <> '' AND recorded.available_at <= moment.day AND recorded.until > moment.day
    ORDER BY moment.service_id, moment.day, recorded.place
),

home_then AS (
    SELECT DISTINCT ON (moment.service_id, moment.day)
        moment.service_id, moment.day, recorded.jurisdiction
    FROM moment
    INNER JOIN recorded ON moment.service_id = recorded.service_id
    WHERE
        NOT recorded.is_mention AND recorded.jurisdiction IS NOT NULL
        AND recorded.available_at <= moment.day AND recorded.until > moment.day
    ORDER BY moment.service_id, moment.day, recorded.place
),

trade_then AS (
    SELECT DISTINCT ON (moment.service_id, moment.day)
        moment.service_id, moment.day, recorded.sic
    FROM moment
    INNER JOIN recorded ON moment.service_id = recorded.service_id
    WHERE recorded.sic IS NOT NULL AND recorded.available_at <= moment.day AND recorded.until > moment.day
    ORDER BY moment.service_id, moment.day, recorded.place
),

known AS (
    SELECT
        moment.service_id,
        moment.day,
        CASE WHEN withheld.legal_name IS NULL THEN coalesce(name_then.legal_name, first_name.legal_name) END AS legal_name,
        CASE WHEN name_then.is_dated THEN name_then.available_at END AS dated_at,
        name_then.legal_name IS NOT NULL AS is_recorded,
        coalesce(
            name_then.jurisdiction, home_then.jurisdiction,
            CASE WHEN name_then.legal_name IS NULL THEN first_name.jurisdiction END, first_home.jurisdiction
        ) AS jurisdiction,
        trade_then.sic,
        coalesce(name_then.provenance_id, first_name.provenance_id) AS provenance_id,
        -- The location in a document may contain the party's name, so a withheld name has no location.
        CASE
            WHEN withheld.legal_name IS NULL THEN coalesce(name_then.location, first_name.location) ELSE ''
        END AS location,
        coalesce(name_then.document_ref, first_name.document_ref) AS document_ref,
        coalesce(name_then.license_class, first_name.license_class) AS license_class,
        coalesce(name_then.observed_at, first_name.observed_at) AS observed_at,
        coalesce(name_then.available_at_basis, first_name.available_at_basis) AS available_at_basis
    FROM moment
    LEFT JOIN name_then ON moment.service_id = name_then.service_id AND moment.day = name_then.day
    LEFT JOIN home_then ON moment.service_id = home_then.service_id AND moment.day = home_then.day
    LEFT JOIN trade_then ON moment.service_id = trade_then.service_id AND moment.day = trade_then.day
    LEFT JOIN first_name ON moment.service_id = first_name.service_id
    LEFT JOIN first_home ON moment.service_id = first_home.service_id
    LEFT JOIN build.withheld_name AS withheld
        ON
            moment.service_id = withheld.service_id
            AND coalesce(name_then.legal_name, first_name.legal_name) = withheld.legal_name
),

-- Consecutive days with one name are one spell, known since its first dated record.
followed_name AS (
    SELECT
        known.*,
        lag(known.legal_name) OVER (PARTITION BY known.service_id ORDER BY known.day) AS name_before
    FROM known
),

spell AS (
    SELECT
        named.*,
        count(*) FILTER (WHERE named.legal_name IS DISTINCT FROM named.name_before) OVER (
            PARTITION BY named.service_id
            ORDER BY named.day
        ) AS spell
    FROM followed_name AS named
),

dated AS (
    SELECT
        spell.*,
        CASE
            WHEN spell.legal_name IS NOT NULL
                THEN min(spell.dated_at) OVER (PARTITION BY spell.service_id, spell.spell ORDER BY spell.day)
        END AS name_as_of
    FROM spell
),

versioned AS (
    SELECT
        dated.*,
        jsonb_build_array(
            dated.legal_name, dated.jurisdiction, dated.name_as_of, dated.sic, dated.is_recorded AND dated.legal_name IS NOT NULL
        ) AS version
    FROM dated
),

compared AS (
    SELECT versioned.*, lag(versioned.version) OVER (PARTITION BY versioned.service_id ORDER BY versioned.day) AS version_before
    FROM versioned
)

SELECT
    compared.service_id,
    compared.day AS known_from,
    lead(compared.day, 1, 'infinity') OVER (PARTITION BY compared.service_id ORDER BY compared.day) AS known_until,
    compared.name_as_of,
    compared.legal_name,
    compared.jurisdiction,
    compared.sic,
    compared.is_recorded,
    compared.provenance_id,
    compared.location,
    compared.document_ref,
    compared.license_class,
    compared.observed_at,
    compared.available_at_basis
FROM compared
WHERE compared.version IS DISTINCT FROM compared.version_before;

-- name: target_names
-- Names, homes and industries of earlier days; days on which none was known have no row.
CREATE TEMPORARY TABLE target ON COMMIT DROP AS
SELECT
    row_number() OVER () AS target_id,
    version.*,
    md5(concat_ws('|', version.service_id, version.known_from))::uuid AS name_id,
    judged.decision_id,
    -- A name that is used for days before it was known is served, but search does not find it.
    CASE WHEN version.is_recorded THEN coalesce(search_name.search_name, '') ELSE '' END AS search_name,
    version.service_id IN (SELECT filed.service_id FROM filed) AS is_issuer
FROM name_version AS version
INNER JOIN judged ON version.service_id = judged.service_id
LEFT JOIN search_name ON version.legal_name = search_name.legal_name
WHERE
    version.known_until < 'infinity' AND version.provenance_id IS NOT NULL
    AND coalesce(version.legal_name, version.jurisdiction, version.sic) IS NOT NULL;
