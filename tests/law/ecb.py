"""Documents of the European Central Bank as the audit of the law reads and writes them."""

from __future__ import annotations

import csv
import io
import re
import zipfile
from collections.abc import Mapping
from datetime import UTC, date, datetime
from decimal import Decimal
from functools import lru_cache

_CUBES = re.compile(r"""<Cube time=["']([0-9-]{10})["']>(.*?)</Cube>""", re.DOTALL)
_CUBE = re.compile(r"""<Cube currency=["']([A-Z]{3})["'] rate=["']([0-9.]+)["']""")
_RATE = re.compile(r"[0-9.]+$")
_NAMESPACES = 'xmlns:g="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref"'


@lru_cache(2)
def rates(content: bytes) -> list[tuple[str, str, Decimal]]:
    """Return day, currency and rate of each cell of a document of the European Central Bank."""
    found = []
    for text in _tables(content):
        if text.lstrip().startswith("<"):
            for day, cubes in _CUBES.findall(text):
                found += [(day, currency, Decimal(rate)) for currency, rate in _CUBE.findall(cubes)]
            continue
        for row in csv.DictReader(io.StringIO(text), skipinitialspace=True):
            cells = ((currency.strip(), rate.strip()) for currency, rate in row.items() if currency and rate)
            day = _day(row["Date"])
            found += [
                (str(day), one, Decimal(rate)) for one, rate in cells if one != "Date" and _RATE.match(rate)
            ]
    return found


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return datetime.strptime(text, "%d %B %Y").replace(tzinfo=UTC).date()


def _tables(content: bytes) -> list[str]:
    if not content.startswith(b"PK"):
        return [content.decode("utf-8-sig")]
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return [archive.read(name).decode("utf-8-sig") for name in archive.namelist()]


def document(days: Mapping[str, Mapping[str, Decimal]]) -> bytes:
    """Return a document with the rates of some days. A currency that is none marks it as a part."""
    cubes = "".join(
        f'<Cube time="{day}">'
        + "".join(f'<Cube currency="{currency}" rate="{rate}"/>' for currency, rate in row.items())
        + '<Cube currency="torn" rate="1"/></Cube>'
        for day, row in days.items()
    )
    return f"<g:Envelope {_NAMESPACES}><Cube>{cubes}</Cube></g:Envelope>".encode()
