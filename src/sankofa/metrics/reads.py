"""The questions one can ask about metrics."""

from __future__ import annotations

from datetime import date, timedelta
from itertools import groupby
from operator import itemgetter
from typing import Any

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


def place_of_rank(row: RankedValue) -> tuple[Scalar, ...]:
    """Return a row's place in the whole order, exact where the value that is shown is rounded."""
    place: tuple[Scalar, ...] = row.__dict__["place"]
    return place


def place_of_metric(row: MetricValue) -> tuple[Scalar, ...]:
    """Return a metric's place in the order of an issuer's metrics."""
    return (row.metric,)


async def screen(reader: Reader, asked: ScreenParams, page: Page) -> Found:
    """Return issuers ranked by a metric of the last year that each had published by a date."""
    day = page.knowable(asked.as_of)
    after = dict(zip(_PLACE, page.after or (0, None, None, None), strict=True))
    placed = await reader.fetch(
        ranking(asked.order, asked.country),
        {
            **_common(asked, day, page),
            "country": asked.country or EVERYWHERE,
            "year": day.year,
            "rows": page.rows + 1,
            "after_value": after["value"],
            "after_exact": after["exact"],
            "after_service_id": after["service_id"],
        },
        edition=page.edition,
    )
    shown = await _shown(reader, [row[0] for row in placed], day, page)
    rows = []
    for rank, (row_id, value, exact, service_id) in enumerate(placed, int(after["rank"] or 0) + 1):
        if row_id in shown:
            row = RankedValue(rank, *shown[row_id])
            row.__dict__["place"] = (rank, f"{value:f}", f"{exact:f}", service_id)
            rows.append(row)
    absent = {"absent": await _absences(reader, asked, day, page)} if asked.absent == "true" else {}
    return Found(rows=rows, as_of=day, extra=absent)


async def metrics_of_issuer(reader: Reader, asked: MetricsParams, page: Page) -> Found:
    """Return an issuer's metrics of the last year that it had published by a date."""
    day = page.knowable(asked.as_of)
    wanted = [metric.slug for metric in METRICS if asked.metric in (None, metric.slug)]
    years = await reader.fetch(
        _SQL["of_issuer"],
        {**_common(asked, day, page), "service_id": asked.service_id},
        edition=page.edition,
    )
    served = {metric: row_id for *_, row_id, metric, reason in years if metric and not reason}
    if not years:
        return Found(rows=[], as_of=day)
    survivor, first_known_at, first_year_at, *_ = years[0]
    begin = str(page.after[0]) if page.after else ""
    ids = [row_id for metric, row_id in served.items() if metric > begin][: page.rows + 1]
    shown = await _shown(reader, ids, day, page)
    extra: dict[str, Any] = {"resolved_from": asked.service_id} if survivor != asked.service_id else {}
    if asked.absent == "true" and first_known_at and first_known_at <= day:
        has_year = first_year_at is not None and first_year_at <= day
        reasons = {metric: reason for *_, metric, reason in years if metric}
        unpublished = "not_published" if has_year else "not_full_year"
        extra["absent"] = {
            metric: reasons.get(metric, unpublished) for metric in sorted(wanted) if metric not in served
        }
    return Found(rows=[MetricValue(*shown[row]) for row in ids if row in shown], as_of=day, extra=extra)


def _common(asked: ScreenParams | MetricsParams, day: date, page: Page) -> dict[str, Any]:
    """Return the values that every statement of the domain binds."""
    oldest = date.min
    if asked.max_age_days is not None and asked.max_age_days < day.toordinal():
        oldest = day - timedelta(days=asked.max_age_days)
    return {
        "metric": asked.metric,
        "day": day,
        "edition": page.edition.number,
        "as_known": asked.basis == "as_known",
        "oldest": oldest,
    }


async def _shown(reader: Reader, row_ids: list[int], day: date, page: Page) -> dict[int, tuple[Any, ...]]:
    """Return the fields of rows that an answer has, by row."""
    if not row_ids:
        return {}
    asked = {"row_ids": row_ids, "day": day, "edition": page.edition.number}
    lines = await reader.fetch(_SQL["shown"], asked, edition=page.edition)
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


async def _absences(reader: Reader, asked: ScreenParams, day: date, page: Page) -> dict[str, int]:
    values = {**_common(asked, day, page), "country": asked.country}
    ((*counts,),) = await reader.fetch(_SQL["absences"], values, edition=page.edition)
    return dict(zip(REASONS, counts, strict=True))
