-- name: touch_held
-- Subjects that batches, and the decisions and takedowns of this edition, concern.
INSERT INTO build.touched_subject (subject_id)
SELECT batch_subject.subject_id
FROM build.concerned_batch AS concerned
INNER JOIN ops.batch_subject AS batch_subject ON concerned.batch_id = batch_subject.batch_id
UNION
SELECT issued.subject_id
FROM ops.edition_holds AS held
INNER JOIN ledger.identity_decision AS decision ON held.number = decision.decision
INNER JOIN ops.issued_id AS issued ON issued.service_id IN (decision.service_id, decision.resolves_to)
WHERE held.edition = %(edition)s AND held.kind = 'decision'
UNION
SELECT issued.subject_id
FROM ops.edition_holds AS held
INNER JOIN ledger.takedown AS takedown ON held.number = takedown.takedown AND takedown.kind <> 'fact'
INNER JOIN ops.issued_id AS issued ON takedown.target = issued.service_id
WHERE held.edition = %(edition)s AND held.kind = 'takedown'
UNION
SELECT issued.subject_id
FROM ops.edition_holds AS held
INNER JOIN ledger.takedown AS takedown ON held.number = takedown.takedown AND takedown.kind = 'fact'
INNER JOIN ops.tombstone AS tombstone ON takedown.takedown = tombstone.takedown
INNER JOIN ops.issued_id AS issued ON tombstone.service_id = issued.service_id
WHERE held.edition = %(edition)s AND held.kind = 'takedown'
ON CONFLICT DO NOTHING;

-- name: subjects_without_id
SELECT subject.subject_id, subject.identifier
FROM build.touched_subject AS touched
INNER JOIN ledger.subject AS subject ON touched.subject_id = subject.subject_id
WHERE
    touched.subject_id > %(after)s
    AND NOT EXISTS (
        SELECT FROM ops.issued_id AS issued
        WHERE issued.subject_id = subject.subject_id
    )
ORDER BY touched.subject_id
LIMIT %(rows)s;

-- name: copy_ids
COPY ops.issued_id (subject_id, service_id) FROM STDIN;

-- name: touch_ids
-- Every id of the touched subjects, by the id that it will resolve to.
INSERT INTO build.touched_id (service_id, survivor)
SELECT issued.service_id, survivor.service_id AS survivor
FROM rooted
INNER JOIN ops.issued_id AS issued ON rooted.subject_id = issued.subject_id
INNER JOIN ops.issued_id AS survivor ON rooted.root = survivor.subject_id;

-- name: work
-- The surviving ids. A filing is as much work as five organisations that have none: it has a hundred facts.
SELECT touched_id.survivor, 1 + 5 * count(filing.filing_id) AS work
FROM build.touched_id
INNER JOIN ops.issued_id AS issued ON touched_id.service_id = issued.service_id
LEFT JOIN ledger.filing AS filing ON issued.subject_id = filing.subject_id
GROUP BY touched_id.survivor;

-- name: answered_before
-- What the touched ids resolved to until now: rows that name one must be updated if that changes.
INSERT INTO build.answered_before (service_id, resolves_to)
SELECT touched_id.service_id, served.resolves_to
FROM build.touched_id
INNER JOIN serving.issued_id AS served
    ON touched_id.service_id = served.service_id AND fragment.is_live(served);

-- name: chunk
CREATE TEMPORARY TABLE touched ON COMMIT DROP AS
SELECT service_id, survivor FROM build.touched_id
WHERE survivor > %(after)s AND survivor <= %(until)s;

-- name: chunk_judged
-- The organisations of the chunk that may be served: established, and not taken down.
CREATE TEMPORARY TABLE judged ON COMMIT DROP AS
SELECT judgement.*, decision.decision_id, decision.rule_version
FROM build.judgement
INNER JOIN ops.organisation_decision AS decision
    ON
        judgement.service_id = decision.service_id AND judgement.input = decision.input
        AND decision.rule_version = %(rule_version)s
WHERE
    judgement.service_id > %(after)s AND judgement.service_id <= %(until)s AND judgement.is_established
    AND judgement.service_id NOT IN (
        SELECT gone.survivor
        FROM ledger.takedown AS takedown
        INNER JOIN touched AS gone ON takedown.target = gone.service_id
        WHERE takedown.kind = 'issuer'
    );

-- name: chunk_subjects
-- The subjects behind each of them.
CREATE TEMPORARY TABLE resolved ON COMMIT DROP AS
SELECT issued.subject_id, touched.survivor AS resolves_to
FROM touched
INNER JOIN judged ON touched.survivor = judged.service_id
INNER JOIN ops.issued_id AS issued ON touched.service_id = issued.service_id;
