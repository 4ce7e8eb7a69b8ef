-- The indexes of the pages of macro: each holds the whole order of its pages, the newest vintage of a value first,
-- so that a page is read without sorting and ends where it is full.

DROP INDEX serving.macro_value_by_series;
CREATE INDEX macro_value_by_series ON serving.macro_value (series_key, period_end DESC, vintage DESC);

DROP INDEX serving.macro_value_by_country;
CREATE INDEX macro_value_by_country
ON serving.macro_value (country_iso3, period_end DESC, measure, series_key, vintage DESC)
WHERE country_iso3 IS NOT NULL;

DROP INDEX serving.macro_value_by_year;
CREATE INDEX macro_value_by_year
ON serving.macro_value (period_end DESC, measure, country_iso3, series_key, vintage DESC)
WHERE frequency = 'A' AND country_iso3 IS NOT NULL;

DROP INDEX serving.macro_value_by_day;
CREATE INDEX macro_value_by_day ON serving.macro_value (period_end DESC, measure, vintage DESC)
WHERE frequency <> 'A';

CREATE INDEX macro_value_by_indicator
ON serving.macro_value (measure, period_end DESC, country_iso3, series_key, vintage DESC)
WHERE frequency = 'A' AND country_iso3 IS NOT NULL;
