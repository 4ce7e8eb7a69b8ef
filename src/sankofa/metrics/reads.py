"""The reads of metrics: a ranking of issuers by one metric, and the metrics of one issuer."""

from __future__ import annotations

from datetime import date, timedelta
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

from sankofa.ask.cursor import Scalar
from sankofa.ask.endpoint import Found, Page
from sankofa.core.licences import most_restrictive
from sankofa.metrics.formulas import METRICS, reference
from sankofa.metrics.rank import EVERYWHERE, ranking
from sankofa.metrics.served import REASONS, MetricsParams, MetricValue, RankedValue, ScreenParams
from sankofa.storage.queries import named
from sankofa.storage.reading import Reader, Row

_SQL = named(__package__)
_PLACE = ("rank", "value", "exact", "service_id")
_YEAR = 365.25  # days


def place_of_rank(row: RankedValue) -> tuple[Scalar, ...]:
    """Return a row's place in the whole order, by the exact value rather than the rounded one in the row."""
    place: tuple[Scalar, ...] = row.__dict__["place"]
    return place


def place_of_metric(row: MetricValue) -> tuple[Scalar, ...]:
    """Return a metric's place in the order of an issuer's metrics: by slug, the newest year first."""
    return row.metric, row.period_end.isoformat()


async def screen(reader: Reader, params: ScreenParams, page: Page) -> Found:
    """Return issuers ranked by a metric of the last year that each had published by a date."""
    day = page.knowable(params.as_of)
    after = dict(zip(_PLACE, page.after or (0, None, None, None), strict=True))
    placed = await reader.fetch(
        ranking(params.order, params.country),
        {
            **_common(params, day, page),
            "country": params.country or EVERYWHERE,
            "year": day.year,
            "rows": page.rows + 1,
            "after_value": after["value"],
            "after_exact": after["exact"],
            "after_service_id": after["service_id"],
        },
        edition=page.edition,
    )
    fields = await _fields_by_row(reader, [row[0] for row in placed], day, page)
    rows = []
    for rank, (row_id, value, exact, service_id) in enumerate(placed, int(after["rank"] or 0) + 1):
        if row_id in fields:
            row = RankedValue(rank, *fields[row_id])
            row.__dict__["place"] = (rank, f"{value:f}", f"{exact:f}", service_id)
            rows.append(row)
    absent = {"absent": await _absences(reader, params, day, page)} if params.absent == "true" else {}
    return Found(rows=rows, as_of=day, extra=absent)


async def metrics_of_issuer(reader: Reader, params: MetricsParams, page: Page) -> Found:
    """Return an issuer's metrics of the last years that it had published by a date."""
    day = page.knowable(params.as_of)
    wanted = [metric.slug for metric in METRICS if params.metric in (None, metric.slug)]
    lines = await reader.fetch(
        _SQL["of_issuer"],
        {**_common(params, day, page), "service_id": params.service_id, "years": params.years},
        edition=page.edition,
    )
    if not lines:
        return Found(rows=[], as_of=day)
    survivor, first_known_at, first_year_at, *_ = lines[0]
    years = [_Year(*line[3:]) for line in lines if line[4]]
    last = {year.metric: year for year in years if year.is_last}
    begin = tuple(map(str, page.after)) if page.after else ("", "")
    ids = [
        year.row_id
        for year in years
        if not year.reason
        and _is_among(params.years, year, last)
        and (year.metric > begin[0] or (year.metric == begin[0] and year.period_end.isoformat() < begin[1]))
    ][: page.rows + 1]
    fields = await _fields_by_row(reader, ids, day, page)
    extra: dict[str, Any] = {"resolved_from": params.service_id} if survivor != params.service_id else {}
    if params.absent == "true" and first_known_at and first_known_at <= day:
        has_year = first_year_at is not None and first_year_at <= day
        unpublished = "not_published" if has_year else "not_full_year"
        reasons = {metric: last[metric].reason if metric in last else unpublished for metric in wanted}
        extra["absent"] = {metric: reason for metric, reason in sorted(reasons.items()) if reason}
    return Found(rows=[MetricValue(*fields[row]) for row in ids if row in fields], as_of=day, extra=extra)


class _Year(NamedTuple):
    """A year of a metric on a day: its row, or why there is none."""

    row_id: int
    metric: str
    period_end: date
    is_last: bool
    reason: str | None


def _is_among(years: int, year: _Year, last: dict[str, _Year]) -> bool:
    """Return whether a year is among the last ones: it ended less than half a year more than those before."""
    if year.metric not in last:
        return False
    return year.is_last or (last[year.metric].period_end - year.period_end).days < _YEAR * (years - 0.5)


def _common(params: ScreenParams | MetricsParams, day: date, page: Page) -> dict[str, Any]:
    """Return the values that every statement of the domain binds."""
    oldest = date.min
    if params.max_age_days is not None and params.max_age_days < day.toordinal():
        oldest = day - timedelta(days=params.max_age_days)
    return {
        "metric": params.metric,
        "day": day,
        "edition": page.edition.number,
        "as_known": params.basis == "as_known",
        "oldest": oldest,
    }


async def _fields_by_row(
    reader: Reader, row_ids: list[int], day: date, page: Page
) -> dict[int, tuple[Any, ...]]:
    """Return the fields of the answer's rows, by row id."""
    if not row_ids:
        return {}
    values = {"row_ids": row_ids, "day": day, "edition": page.edition.number}
    lines = await reader.fetch(_SQL["served_rows"], values, edition=page.edition)
    return {row_id: _fields(list(inputs), day) for row_id, inputs in groupby(lines, itemgetter(0))}


def _fields(lines: list[Row], day: date) -> tuple[Any, ...]:
    """Return the fields of one row, from a line for each of its inputs."""
    row = lines[0]
    fact_ids, source_refs, license_classes, observed = zip(*(line[-4:] for line in lines), strict=True)
    metric, period_end = row[5], row[8]
    return (
        *row[1:9],
        (day - period_end).days,
        day,
        *row[9:12],
        list(fact_ids),
        reference(metric),
        "; ".join(sorted(set(source_refs))),
        most_restrictive(license_classes),
        max(observed),
    )


async def _absences(reader: Reader, params: ScreenParams, day: date, page: Page) -> dict[str, int]:
    values = {**_common(params, day, page), "country": params.country, "year": day.year}
    ((*counts,),) = await reader.fetch(_SQL["absences"], values, edition=page.edition)
    return dict(zip(REASONS, counts, strict=True))
