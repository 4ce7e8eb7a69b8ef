-- name: tables
CREATE TEMPORARY TABLE looked_at (subject_id integer PRIMARY KEY, round smallint NOT NULL) ON COMMIT DROP;
CREATE INDEX ON looked_at (round);
CREATE TEMPORARY TABLE claim_now (subject_id integer NOT NULL, kind smallint NOT NULL, key text NOT NULL) ON COMMIT DROP;
CREATE TEMPORARY TABLE claimed (subject_id integer NOT NULL, kind smallint NOT NULL, key text NOT NULL) ON COMMIT DROP;
CREATE TEMPORARY TABLE ranked (subject_id integer PRIMARY KEY, identifier text NOT NULL, rank smallint NOT NULL) ON COMMIT DROP;
CREATE TEMPORARY TABLE stem (subject_id integer NOT NULL, stem text NOT NULL) ON COMMIT DROP;
CREATE TEMPORARY TABLE rooted (subject_id integer PRIMARY KEY, root integer NOT NULL) ON COMMIT DROP;

-- name: look_at_touched
INSERT INTO looked_at (subject_id, round)
SELECT touched.subject_id, 0 FROM build.touched_subject AS touched;

-- name: state
-- The statements of each source about the subjects of a round, as held by the edition: its newest content (every
-- content that is a mention), with the first vintage that had it and the earliest fetched document of that. Earlier
-- statements are stored separately.
WITH vintage AS (
    SELECT DISTINCT ON (record.subject_id, record.source, record.available_at, record.stated_at, record.content)
        record.*,
        CASE WHEN record.is_mention THEN record.content END AS mention
    FROM looked_at
    INNER JOIN ledger.organisation_record AS record ON looked_at.subject_id = record.subject_id
    INNER JOIN build.held_document AS document ON record.document_id = document.document_id
    WHERE looked_at.round = %(round)s
    ORDER BY
        record.subject_id, record.source, record.available_at, record.stated_at, record.content,
        document.fetched_at, document.sha256
),

followed AS (
    SELECT vintage.*, fragment.content_before(vintage) AS content_before FROM vintage
),

changed AS (
    SELECT
        followed.*,
        row_number() OVER (
            PARTITION BY followed.subject_id, followed.source, followed.mention
            ORDER BY followed.available_at DESC, followed.stated_at DESC, followed.content DESC
        ) AS place
    FROM followed
    WHERE followed.content IS DISTINCT FROM followed.content_before
),

before AS (
    INSERT INTO build.stated_before
    SELECT changed.subject_id, changed.legal_name, changed.jurisdiction, changed.marks, changed.identifiers
    FROM changed
    WHERE changed.place > 1 AND changed.legal_name <> ''
)

INSERT INTO build.statement
SELECT
    changed.subject_id,
    subject.identifier,
    changed.document_id,
    changed.available_at,
    changed.stated_at,
    changed.content,
    changed.source,
    changed.legal_name,
    changed.jurisdiction,
    changed.status,
    changed.available_at_basis,
    changed.duplicate_of,
    changed.marks,
    changed.identifiers
FROM changed
INNER JOIN ledger.subject AS subject ON changed.subject_id = subject.subject_id
WHERE changed.place = 1;

-- name: claim_identifiers
-- A subject is identified by its valid identifiers; an LEI's own record always by that LEI. A third party's claims
-- are a separate kind, but the identifier that names the subject is its own.
INSERT INTO claim_now
SELECT DISTINCT
    statement.subject_id,
    CASE
        WHEN
            claim.value ->> 0 <> 'registry' AND 'evidence:third_party' = any(statement.marks)
            AND concat_ws(':', claim.value ->> 0, claim.value ->> 2) <> statement.identifier THEN 7
        ELSE CASE claim.value ->> 0 WHEN 'lei' THEN 1 WHEN 'isin' THEN 3 WHEN 'figi' THEN 4 WHEN 'ticker' THEN 5 ELSE 2 END
    END,
    concat_ws(
        ':', claim.value ->> 0, nullif(claim.value ->> 1, ''), serving.identifier_key(claim.value ->> 2)
    )
FROM build.statement CROSS JOIN LATERAL jsonb_array_elements(statement.identifiers) AS claim
WHERE
    claim.value ->> 4 IS NULL AND serving.identifier_key(claim.value ->> 2) <> ''
    AND NOT (claim.value ->> 0 = 'lei' AND statement.identifier LIKE 'lei:%%')
UNION
SELECT statement.subject_id, 1, statement.identifier FROM build.statement
WHERE statement.identifier LIKE 'lei:%%';

-- name: names_of_touched
SELECT subject_id, legal_name, left(jurisdiction, 2) AS country
FROM build.statement
WHERE subject_id > %(after)s AND subject_id <= %(until)s AND legal_name <> '' AND jurisdiction IS NOT NULL;

-- name: subject_bounds
SELECT subject_id FROM (
    SELECT subject_id, row_number() OVER (ORDER BY subject_id) AS place, count(*) OVER () AS total
    FROM (SELECT DISTINCT subject_id FROM build.statement) AS one
) AS placed
WHERE mod(place, %(size)s) = 0 OR place = total
ORDER BY subject_id;

-- name: copy_claims
COPY claim_now FROM STDIN;

-- name: drop_claims
DELETE FROM ops.organisation_claim AS gone
USING build.touched_subject AS touched
WHERE
    gone.subject_id = touched.subject_id
    AND NOT EXISTS (
        SELECT FROM claim_now
        WHERE claim_now.subject_id = gone.subject_id AND claim_now.key = gone.key AND claim_now.kind = gone.kind
    );

-- name: put_claims
INSERT INTO ops.organisation_claim (subject_id, kind, key)
SELECT DISTINCT claim_now.subject_id, claim_now.kind, claim_now.key FROM claim_now
ORDER BY claim_now.key, claim_now.subject_id
ON CONFLICT DO NOTHING;

-- name: widen
-- Subjects that share a claim with those of the last round, survive them as duplicates, were decided about together
-- with them, or had the same id until now.
INSERT INTO looked_at (subject_id, round)
SELECT theirs.subject_id, %(round)s
FROM looked_at
INNER JOIN ops.organisation_claim AS mine ON looked_at.subject_id = mine.subject_id
INNER JOIN ops.organisation_claim AS theirs ON mine.key = theirs.key
WHERE looked_at.round = %(round)s - 1
UNION
SELECT survivor.subject_id, %(round)s
FROM looked_at
INNER JOIN build.statement ON looked_at.subject_id = statement.subject_id
INNER JOIN ledger.subject AS survivor ON statement.duplicate_of = survivor.identifier
WHERE looked_at.round = %(round)s - 1
UNION
SELECT other.subject_id, %(round)s
FROM looked_at
INNER JOIN ops.issued_id AS issued ON looked_at.subject_id = issued.subject_id
INNER JOIN ledger.identity_decision AS decision
    ON issued.service_id IN (decision.service_id, decision.resolves_to)
INNER JOIN ops.issued_id AS other ON other.service_id IN (decision.service_id, decision.resolves_to)
WHERE looked_at.round = %(round)s - 1
UNION
SELECT other.subject_id, %(round)s
FROM looked_at
INNER JOIN ops.issued_id AS issued ON looked_at.subject_id = issued.subject_id
INNER JOIN serving.issued_id AS mine ON issued.service_id = mine.service_id AND fragment.is_live(mine)
INNER JOIN serving.issued_id AS theirs ON mine.resolves_to = theirs.resolves_to AND fragment.is_live(theirs)
INNER JOIN ops.issued_id AS other ON theirs.service_id = other.service_id
WHERE looked_at.round = %(round)s - 1
ON CONFLICT DO NOTHING;

-- name: rank
-- Each subject's claims, and the strongest kind among them: 1 LEI, 2 registry number, 3 ISIN, 4 FIGI,
-- 5 ticker, 6 name within a country; 7 none, or only a third party's claim.
INSERT INTO claimed
SELECT claim.subject_id, claim.kind, claim.key
FROM looked_at INNER JOIN ops.organisation_claim AS claim ON looked_at.subject_id = claim.subject_id;
INSERT INTO ranked
SELECT looked_at.subject_id, subject.identifier, coalesce(strongest.kind, 7)
FROM looked_at
INNER JOIN ledger.subject AS subject ON looked_at.subject_id = subject.subject_id
LEFT JOIN (
    SELECT claimed.subject_id, min(claimed.kind) AS kind FROM claimed
    GROUP BY claimed.subject_id
) AS strongest ON looked_at.subject_id = strongest.subject_id;
CREATE INDEX ON claimed (key);
ANALYZE claimed;
ANALYZE ranked;

-- name: names_of_hearsay
-- The names of all subjects that hold the same identifier, or hold it by a third party's claim.
SELECT DISTINCT statement.subject_id, statement.legal_name
FROM claimed AS claim
INNER JOIN claimed AS held ON claim.key = held.key
INNER JOIN build.statement ON held.subject_id = statement.subject_id
WHERE claim.kind = 7 AND statement.legal_name <> '';

-- name: copy_stems
COPY stem FROM STDIN;

-- name: root_level
-- Subjects of one rank. Those that share a claim of that kind are one organisation, together with the one stronger
-- organisation that claims it too; if several do, the claim is ignored. A subject that shares only the name within a
-- country joins the one organisation of that name, unless their numbers in one register differ. A third party's
-- claims come last: they join subjects of the same name in any country.
WITH mine AS (
    SELECT ranked.subject_id, ranked.identifier, claimed.kind, claimed.key
    FROM ranked INNER JOIN claimed ON ranked.subject_id = claimed.subject_id
    WHERE ranked.rank = %(rank)s
),

-- The representative of all subjects of this rank that share a claim: the LEI's own, else the first by name.
grouped AS (
    SELECT one.subject_id, leader.subject_id AS leader
    FROM (
        SELECT DISTINCT ON (mine.subject_id) mine.subject_id, mine.key FROM mine
        WHERE mine.kind = %(rank)s
        ORDER BY mine.subject_id, mine.key
    ) AS one
    INNER JOIN (
        SELECT DISTINCT ON (mine.key) mine.key, mine.subject_id FROM mine
        WHERE mine.kind = %(rank)s
        ORDER BY mine.key, mine.identifier <> mine.key, mine.identifier
    ) AS leader ON one.key = leader.key
),

-- Stronger organisations reached through each kind of claim.
met AS (
    SELECT
        grouped.leader,
        greatest(mine.kind, theirs.kind) AS kind,
        min(rooted.root) AS root,
        count(DISTINCT rooted.root) AS roots
    FROM grouped
    INNER JOIN mine ON grouped.subject_id = mine.subject_id
    INNER JOIN claimed AS theirs ON mine.key = theirs.key
    INNER JOIN rooted ON theirs.subject_id = rooted.subject_id
    WHERE
        greatest(mine.kind, theirs.kind) < 6 OR (
            (
                greatest(mine.kind, theirs.kind) = 6
                OR (
                    least(mine.kind, theirs.kind) < 7
                    AND EXISTS (
                        SELECT FROM stem AS my_stem
                        INNER JOIN stem AS their_stem ON my_stem.stem = their_stem.stem
                        WHERE my_stem.subject_id = mine.subject_id AND their_stem.subject_id = theirs.subject_id
                    )
                )
            )
            AND NOT EXISTS (
                SELECT
                FROM claimed AS my_number
                INNER JOIN rooted AS kin ON rooted.root = kin.root
                INNER JOIN claimed AS their_number ON kin.subject_id = their_number.subject_id
                WHERE
                    my_number.subject_id = grouped.subject_id AND my_number.kind = 2 AND their_number.kind = 2
                    AND my_number.key <> their_number.key
                    AND split_part(my_number.key, ':', 2) = split_part(their_number.key, ':', 2)
            )
        )
    GROUP BY grouped.leader, greatest(mine.kind, theirs.kind)
),

-- A name that several numbered subjects of this rank share belongs to none of them alone.
common AS (
    SELECT mine.key FROM mine
    INNER JOIN grouped ON mine.subject_id = grouped.subject_id
    WHERE mine.kind = 6 AND %(rank)s = 2
    GROUP BY mine.key
    HAVING count(DISTINCT grouped.leader) > 1
),

followed AS (
    SELECT DISTINCT ON (met.leader) met.leader, met.root, met.roots
    FROM met
    WHERE
        met.kind <> 6 OR NOT EXISTS (
            SELECT FROM grouped
            INNER JOIN mine ON grouped.subject_id = mine.subject_id
            INNER JOIN common ON mine.key = common.key
            WHERE grouped.leader = met.leader
        )
    ORDER BY met.leader, met.kind
)

INSERT INTO rooted (subject_id, root)
SELECT
    grouped.subject_id,
    CASE WHEN followed.roots = 1 THEN followed.root ELSE grouped.leader END
FROM grouped
LEFT JOIN followed ON grouped.leader = followed.leader;

-- name: root_listings
-- Listings of one name within a country are one organisation too, if no stronger claim joined them.
UPDATE rooted SET root = first_of_name.root
FROM (
    SELECT rooted.subject_id, claimed.key FROM rooted
    INNER JOIN ranked ON rooted.root = ranked.subject_id AND ranked.rank BETWEEN 3 AND 5
    INNER JOIN claimed ON rooted.root = claimed.subject_id AND claimed.kind = 6
) AS named
INNER JOIN (
    SELECT DISTINCT ON (claimed.key) claimed.key, rooted.root FROM rooted
    INNER JOIN ranked ON rooted.root = ranked.subject_id AND ranked.rank BETWEEN 3 AND 5
    INNER JOIN claimed ON rooted.root = claimed.subject_id AND claimed.kind = 6
    ORDER BY claimed.key, ranked.identifier
) AS first_of_name ON named.key = first_of_name.key
WHERE rooted.subject_id = named.subject_id;

-- name: root_the_rest
INSERT INTO rooted (subject_id, root)
SELECT ranked.subject_id, ranked.subject_id AS root FROM ranked
ON CONFLICT DO NOTHING;

-- name: follow
-- Duplicates stated by sources, merges and splits decided here, followed to their end; without decisions, a subject
-- that one of them is about stays where it is.
WITH RECURSIVE decided AS (
    SELECT DISTINCT ON (decision.service_id) issued.subject_id, target.subject_id AS root
    FROM ledger.identity_decision AS decision
    INNER JOIN ops.edition_holds AS held ON decision.decision = held.number AND held.kind = 'decision'
    INNER JOIN ops.issued_id AS issued ON decision.service_id = issued.service_id
    INNER JOIN ops.issued_id AS target ON decision.resolves_to = target.service_id
    ORDER BY decision.service_id ASC, decision.decision DESC
),

duplicate AS (
    SELECT DISTINCT ON (statement.subject_id) statement.subject_id, survivor.subject_id AS root
    FROM build.statement INNER JOIN ledger.subject AS survivor ON statement.duplicate_of = survivor.identifier
    ORDER BY statement.subject_id, survivor.identifier
),

step AS (
    SELECT
        rooted.subject_id,
        CASE
            WHEN decided.root IS NULL THEN coalesce(duplicate.root, rooted.root)
            WHEN %(with_decisions)s THEN decided.root
            ELSE rooted.root
        END AS root
    FROM rooted
    LEFT JOIN decided ON rooted.subject_id = decided.subject_id
    LEFT JOIN duplicate ON rooted.subject_id = duplicate.subject_id
),

moving AS (
    SELECT step.subject_id, step.root FROM step
    WHERE step.root <> step.subject_id
),

chain AS (
    SELECT moving.subject_id, moving.root, 1 AS steps FROM moving
    UNION ALL
    SELECT chain.subject_id, moving.root, chain.steps + 1
    FROM chain INNER JOIN moving ON chain.root = moving.subject_id
    WHERE chain.steps < 20
),

ending AS (
    -- A circle ends at its first member by name, so that all of it agrees.
    SELECT DISTINCT ON (chain.subject_id) chain.subject_id, chain.root
    FROM chain
    INNER JOIN ledger.subject AS subject ON chain.root = subject.subject_id
    LEFT JOIN moving AS onward ON chain.root = onward.subject_id
    ORDER BY chain.subject_id, onward.subject_id IS NOT NULL, subject.identifier
)

UPDATE rooted SET root = coalesce(ending.root, rooted.subject_id)
FROM step LEFT JOIN ending ON step.subject_id = ending.subject_id
WHERE rooted.subject_id = step.subject_id AND rooted.root <> coalesce(ending.root, rooted.subject_id);
