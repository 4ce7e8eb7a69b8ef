-- Fragments shared by the statements of tenders: the order of a release's contents, the day from which each is known,
-- and search.

-- fragment: is_last_word(sighted)
-- A document may have a release with several contents: the one with the newest date counts.
SELECT
    row_number() OVER (
        PARTITION BY sighted.release_key, sighted.place
        ORDER BY sighted.released_at DESC NULLS LAST, sighted.content DESC
    ) = 1
FROM sighted;

-- order: in_time(sighting)
SELECT FROM sighting
ORDER BY sighting.place, sighting.is_last_word, sighting.released_at, sighting.content;

-- fragment: turn(sighting)
-- The number of the content within its release, in time.
SELECT row_number() OVER (PARTITION BY sighting.release_key ORDER BY fragment.in_time(sighting)) FROM sighting;

-- fragment: first_day(sighting)
-- The day of the release's first content: the publisher's, or that of the fetch if it has none.
SELECT
    first_value(coalesce(sighting.released_on, sighting.fetched_at::date)) OVER (
        PARTITION BY sighting.release_key
        ORDER BY fragment.in_time(sighting)
    )
FROM sighting;

-- fragment: day_of(content)
-- The first content of a release counts from the publisher's date on, a later one from the day we first saw it, since
-- there is no other evidence of when it replaced the first one.
SELECT
    CASE
        WHEN content.vintage = 1 THEN content.first_available_at
        ELSE greatest(content.first_available_at, content.fetched_at::date)
    END
FROM content;

-- fragment: month_of(moment)
-- The number of a month, as in `marks.py`.
SELECT
    ((extract(YEAR FROM moment AT TIME ZONE 'UTC') - 1970) * 12 + extract(MONTH FROM moment AT TIME ZONE 'UTC'))::bigint
FROM moment;

-- fragment: in_month(number, traits)
-- The marks of traits in a month.
SELECT array(SELECT number * 281474976710656 + one.trait FROM unnest(traits::bigint[]) AS one (trait))
FROM number
CROSS JOIN traits;

-- fragment: has_all(marks, number)
-- The content has all requested traits, and at least one of each set of alternatives.
SELECT
    marks @> fragment.in_month(number, %(every)s)
    AND marks && fragment.in_month(number, %(buyers)s)
    AND marks && fragment.in_month(number, %(suppliers)s)
    AND marks && fragment.in_month(number, %(amounts)s)
FROM marks
CROSS JOIN number;

-- fragment: is_valued(candidate)
-- The tender or an award has a value within the requested range, if there is one.
SELECT
    (%(lowest)s::numeric IS NULL AND %(highest)s::numeric IS NULL)
    OR EXISTS (
        SELECT
        FROM (
            SELECT candidate.body #> '{tender,value}' AS money_value
            UNION ALL
            SELECT jsonb_path_query(candidate.body, '$.awards[*].value') AS money_value
        ) AS money
        WHERE
            money.money_value ->> 'currency' = %(currency)s
            AND (money.money_value ->> 'amount')::numeric >= coalesce(%(lowest)s::numeric, 0)
            AND (money.money_value ->> 'amount')::numeric <= coalesce(%(highest)s::numeric, 'Infinity')
    )
FROM candidate;

-- fragment: latest_on(day)
-- A release that is dated later than this is not served yet on the day.
SELECT day::date + interval '2 days' FROM day;

-- fragment: is_on_page(candidate)
-- The release is of the requested days, with the content known on the day, after the last row of the previous page.
SELECT
    candidate.sorted_at >= %(since)s
    AND candidate.sorted_at < %(before)s
    AND candidate.sorted_at <= least(%(until)s, fragment.latest_on(%(day)s))
    AND (
        candidate.sorted_at < %(until)s
        OR (candidate.ocid, candidate.release_id, candidate.source) > (%(after_ocid)s, %(after_release)s, %(after_source)s)
    )
    AND fragment.in_edition(candidate, %(edition)s)
    AND fragment.known_on(candidate, %(day)s)
FROM candidate;

-- fragment: newest_in(place)
-- The date of a country's newest release in the edition: later releases are skipped.
SELECT
    (
        SELECT newest.newest_at FROM serving.tender_country AS newest
        WHERE newest.country = place AND fragment.in_edition(newest, %(edition)s)
    )
FROM place;

-- fragment: is_held(number, place)
-- The month is not after that of the country's newest release in the edition, if a country is requested.
SELECT
    number <= coalesce(
        (
            SELECT fragment.month_of(newest.newest_at) FROM serving.tender_country AS newest
            WHERE newest.country = place AND fragment.in_edition(newest, %(edition)s)
        ), number
    )
FROM number
CROSS JOIN place;
