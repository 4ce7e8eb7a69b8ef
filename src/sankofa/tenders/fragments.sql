-- What statements of tenders share: in which order the contents of a release were seen, and since when each is known.

-- fragment: is_last_word(shown)
-- A document may show a release with several contents: the one with the newest date is what it says.
SELECT
    row_number() OVER (
        PARTITION BY shown.release_key, shown.place
        ORDER BY shown.released_at DESC NULLS LAST, shown.content DESC
    ) = 1
FROM shown;

-- order: in_time(sighting)
SELECT FROM sighting
ORDER BY sighting.place, sighting.is_last_word, sighting.released_at, sighting.content;

-- fragment: turn(sighting)
-- Which content of its release it is, in time.
SELECT row_number() OVER (PARTITION BY sighting.release_key ORDER BY fragment.in_time(sighting)) FROM sighting;

-- fragment: first_day(sighting)
-- The day of the release's first content: the publisher's, or that of the fetch where it states none.
SELECT
    first_value(coalesce(sighting.released_on, sighting.fetched_at::date)) OVER (
        PARTITION BY sighting.release_key
        ORDER BY fragment.in_time(sighting)
    )
FROM sighting;

-- fragment: day_of(content)
-- The first content of a release counts from the publisher's date on, a later one from the day we saw it: nothing else
-- evidences when it was put in the first one's place.
SELECT
    CASE
        WHEN content.vintage = 1 THEN content.first_available_at
        ELSE greatest(content.first_available_at, content.fetched_at::date)
    END
FROM content;
