-- name: tables
-- As in a build, but temporary and for the whole edition.
CREATE TEMPORARY TABLE tally_part (
    tally_key uuid NOT NULL, sku text COLLATE "C" NOT NULL, country text COLLATE "C" NOT NULL, newest_at date,
    part text NOT NULL, n bigint
) ON COMMIT DELETE ROWS;
CREATE TEMPORARY TABLE tally_change (
    sku text COLLATE "C" NOT NULL, country text COLLATE "C" NOT NULL, part text NOT NULL, change bigint NOT NULL,
    now bigint NOT NULL
);
CREATE TEMPORARY TABLE audited (tally_key uuid PRIMARY KEY, kind text NOT NULL, name text NOT NULL);

-- name: chunk
-- The next keys in their order.
CREATE TEMPORARY TABLE touched ON COMMIT DROP AS
SELECT audited.tally_key, audited.kind, audited.name FROM audited
WHERE audited.tally_key > %(after)s::uuid
ORDER BY audited.tally_key
LIMIT %(size)s;

-- name: last_of_chunk
SELECT max(touched.tally_key::text) FROM touched;

-- name: add_parts
-- The counts of a chunk, added to sums that start at zero.
INSERT INTO tally_change (sku, country, part, change, now)
SELECT counted.sku, counted.country, counted.part, sum(counted.n), sum(counted.n)
FROM tally_part AS counted
WHERE counted.n > 0
GROUP BY counted.sku, counted.country, counted.part;

-- name: counts
SELECT changed.sku, changed.part, sum(changed.now)::bigint AS n
FROM tally_change AS changed
GROUP BY changed.sku, changed.part;

-- name: differing_totals
-- Sums of an edition that differ from the recount; parts that are not recounted are left out.
SELECT coalesce(anew.sku, kept.sku) AS sku, coalesce(anew.part, kept.part) AS part, anew.n AS anew, kept.n AS kept
FROM (
    SELECT changed.sku, changed.country, changed.part, sum(changed.now) AS n
    FROM tally_change AS changed
    WHERE changed.part NOT IN ('compared', 'rewritten', 'foreseen')
    GROUP BY changed.sku, changed.country, changed.part
) AS anew
FULL JOIN (
    SELECT total.sku, total.country, part.key AS part, part.value::bigint AS n
    FROM serving.quality_total AS total
    CROSS JOIN LATERAL jsonb_each_text(total.counts) AS part
    WHERE
        fragment.in_edition(total, %(edition)s)
        AND part.key !~ '^(compared$|rewritten$|foreseen$|parties$|withheld$|read/|rejected/|repaired/|golden/|fed/|stale/)'
) AS kept
    ON anew.sku = kept.sku AND anew.country = kept.country AND anew.part = kept.part
WHERE anew.n IS DISTINCT FROM kept.n
ORDER BY coalesce(anew.sku, kept.sku), coalesce(anew.part, kept.part);
