"""A whole register to measure with: `python -m demo.lei_register --records 3400000 --out FILE`.

Nothing but a golden copy table: as many LEI records as are asked for, streamed, one in a hundred a sole
proprietor. Its records are apart from those of the demo world.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Annotated

import typer

from demo.identifiers import lei
from demo.lei_records import TABLE_HEAD, LeiRecord, table_row
from demo.names import COUNTRIES, STRIDE, SYLLABLES, WORDS
from demo.persons import GIVEN_NAMES
from demo.places import PLACES, UNLISTED_FORM

FIRST = 7_000_000_000
MOST = 3_000_000_000  # what fits into the ten digits
BLOCK = 1 << 20  # letters written at a time
SOLE_PROPRIETORS = 100  # every hundredth

_QUALITIES = (
    *("Atlantic", "Savanna", "Coastal", "Northern", "Southern", "Eastern", "Western", "Central"),
    *("United", "General", "National", "Pioneer", "Golden", "Silver", "Green", "Blue"),
    *("Royal", "Modern", "Premier", "Global", "Pan-African", "Continental", "Equatorial", "Highland"),
    *("Lakeside", "Riverside", "Sunrise", "Horizon", "Summit", "Baobab", "Acacia", "Marula"),
    *("Cedar", "Falcon", "Eagle", "Lion", "Unity", "Alliance", "Liberty", "Progress"),
)
_TRADES = (
    *("Foods", "Cement", "Telecoms", "Energy", "Mining", "Retail", "Logistics", "Textiles"),
    *("Insurance", "Finance", "Properties", "Trading", "Farms", "Shipping", "Motors", "Publishing"),
    *("Hospitals", "Breweries", "Steel", "Plastics", "Chemicals", "Pharmaceuticals", "Timber", "Fisheries"),
    *("Dairies", "Mills", "Packaging", "Engineering", "Construction", "Airways", "Railways", "Hotels"),
    *("Media", "Software", "Security", "Leasing", "Petroleum", "Solar", "Water", "Granite"),
    *("Sugar", "Coffee", "Cocoa", "Tea", "Cotton", "Rubber", "Leather", "Poultry"),
    *("Machinery", "Electronics"),
)
_PAIRS = tuple(first + second for first in SYLLABLES for second in SYLLABLES)
_STATUSES = ("ISSUED",) * 6 + ("LAPSED",) * 3 + ("RETIRED",)


def rows(count: int, seed: int = 1) -> Iterator[str]:
    """Yield the table line by line: its header, then `count` records."""
    if count > MOST:
        raise ValueError(f"at most {MOST:,} records have a number")
    yield TABLE_HEAD
    draw = Random(f"sankofa demo register {seed}").random
    for index in range(count):
        yield table_row(_record(index, seed, int(draw() * 2**53)))


def write(file: Path, count: int, seed: int = 1) -> None:
    """Write a table of `count` records, a block at a time."""
    with file.open("w", encoding="utf-8", newline="", buffering=BLOCK) as out:
        out.writelines(rows(count, seed))


def _record(index: int, seed: int, luck: int) -> LeiRecord:
    """Make one record out of 53 drawn bits."""
    luck, which = divmod(luck, len(COUNTRIES))
    luck, quality = divmod(luck, len(_QUALITIES))
    luck, trade = divmod(luck, len(_TRADES))
    luck, day = divmod(luck, 28 * 12)
    luck, year = divmod(luck, 30)
    luck, status = divmod(luck, len(_STATUSES))
    country = COUNTRIES[which]
    place = PLACES[country.code]
    last, first = divmod((index * STRIDE + seed * 7_919) % WORDS, len(_PAIRS))
    word = (_PAIRS[first] + _PAIRS[last]).capitalize()
    date = f"{1 + day // 28:02}-{1 + day % 28:02}T09:30:00Z"
    is_person = index % SOLE_PROPRIETORS == SOLE_PROPRIETORS - 1
    ended = _STATUSES[status] == "RETIRED"
    return LeiRecord(
        lei(FIRST + index),
        f"{GIVEN_NAMES[luck % len(GIVEN_NAMES)]} {word}"
        if is_person
        else f"{word} {_QUALITIES[quality]} {_TRADES[trade]} {country.forms[luck % len(country.forms)]}",
        country.code,
        place.authority,
        place.number.format(year=1985 + year, number=100_000 + index),
        UNLISTED_FORM if is_person else place.legal_form,
        f"{2023 + year % 3}-{date}",
        f"{1985 + year}-{date}",
        "SOLE_PROPRIETOR" if is_person else "GENERAL",
        "INACTIVE" if ended else "ACTIVE",
        _STATUSES[status],
        place.language,
        f"{1 + luck % 400} Demo Street",
        place.city,
        place.postcode,
    )


def main(
    out: Annotated[Path, typer.Option(help="The file to write.")],
    records: Annotated[int, typer.Option(help="How many LEI records.", min=0, max=MOST)] = 100_000,
    seed: Annotated[int, typer.Option(help="Which register.")] = 1,
) -> None:
    """Write a golden copy table of invented organisations."""
    write(out, records, seed)


if __name__ == "__main__":
    typer.run(main)
