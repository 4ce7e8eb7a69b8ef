"""Invented CVM archives of some years: fetched now and then, each with the newest versions of that day."""

from __future__ import annotations

import csv
import io
import zipfile
from datetime import UTC, date, datetime, time, timedelta

from support.cvm_forms import (
    ASSETS,
    OF_OTHERS,
    OF_OWNERS,
    RESULT,
    SALES,
    balance,
    entry,
    index,
    row,
    statement,
)
from support.esef_reports import packed

FIRST_YEAR, LAST_YEAR = 2016, 2024
FETCHES = (45, 120, 400)  # days after the end of the year


def archives(rng, companies, last_day):
    """Return archives of annual forms, each with the moment of its fetch."""
    known = {}  # what a company stated for a year, as a later form repeats it or restates it
    for year in range(FIRST_YEAR, LAST_YEAR + 1):
        forms = [form for company in range(companies) for form in _forms(rng, known, company, year)]
        end = date(year, 12, 31)
        for day in (*(end + timedelta(days=days) for days in FETCHES), last_day):
            held = [form for form in forms if form[0] <= day]
            if held and day <= last_day:
                yield _archive(held), datetime.combine(day, time(5, rng.randrange(60)), UTC)


def _forms(rng, known, company, year):
    """Yield the versions of one form: day of receipt, number, rows of the two statements."""
    received = date(year + 1, 1, 20) + timedelta(days=rng.randrange(80))
    for number in range(1, rng.choice((1, 1, 2, 3)) + 1):
        if rng.random() < 0.8 or (company, year) not in known:
            result, others = rng.randint(-500, 900), rng.choice((0, 0, 7))
            known[company, year] = (rng.randint(1_000, 9_000), result, result - others, others)
        told = {"company": company, "versao": f"{number}", "dt_refer": f"{year}-12-31"}
        rows = []
        for shown in (year - 1, year):
            values = known.get((company, shown), ())
            for account, value in zip((SALES, RESULT, OF_OWNERS, OF_OTHERS), values, strict=False):
                rows.append(row(f"{value}.0000000000", account, shown, **told))
        assets = row(f"{rng.randint(5_000, 20_000)}.0000000000", ASSETS, year, **told)
        yield received, number, rows, assets, entry(f"{received}", **told)
        received += timedelta(days=rng.choice((0, 9, 200)))


def _archive(forms):
    """Return the archive once these forms were received: an index of all, and the newest versions."""
    newest = {}
    for form in forms:
        newest[form[3]["cd_cvm"]] = form
    results = [one for _, _, rows, *_ in newest.values() for one in rows]
    assets = [form[3] for form in newest.values()]
    entries = [form[4] for form in forms]
    return packed({"index": index(*entries), "dre": statement(*results), "bpa": balance(*assets)})


def cut(content, is_public):
    """Return an archive with the versions whose day of receipt is public; None if it holds none of them."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        tables = {name: archive.read(name).decode("iso-8859-1").splitlines() for name in archive.namelist()}
    entries = csv.DictReader(tables["index"], delimiter=";")
    versions = {_version(one) for one in entries if is_public(one["DT_RECEB"])}
    kept = {}
    for name, lines in tables.items():
        stated = zip(lines[1:], csv.DictReader(lines, delimiter=";"), strict=True)
        if public := [line for line, one in stated if _version(one) in versions]:
            kept[name] = "\r\n".join([lines[0], *public, ""]).encode("iso-8859-1")
    return packed(kept) if kept.keys() - {"index"} else None


def _version(one):
    return one["CD_CVM"], one["DT_REFER"], one["VERSAO"]
