-- name: editions
-- All editions, and all digests, whether or not they have each other.
SELECT
    coalesce(edition.edition, sealed.edition) AS number,
    edition.edition IS NOT NULL AS is_published,
    sealed.digest,
    sealed.manifest,
    sealed.signature,
    sealed.public_key
FROM serving.edition AS edition
FULL JOIN serving.edition_digest AS sealed ON edition.edition = sealed.edition
ORDER BY number;

-- name: newest_build
SELECT coalesce(max(build.edition), 0) FROM ops.edition_build AS build;

-- name: parts
SELECT DISTINCT block.part
FROM ops.digest_block AS block
WHERE block.edition = %(edition)s;

-- name: is_buried
SELECT 1
FROM ops.tombstone AS tombstone
WHERE tombstone.dataset = %(dataset)s AND tombstone.row_id = %(row_id)s;
