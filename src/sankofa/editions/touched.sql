-- name: standing
-- What the coming edition follows: the day of the edition before it, whether that edition recorded what it touched,
-- today, and the latest day on which the coming edition may become current: this statement runs just before that.
SELECT
    before.day,
    coalesce(before.edition = recorded.edition, FALSE) AS is_recorded,
    (clock_timestamp() AT TIME ZONE 'UTC')::date AS today,
    ((clock_timestamp() + interval '5 minutes') AT TIME ZONE 'UTC')::date AS latest_day
FROM (SELECT 1) AS always
LEFT JOIN LATERAL (
    SELECT edition.edition, (edition.published_at AT TIME ZONE 'UTC')::date AS day
    FROM serving.edition AS edition
    ORDER BY edition.edition DESC
    LIMIT 1
) AS before ON TRUE
LEFT JOIN serving.touched AS recorded ON recorded.dataset = 'edition' AND recorded.bucket = -1;

-- name: touch_whole
INSERT INTO serving.touched (dataset, bucket, edition)
SELECT whole.dataset, -1, %(edition)s
FROM unnest(%(datasets)s::text[]) AS whole (dataset)
ON CONFLICT (dataset, bucket) DO UPDATE SET edition = excluded.edition;
