-- name: part_tables
-- The counts of a chunk: parts of its keys, and the changes of the sums.
CREATE TEMPORARY TABLE tally_part (
    tally_key uuid NOT NULL, sku text COLLATE "C" NOT NULL, country text COLLATE "C" NOT NULL, newest_at date,
    part text NOT NULL, n bigint
) ON COMMIT DROP;
CREATE TEMPORARY TABLE tally_change (
    sku text COLLATE "C" NOT NULL, country text COLLATE "C" NOT NULL, part text NOT NULL, change bigint NOT NULL,
    now bigint NOT NULL
) ON COMMIT DROP;

-- name: comparison
-- The edition that the coming one is compared with; 0 if it differs for other reasons than new documents.
INSERT INTO build.comparison (before)
SELECT
    CASE
        WHEN %(has_same_rules)s AND NOT EXISTS (
            SELECT FROM ops.edition_holds AS held
            WHERE held.edition = %(edition)s AND held.kind <> 'batch'
        ) THEN serving.current_edition()
        ELSE 0
    END AS before;

-- name: touch_tallied
-- Organisations that releases mention, by each present or former id, and the batches of the edition.
INSERT INTO build.tallied (tally_key, kind, name)
SELECT md5(touched.kind || '|' || touched.name)::uuid, touched.kind, touched.name
FROM (
    SELECT 'party' AS kind, touched_id.service_id AS name
    FROM build.touched_id
    WHERE
        EXISTS (
            SELECT FROM serving.quality_key AS known
            WHERE
                known.tally_key = md5('party|' || touched_id.service_id)::uuid
                AND fragment.is_live(known)
        )
    UNION
    SELECT 'party' AS kind, touched_id.survivor AS name
    FROM build.touched_id
    INNER JOIN ops.issued_id AS issued ON touched_id.service_id = issued.service_id
    INNER JOIN ledger.organisation_record AS mention ON issued.subject_id = mention.subject_id AND mention.is_mention
    UNION ALL
    SELECT 'batch' AS kind, concerned_batch.batch_id::text AS name FROM build.concerned_batch
) AS touched;

-- name: touch_agreement
-- Results with the golden statements that differ from the previous edition.
INSERT INTO build.tallied (tally_key, kind, name)
SELECT golden.tally_key, 'golden' AS kind, 'golden' AS name
FROM (SELECT md5('golden|golden')::uuid AS tally_key) AS golden
LEFT JOIN serving.quality_key AS live ON golden.tally_key = live.tally_key AND fragment.is_live(live)
WHERE coalesce(live.counts, '{}') <> %(counts)s::jsonb;

-- fragment: counted_feed(standing, declared)
-- The counts of a scheduled source; null for other sources and for those that may not be served.
SELECT
    CASE
        WHEN declared.sku IS NULL OR standing.stale_at IS NULL THEN NULL
        WHEN standing.stale_at > now() THEN jsonb_build_object('fed/' || standing.source, 1)
        ELSE jsonb_build_object('fed/' || standing.source, 1, 'stale/' || standing.source, 1)
    END
FROM standing
CROSS JOIN declared;

-- name: touch_feeds
-- Scheduled sources whose counts differ from the previous edition.
INSERT INTO build.tallied (tally_key, kind, name)
SELECT md5('feed|' || standing.source)::uuid AS tally_key, 'feed' AS kind, standing.source AS name
FROM ops.feed_standing AS standing
LEFT JOIN unnest(%(sources)s::text[], %(skus)s::text[]) AS declared (source, sku) ON standing.source = declared.source
LEFT JOIN serving.quality_key AS live
    ON md5('feed|' || standing.source)::uuid = live.tally_key AND fragment.is_live(live)
WHERE live.counts IS DISTINCT FROM fragment.counted_feed(standing, declared);

-- name: chunk
CREATE TEMPORARY TABLE touched ON COMMIT DROP AS
SELECT tally_key, kind, name FROM build.tallied
WHERE tally_key > %(after)s::uuid AND tally_key <= %(until)s::uuid;

-- name: parts_of_parties
-- Filers and parties of releases, by documents of the edition; and which of them are withheld.
INSERT INTO tally_part (tally_key, sku, country, newest_at, part, n)
SELECT party.tally_key, party.sku, '' AS country, NULL AS newest_at, declared.part, declared.n
FROM (
    SELECT
        touched.tally_key,
        CASE touched.kind WHEN 'issuer' THEN %(filed)s ELSE %(mentioned)s END AS sku,
        bool_or(judgement.is_established) AS is_established
    FROM touched
    INNER JOIN build.touched_id AS member ON touched.name = member.survivor
    INNER JOIN ops.issued_id AS issued ON member.service_id = issued.service_id
    INNER JOIN build.judgement ON touched.name = judgement.service_id
    -- One statement of an organisation is enough, and mostly the first is held. OFFSET 0 has them looked up one by one: to
    -- begin with documents would read thousands of facts for each organisation.
    WHERE
        (touched.kind = 'issuer' AND EXISTS (
            SELECT FROM ledger.filing AS filing
            INNER JOIN ledger.fact AS fact ON filing.filing_id = fact.filing_id
            WHERE
                filing.subject_id = issued.subject_id
                AND EXISTS (SELECT FROM build.held_document AS held WHERE held.document_id = fact.document_id OFFSET 0)
            OFFSET 0
        ))
        OR (touched.kind = 'party' AND EXISTS (
            SELECT FROM ledger.organisation_record AS mention
            WHERE
                mention.subject_id = issued.subject_id AND mention.is_mention
                AND EXISTS (SELECT FROM build.held_document AS held WHERE held.document_id = mention.document_id OFFSET 0)
            OFFSET 0
        ))
    GROUP BY touched.tally_key, touched.kind
) AS party
CROSS JOIN LATERAL (
    VALUES ('parties', 1), ('withheld', CASE WHEN party.is_established THEN 0 ELSE 1 END)
) AS declared (part, n);

-- name: parts_of_batches
-- The rows of documents of served sources, the rejected ones, and the repaired fields.
INSERT INTO tally_part (tally_key, sku, country, newest_at, part, n)
SELECT touched.tally_key, declared.sku, '' AS country, NULL AS newest_at, part.part, part.n
FROM touched
INNER JOIN ops.batch AS batch ON CASE touched.kind WHEN 'batch' THEN touched.name::bigint END = batch.batch_id
INNER JOIN ops.document AS document
    ON
        batch.document_id = document.document_id
        AND document.document_id NOT IN (SELECT aside.document_id FROM build.set_aside AS aside)
INNER JOIN unnest(%(sources)s::text[], %(skus)s::text[]) AS declared (source, sku) ON document.source = declared.source
CROSS JOIN LATERAL (
    SELECT 'read/' || document.source AS part, batch.facts_read AS n
    UNION ALL
    SELECT
        CASE
            WHEN starts_with(rejection.reason, 'repaired_')
                THEN 'repaired/' || document.source || '/' || substr(rejection.reason, length('repaired_') + 1)
            ELSE 'rejected/' || document.source || '/' || rejection.reason
        END AS part,
        rejection.rows_rejected AS n
    FROM ops.rejection AS rejection
    WHERE rejection.batch_id = batch.batch_id
) AS part;

-- name: parts_of_agreement
INSERT INTO tally_part (tally_key, sku, country, newest_at, part, n)
SELECT touched.tally_key, %(sku)s, '' AS country, NULL AS newest_at, part.key, part.value::bigint AS n
FROM touched
CROSS JOIN LATERAL jsonb_each_text(%(counts)s::jsonb) AS part
WHERE touched.kind = 'golden';

-- name: parts_of_feeds
INSERT INTO tally_part (tally_key, sku, country, newest_at, part, n)
SELECT touched.tally_key, declared.sku, '' AS country, NULL AS newest_at, part.key, part.value::bigint AS n
FROM touched
INNER JOIN ops.feed_standing AS standing ON touched.kind = 'feed' AND touched.name = standing.source
INNER JOIN unnest(%(sources)s::text[], %(skus)s::text[]) AS declared (source, sku) ON standing.source = declared.source
CROSS JOIN LATERAL jsonb_each_text(fragment.counted_feed(standing, declared)) AS part;

-- name: target_keys
CREATE TEMPORARY TABLE target ON COMMIT DROP AS
SELECT
    row_number() OVER () AS target_id,
    counted.tally_key,
    counted.sku,
    max(counted.country) AS country,
    max(counted.newest_at) AS newest_at,
    jsonb_object_agg(counted.part, counted.n) AS counts
FROM tally_part AS counted
WHERE counted.n > 0
GROUP BY counted.tally_key, counted.sku;

-- name: change_totals
-- The differences that the chunk makes to the sums.
INSERT INTO build.tally_change (sku, country, part, change, now)
SELECT changed.sku, changed.country, changed.part, changed.change, changed.now FROM tally_change AS changed
UNION ALL
SELECT
    one.sku,
    one.country,
    one.part,
    sum(one.sign * one.n) AS change,
    coalesce(sum(one.n) FILTER (WHERE one.sign > 0), 0) AS now
FROM (
    SELECT target.sku, target.country, part.key AS part, part.value::bigint AS n, 1 AS sign
    FROM target
    CROSS JOIN LATERAL jsonb_each_text(target.counts) AS part
    UNION ALL
    SELECT live.sku, live.country, part.key AS part, part.value::bigint AS n, -1 AS sign
    FROM touched
    INNER JOIN serving.quality_key AS live ON touched.tally_key = live.tally_key
    CROSS JOIN LATERAL jsonb_each_text(live.counts) AS part
    WHERE fragment.is_live(live)
) AS one
GROUP BY one.sku, one.country, one.part;

-- name: changed_totals
CREATE TEMPORARY TABLE touched ON COMMIT DROP AS
SELECT DISTINCT md5(changed.sku || '|' || changed.country)::uuid AS total_id, changed.sku, changed.country
FROM build.tally_change AS changed;

-- name: target_totals
-- The previous sums, and the changes by the keys of the edition.
CREATE TEMPORARY TABLE target ON COMMIT DROP AS
SELECT
    row_number() OVER () AS target_id,
    touched.total_id,
    touched.sku,
    touched.country,
    newest.newest_at,
    summed.counts
FROM touched
INNER JOIN (
    SELECT added.sku, added.country, jsonb_object_agg(added.part, added.n) AS counts
    FROM (
        SELECT one.sku, one.country, one.part, sum(one.n) AS n
        FROM (
            SELECT changed.sku, changed.country, changed.part, changed.change AS n FROM build.tally_change AS changed
            UNION ALL
            SELECT live.sku, live.country, part.key AS part, part.value::bigint AS n
            FROM touched
            INNER JOIN serving.quality_total AS live ON touched.total_id = live.total_id
            CROSS JOIN LATERAL jsonb_each_text(live.counts) AS part
            WHERE fragment.is_live(live)
        ) AS one
        GROUP BY one.sku, one.country, one.part
        HAVING sum(one.n) <> 0
    ) AS added
    GROUP BY added.sku, added.country
) AS summed ON touched.sku = summed.sku AND touched.country = summed.country
LEFT JOIN LATERAL (
    SELECT known.newest_at
    FROM serving.quality_key AS known
    WHERE
        known.sku = touched.sku AND known.country = touched.country AND known.newest_at IS NOT NULL
        AND fragment.is_live(known)
    ORDER BY known.newest_at DESC, known.published_in DESC
    LIMIT 1
) AS newest ON TRUE;

-- name: target_results
-- The last result of each measure made outside publishing.
CREATE TEMPORARY TABLE target ON COMMIT DROP AS
SELECT row_number() OVER () AS target_id, last.*
FROM (
    SELECT DISTINCT ON (result.sku, result.measure)
        md5(result.sku || '|' || result.measure)::uuid AS result_id, result.sku, result.measure, result.good,
        result.measured, result.measured_at
    FROM ops.quality_result AS result
    ORDER BY result.sku ASC, result.measure ASC, result.result_id DESC
) AS last;

-- name: newer_result
-- Whether there is a result newer than the published ones.
SELECT result.result_id
FROM ops.quality_result AS result
WHERE
    result.measured_at > coalesce(
        (
            SELECT max(published.measured_at)
            FROM serving.quality_result AS published
            WHERE
                published.sku = result.sku AND published.measure = result.measure AND fragment.is_live(published)
        ), '-infinity'
    )
LIMIT 1;

-- name: all_results
CREATE TEMPORARY TABLE touched ON COMMIT DROP AS
SELECT DISTINCT result.sku FROM ops.quality_result AS result;

-- name: faulty_keys
-- Some of the keys of the build that have a fault.
SELECT tallied.name
FROM build.tallied
INNER JOIN serving.quality_key AS held ON tallied.tally_key = held.tally_key
WHERE held.sku = %(sku)s AND fragment.is_live(held) AND held.counts ? %(fault)s
ORDER BY tallied.name
LIMIT 3;

-- name: touched_counts
-- What the build has touched, by dataset and part.
SELECT changed.sku, changed.part, sum(changed.now)::bigint AS n
FROM build.tally_change AS changed
GROUP BY changed.sku, changed.part;

-- name: record_override
INSERT INTO ops.quality_override (edition, sku, measure, value, floor, reason)
VALUES (%(edition)s, %(sku)s, %(measure)s, %(value)s, %(floor)s, %(reason)s);

-- name: show_override
INSERT INTO serving.quality_override (published_in, sku, measure)
VALUES (%(edition)s, %(sku)s, %(measure)s);

-- name: record_result
INSERT INTO ops.quality_result (edition, sku, measure, good, measured, sample_sha256)
VALUES (%(edition)s, %(sku)s, %(measure)s, %(good)s, %(measured)s, %(sample)s);
