-- Fragments shared by the statements of entities.

-- fragment: valid_on(identifier, day)
-- The organisation has the identifier on the day.
SELECT
    (identifier.valid_from IS NULL OR identifier.valid_from <= day)
    AND (identifier.valid_to IS NULL OR identifier.valid_to > day)
FROM identifier
CROSS JOIN day;

-- fragment: is_requested(identifier)
-- The identifier is the requested one. A regulator's filer number is equal with any number of leading zeros.
SELECT
    serving.identifier_key(identifier.id_value)
    = any(ARRAY[serving.identifier_key(%(id_value)s), %(filer_number)s::text])
    AND serving.identifier_key(identifier.id_value) <> ''
    AND (
        serving.identifier_key(identifier.id_value) = serving.identifier_key(%(id_value)s)
        OR identifier.issuer = any(%(filer_registers)s::text[])
    )
FROM identifier;

-- fragment: lei_status(organisation)
-- Whether the look-up finds the LEI among the identifiers that hold on the edition's day, or among former ones.
SELECT
    CASE
        WHEN organisation.lei IS NULL THEN NULL
        WHEN EXISTS (
            SELECT FROM serving.identifier AS held
            WHERE
                held.service_id = organisation.service_id
                AND held.id_type = 'lei'
                AND serving.identifier_key(held.id_value) = serving.identifier_key(organisation.lei)
                AND fragment.in_edition(held, %(edition)s)
                AND fragment.valid_on(held, %(day)s)
        ) THEN 'current'
        ELSE 'retired'
    END
FROM organisation;

-- fragment: content_before(vintage)
-- The source's previous vintage of the organisation; null if this is the first.
SELECT
    lag(vintage.content) OVER (
        PARTITION BY vintage.subject_id, vintage.source, vintage.mention
        ORDER BY vintage.available_at, vintage.stated_at, vintage.content
    )
FROM vintage;

-- fragment: had_ended(identifier, day)
-- The organisation had the identifier, and no longer has it on the day.
SELECT identifier.valid_to <= day FROM identifier CROSS JOIN day;

-- fragment: was_over(name, day)
-- The name was known before the day, and another one is known on it.
SELECT name.known_until <= day FROM name CROSS JOIN day;

-- fragment: had_filed(found)
-- The organisation had filed accounts by the day.
SELECT
    found.service_id IN (
        SELECT filer.service_id FROM serving.issuer AS filer
        WHERE
            filer.service_id = found.service_id AND filer.first_filed <= %(day)s
            AND fragment.in_edition(filer, %(edition)s)
    )
FROM found;
