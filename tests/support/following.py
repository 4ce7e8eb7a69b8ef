"""A follower of the change feed, as naive as the docs allow, and what it should hold in the end."""

from __future__ import annotations

# What a follower should hold of an edition, read from the tables themselves, in the words of the wire.
_FILINGS = """
SELECT 'AF-FUND', f.row_id, CASE WHEN f.value IS NOT NULL THEN f.fact_id::text END, f.service_id, NULL,
    f.line_item, f.value, f.unit, f.scope::text,
    CASE WHEN f.period_start > '-infinity' THEN f.period_start::text END, f.period_end::text,
    CASE WHEN f.period_type <> '' THEN f.period_type END, f.fiscal_year,
    CASE WHEN f.is_own_period THEN 'own' ELSE 'comparative' END, f.vintage, f.available_at::text,
    f.withdrawn_at::text, p.document_ref || '#' || f.concept, p.license_class, f.labelled_from::text,
    f.labelled_until::text
FROM serving.fundamentals_fact AS f
LEFT JOIN serving.provenance AS p ON p.provenance_id = f.provenance_id AND f.value IS NOT NULL
WHERE f.published_in <= %(edition)s AND f.superseded_in > %(edition)s
"""
_TENDERS = """
SELECT 'AF-TENDER', f.row_id, f.fact_id::text, NULL, f.country, f.measure, f.value, f.unit, NULL, NULL,
    f.period_end::text, NULL, NULL, NULL, f.vintage, f.available_at::text,
    CASE WHEN f.known_until < 'infinity' THEN f.known_until::text END,
    p.document_ref || '#' || f.location, p.license_class, NULL, NULL
FROM serving.tender_fact AS f JOIN serving.provenance AS p USING (provenance_id)
WHERE f.published_in <= %(edition)s AND f.superseded_in > %(edition)s
"""
_SERIES = """
SELECT 'AF-MACRO', f.row_id, f.fact_id::text, NULL, f.country_iso3, f.measure, f.value, f.unit, NULL,
    f.period_start::text, f.period_end::text,
    CASE f.frequency WHEN 'A' THEN 'FY' WHEN 'Q' THEN to_char(f.period_end, '"Q"Q') END, NULL, NULL,
    f.vintage,
    f.available_at::text,
    CASE WHEN f.known_until < 'infinity' THEN f.known_until::text END,
    p.document_ref || '#' || f.series_key, p.license_class, NULL, NULL
FROM serving.macro_value AS f JOIN serving.provenance AS p USING (provenance_id)
JOIN serving.series AS s
    ON s.series_key = f.series_key AND s.published_in <= %(edition)s AND s.superseded_in > %(edition)s
WHERE f.published_in <= %(edition)s AND f.superseded_in > %(edition)s
"""
FIELDS = ("fact_id", "service_id", "country_iso3", "measure", "value", "unit", "scope", "period_start")
FIELDS += (
    "period_end",
    "period_type",
    "fiscal_year",
    "reported_as",
    "vintage",
    "available_at",
    "known_until",
)
FIELDS += ("source_ref", "license_class", "labelled_from", "labelled_until")
PORTALS = {"ZA": "ZAF", "KE": "KEN"}


def held(service, edition):
    """Return what an edition holds: rows by dataset and number."""
    with service.connect() as admin:
        rows = [
            row
            for query in (_FILINGS, _TENDERS, _SERIES)
            for row in admin.execute(query, {"edition": edition}).fetchall()
        ]
    told = {(row[0], row[1]): dict(zip(FIELDS, row[2:], strict=True)) for row in rows}
    for row in told.values():
        row["country_iso3"] = PORTALS.get(row["country_iso3"], row["country_iso3"])
    return told


def pages(service, since, **asked):
    """Yield the changes page by page, each as a list."""
    answer = service.get("/v1/changes", since=since, **asked)
    while True:
        assert answer.status_code == 200, answer.text
        yield answer.exact["data"]
        if answer.exact["next_cursor"] is None:
            return
        answer = service.get(
            "/v1/changes", cursor=answer.exact["next_cursor"], limit=asked.get("limit", 1000)
        )


def changes(service, since=0, **asked):
    return [change for page in pages(service, since, **asked) for change in page]


def apply(change, rows):
    """Apply one change to the rows held: all that a follower has to know."""
    place = change["dataset"], change["row_id"]
    if change["change"] == "put":
        assert place not in rows, f"put twice: {change}"
        rows[place] = {name: change[name] for name in FIELDS}
    else:
        rows.pop(place, None)


def follow(service, rows, since=0, **asked):
    """Bring rows that were held at one edition to another; return how many changes that took."""
    taken = 0
    for page in pages(service, since, **asked):
        for change in page:
            apply(change, rows)
            taken += 1
    return taken


_KEY = ("line_item", "period_end", "period_start", "unit", "scope")
_SIDES = ("value", "vintage", "available_at", "source_ref", "license_class", "observed_at", "fact_id")


def differing(service, service_id, start, end, ask=None, **asked):
    """Return what /v1/diff should say, from two answers of /v1/fundamentals. Labels make no difference."""
    ask = ask or service.facts
    then, now = (
        {tuple(fact[name] for name in _KEY): fact for fact in ask(service_id, as_of=day, **asked)}
        for day in (start, end)
    )
    pairs = ((then.get(key), now.get(key)) for key in {*then, *now})
    return sorted(
        (
            _difference(old, new)
            for old, new in pairs
            if not old or not new or old["fact_id"] != new["fact_id"]
        ),
        key=_in_order,
    )


def _difference(old, new):
    fact = new or old
    change = "restated" if old and new else "added" if new else "withdrawn"
    kept = ("service_id", "period_start", "period_end", "period_type", "fiscal_year", "unit", "scope")
    row = {name: fact[name] for name in (*kept, "line_item", "currency_reported")} | {"change": change}
    for side, one in (("old", old), ("new", new)):
        for name in _SIDES:
            row[f"{side}_{name}"] = one and one["value_reported" if name == "value" else name]
    both = [one for one in (old, new) if one]
    row["source_ref"] = "; ".join(sorted({one["source_ref"] for one in both}))
    (row["license_class"],) = {one["license_class"] for one in both}  # the demo has one
    row["observed_at"] = max(one["observed_at"] for one in both)
    return row


def _in_order(row):
    newest_first = [-int(part) for part in row["period_end"].split("-")]
    return (
        row["line_item"],
        newest_first,
        row["period_type"] or "",
        row["period_start"] or "",
        row["unit"],
        row["scope"],
    )
