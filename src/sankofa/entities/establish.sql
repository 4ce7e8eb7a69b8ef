-- name: profiles
-- All statements about the organisations of some survivors. The first statement of each is the representative one:
-- it has a name, is of the survivor itself, and an LEI precedes a filer, which precedes a listing.
SELECT
    touched_id.survivor,
    statement.legal_name,
    left(statement.jurisdiction, 2) AS country,
    statement.identifiers,
    statement.marks,
    statement.subject_id,
    statement.source,
    statement.content
FROM build.touched_id
INNER JOIN ops.issued_id AS issued ON touched_id.service_id = issued.service_id
INNER JOIN build.statement ON issued.subject_id = statement.subject_id
WHERE touched_id.survivor > %(after)s AND touched_id.survivor <= %(until)s
ORDER BY
    touched_id.survivor ASC,
    statement.legal_name = '' ASC,
    issued.service_id = touched_id.survivor DESC,
    array_position(ARRAY['lei', 'cik', 'ticker'], split_part(statement.identifier, ':', 1)) ASC NULLS LAST,
    statement.stated_at DESC,
    statement.identifier ASC,
    statement.source ASC,
    statement.content ASC;

-- name: names_before
-- Earlier statements about the organisations of some survivors, with their names.
SELECT
    touched_id.survivor,
    before.legal_name,
    left(before.jurisdiction, 2) AS country,
    before.identifiers,
    before.marks
FROM build.touched_id
INNER JOIN ops.issued_id AS issued ON touched_id.service_id = issued.service_id
INNER JOIN build.stated_before AS before ON issued.subject_id = before.subject_id
WHERE touched_id.survivor > %(after)s AND touched_id.survivor <= %(until)s
ORDER BY touched_id.survivor;

-- name: copy_withheld_names
COPY build.withheld_name FROM STDIN;

-- name: copy_judgements
COPY build.judgement FROM STDIN;

-- name: record_judgements
INSERT INTO ops.organisation_decision (service_id, is_established, rule_version, input, evidence, vetoes)
SELECT
    judgement.service_id,
    judgement.is_established,
    %(rule_version)s,
    judgement.input,
    string_to_array(judgement.evidence, E'\n') AS evidence,
    string_to_array(judgement.vetoes, E'\n') AS vetoes
FROM build.judgement
WHERE judgement.service_id > %(after)s AND judgement.service_id <= %(until)s
ORDER BY judgement.service_id
ON CONFLICT DO NOTHING;

-- name: record_names_of_persons
-- Parties that an edition serves under the name of a person: the statements with that name withhold them.
INSERT INTO ops.organisation_decision (service_id, is_established, rule_version, input, evidence, vetoes)
SELECT DISTINCT
    withheld.service_id,
    FALSE AS is_established,
    %(rule_version)s,
    md5(withheld.service_id || '|' || withheld.legal_name)::uuid AS input,
    '{}'::text[] AS evidence,
    ARRAY['name N_HARD former_name'] AS vetoes
FROM build.withheld_name AS withheld
INNER JOIN build.touched_id AS touched ON withheld.service_id = touched.survivor
INNER JOIN serving.organisation AS served
    ON touched.service_id = served.service_id AND withheld.legal_name = served.legal_name
WHERE withheld.is_person AND withheld.service_id > %(after)s AND withheld.service_id <= %(until)s
ON CONFLICT DO NOTHING;

-- name: no_longer_established
-- Parties served in any edition that are not established now, with every id of the same party, since any of these
-- ids identifies the party.
SELECT member.service_id, member.survivor
FROM build.touched_id AS member
WHERE
    member.survivor IN (
        SELECT judgement.service_id
        FROM build.judgement
        INNER JOIN build.touched_id AS touched ON judgement.service_id = touched.survivor
        INNER JOIN serving.organisation AS served ON touched.service_id = served.service_id
        LEFT JOIN build.withheld_name AS withheld
            ON
                judgement.service_id = withheld.service_id AND served.legal_name = withheld.legal_name
                AND withheld.is_person
        -- A party that is established now may be served in an edition under a name that is a person's.
        WHERE NOT judgement.is_established OR withheld.is_person
    )
ORDER BY member.service_id;

-- name: names_now_withheld
-- Organisations served in any edition with a former name that must not be served now.
SELECT DISTINCT served.service_id, touched_id.survivor
FROM serving.organisation_name AS served
INNER JOIN build.touched_id ON served.service_id = touched_id.service_id
INNER JOIN build.withheld_name AS withheld
    ON touched_id.survivor = withheld.service_id AND served.legal_name = withheld.legal_name
ORDER BY served.service_id;

-- name: batches_about
-- The batches of this build with new statements about some ids.
SELECT DISTINCT held.number
FROM ops.edition_holds AS held
INNER JOIN ops.batch_subject AS spoken ON held.number = spoken.batch_id
INNER JOIN ops.issued_id AS issued ON spoken.subject_id = issued.subject_id
WHERE held.edition = %(edition)s AND held.kind = 'batch' AND issued.service_id = any(%(ids)s::text[])
ORDER BY held.number;

-- name: hold_takedowns
-- Takedowns that this build itself found necessary are its own.
INSERT INTO ops.edition_holds (kind, number, edition)
SELECT 'takedown', takedown.number, %(edition)s
FROM unnest(%(takedowns)s::integer[]) AS takedown (number);

-- name: flips
-- Parties that one version of the rules withheld and another establishes, on the same evidence.
SELECT
    now.service_id,
    served.legal_name,
    now.evidence,
    was.vetoes
FROM ops.organisation_decision AS now
INNER JOIN ops.organisation_decision AS was ON now.service_id = was.service_id AND now.input = was.input
LEFT JOIN serving.organisation AS served
    ON now.service_id = served.service_id AND fragment.is_live(served)
WHERE
    now.rule_version = %(now)s AND now.is_established
    AND was.rule_version = %(before)s AND NOT was.is_established
ORDER BY now.service_id;

-- name: rules_before
SELECT version.version
FROM ops.edition_version AS version
WHERE version.part = 'organisation_rules' AND version.version <> %(version)s
ORDER BY version.edition DESC
LIMIT 1;

-- name: judgements
SELECT decision.decided_at, decision.rule_version, decision.is_established, decision.evidence, decision.vetoes
FROM ops.organisation_decision AS decision
WHERE decision.service_id = %(service_id)s
ORDER BY decision.decision_id DESC;
