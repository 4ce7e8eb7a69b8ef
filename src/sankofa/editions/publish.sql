-- name: closes_or_takes_down
-- A row that the build closed, or a takedown that its edition holds.
SELECT 1 FROM serving.closing AS closing
WHERE closing.dataset = any(%(datasets)s::text[]) AND closing.closed_in = %(edition)s
UNION ALL
SELECT 1 FROM ops.edition_holds AS held
WHERE held.edition = %(edition)s AND held.kind = 'takedown'
LIMIT 1;

-- name: close_taken_down
-- Rows that were taken down while the edition before was current are listed as closed, for readers that hold copies. A
-- row that a build had closed has its closing already; a fact that only lost its value is closed like any other.
INSERT INTO serving.closing (dataset, closed_in, row_id, reason)
SELECT tombstone.dataset, %(edition)s, tombstone.row_id, 'withdrawn'
FROM serving.takedown AS takedown
INNER JOIN ops.tombstone AS tombstone ON takedown.takedown = tombstone.takedown
WHERE
    takedown.in_edition = %(before)s
    AND tombstone.published_in <= %(before)s
    AND NOT EXISTS (
        SELECT FROM serving.closing AS closing
        WHERE
            closing.dataset = tombstone.dataset AND closing.closed_in = tombstone.superseded_in
            AND closing.row_id = tombstone.row_id
    )
    AND NOT (
        tombstone.dataset = 'fundamentals_fact'
        AND EXISTS (
            SELECT FROM serving.fundamentals_fact AS emptied
            WHERE emptied.row_id = tombstone.row_id
        )
    )
ON CONFLICT DO NOTHING;

-- name: renew_statistics
SELECT ops.renew_statistics(%(dataset)s);

-- name: pack_indexes
SELECT ops.pack_indexes(%(dataset)s);

-- name: record_versions
INSERT INTO ops.edition_version (edition, part, version)
SELECT %(edition)s, rule.part, rule.version
FROM unnest(%(parts)s::text[], %(versions)s::text[]) AS rule (part, version);

-- name: make_current
INSERT INTO serving.edition (edition, mark, changes) VALUES (%(edition)s, %(mark)s, %(changes)s)
RETURNING published_at;
