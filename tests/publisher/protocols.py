"""Publishers with a protocol of their own, played over HTTP, honestly or with the faults that are ordered.

Shapes are as these publishers document them; the values are invented.
"""

from __future__ import annotations

import json

from publisher import validators
from publisher.faults import FAULTS, Occasion
from support.answering import Answer


class Protocol:
    """Answers requests; the faults in `spoils` are used up one by one, before honest answers."""

    renames = (b"", b"")  # for the fault `schema`

    def __init__(self, *spoils):
        self.spoils = list(spoils)
        self._previous = None

    def __call__(self, asked):
        found = self.answer(asked)
        honest = found if isinstance(found, Answer) else validators.page(_encoded(found))
        if not self.spoils:
            self._previous = honest.body
            return honest
        fault = FAULTS[self.spoils.pop(0)]
        return fault.spoil(honest, Occasion(fault.value, self, self._previous, "http://127.0.0.1:9"))

    def answer(self, asked):
        """Return the honest answer: an `Answer`, or what becomes JSON."""
        raise NotImplementedError


def _encoded(found):
    return found if isinstance(found, bytes) else json.dumps(found).encode()


class Fred(Protocol):
    """FRED's observations of one series, [(realtime_start, realtime_end, date, value), …]."""

    def __init__(self, key, rows, *spoils):
        super().__init__(*spoils)
        self.key, self.rows = key, rows

    def answer(self, asked):
        if asked.get("api_key") != self.key:
            message = f"Bad Request. The value for variable api_key is not registered: {asked.get('api_key')}"
            return Answer(_encoded({"error_code": 400, "error_message": message}), 400)
        names = ("realtime_start", "realtime_end", "date", "value")
        return {
            "realtime_start": asked["realtime_start"],
            "realtime_end": asked["realtime_end"],
            "observation_start": "1600-01-01",
            "observation_end": "9999-12-31",
            "units": "lin",
            "output_type": 1,
            "file_type": asked["file_type"],
            "order_by": "observation_date",
            "sort_order": "asc",
            "count": len(self.rows),
            "offset": 0,
            "limit": 100_000,
            "observations": [dict(zip(names, row, strict=True)) for row in self.rows],
        }


class OpenFigi(Protocol):
    """OpenFIGI's mapping: a list of ids is answered in its order. `shares` has names and FIGIs by ISIN."""

    most = 2  # ids in a request

    def __init__(self, shares, *spoils):
        super().__init__(*spoils)
        self.shares = shares

    def answer(self, asked):
        wanted = json.loads(asked.body)
        if asked.method != "POST" or asked.headers.get("Content-Type") != "application/json":
            return Answer(b"", 415)
        if len(wanted) > self.most:
            return Answer(b"Request entity too large", 413)
        return [self._one(one["idValue"]) for one in wanted if one["idType"] == "ID_ISIN"]

    def _one(self, isin):
        if isin not in self.shares:
            return {"warning": "No identifier found."}
        name, share_class = self.shares[isin]
        lines = {"figi": share_class, "name": name, "ticker": "ZZ", "securityType": "Common Stock"}
        kinds = {"marketSector": "Equity", "securityType2": "Common Stock", "shareClassFIGI": share_class}
        return {"data": [lines | kinds | {"exchCode": code} for code in ("SJ", "AJ")]}


class Archives(Protocol):
    """The World Bank's archive: `editions` has values by month (YYYYMM), area and year."""

    renames = (b'"variable"', b'"dimension"')

    def __init__(self, editions, *spoils):
        super().__init__(*spoils)
        self.editions = editions

    def answer(self, asked):
        parts = asked.path.split("/")
        indicator, edition = parts[parts.index("series") + 1], parts[parts.index("version") + 1]
        if edition not in self.editions:
            error = '<wb:message id="160" key="Data not found.">The provided parameter value is not valid'
            return f'<wb:error xmlns:wb="http://www.worldbank.org">{error}</wb:message></wb:error>'.encode()
        named = {"Series": (indicator, "GDP (current US$)"), "Version": (edition, edition)}
        rows = [
            _archived(named | {"Country": (area, area), "Time": (f"YR{year}", str(year))}, value)
            for area, values in self.editions[edition].items()
            for year, value in values.items()
        ]
        source = {"id": "57", "name": "WDI Database Archives", "data": rows}
        return {"page": 1, "pages": 1, "per_page": 20_000, "total": len(rows), "source": source}


def _archived(named, value):
    variables = [{"concept": concept, "id": one, "value": text} for concept, (one, text) in named.items()]
    return {"variable": variables, "value": value}
