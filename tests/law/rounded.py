"""Data sets of invented filers: their filings once more, with days rounded, or some that nothing else has."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta

from support.filings import data_set, month_end

SUB = ("adsh", "cik", "name", "form", "period", "filed", "accepted", "instance", "fye", "fy", "fp")
NUM = ("adsh", "tag", "version", "ddate", "qtrs", "uom", "value")
QUARTER = 365.25 / 4


def data_sets(rng, cik, filings, names, last_day):
    """Yield a filer's data sets, some years in each, each with the moment of its fetch."""
    years = range(filings[0].filed.year, last_day.year + 1, rng.randint(1, 4))
    for first, after in zip(years, [*years[1:], last_day.year + 1], strict=True):
        listed = [
            (place, filing)
            for place, filing in enumerate(filings, 1)
            if first <= filing.filed.year < after and rng.random() < 0.9
        ]
        if listed:
            day = min(last_day, date(after, 1, 1) + timedelta(days=rng.randrange(900)))
            yield _data_set(rng, cik, listed, names), datetime.combine(day, time(4), UTC)


def _data_set(rng, cik, listed, names):
    subs, nums = [], []
    for place, filing in listed:
        number = f"{cik:010d}-{filing.filed:%y}-{place:06d}"
        own = max((end for _, _, end, _ in filing.rows if end <= filing.filed), default=None)
        told = {"adsh": number, "cik": f"{cik}", "form": filing.form, "filed": f"{filing.filed:%Y%m%d}"}
        told["name"] = names[max(began for began in names if began <= filing.filed)]
        if own:
            told["period"] = _rounded(own)
            told["instance"] = rng.choice((f"inv-{own:%Y%m%d}.xml", f"inv-{own:%Y%m%d}_htm.xml", ""))
        told["accepted"] = rng.choice((f"{filing.filed} 16:05:00.0", f"{filing.filed} 21:30:00.0", ""))
        told |= {"fy": f"{filing.fiscal_year or ''}", "fp": filing.fiscal_period or ""}
        subs.append(tuple(told.get(column, "") for column in SUB))
        for concept, start, end, value in filing.rows:
            quarters = round((end - start).days / QUARTER) if start else 0
            amount = "" if value is None else f"{value}"
            nums.append((number, concept, "us-gaap/2009", _rounded(end), f"{quarters}", "USD", amount))
    return data_set(sub=(SUB, *subs), num=(NUM, *nums))


def _rounded(day):
    return month_end(f"{day}").replace("-", "")
