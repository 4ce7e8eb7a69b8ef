"""Sources of tables, each a file that is replaced: reference rates, indicators and tickers."""

from __future__ import annotations

from typing import ClassVar

from publisher import formats
from publisher.kind import Kind
from support.bank_tables import wide
from support.stated_macro import EURO_BEGAN, rates

_SATURDAY = 5
_AREAS = ("KEN", "GHA", "NGA", "ZAF")
_DAYS_BETWEEN_UPDATES = 5  # of one indicator


class Rates(Kind):
    """One table of reference rates with all days so far, replaced on working days."""

    parser = "ecb_rates"
    path = "rates.csv"
    renames = (b"Date,", b"Day,")
    portal: ClassVar = {"answers": "csv"}

    def files(self, day):
        days = {EURO_BEGAN: self._rates(EURO_BEGAN)}
        for each in range(day + 1):
            if self.date(each).weekday() < _SATURDAY:
                days[str(self.date(each))] = self._rates(str(self.date(each)))
        return {f"/{self.name}/{self.path}": rates(days)}

    def _rates(self, on):
        rng = self.rng("rates", on)
        return {currency: f"{rng.uniform(1, 30):.4f}" for currency in ("USD", "ZAR", "GBP")}


class Indicators(Kind):
    """A zip archive for each indicator, one of which is updated on most days."""

    parser = "world_bank"
    path = "{item}.zip"
    renames = (b'"Country Code"', b'"Area Code"')
    items = ("SK.WELL.DEEP", "SK.KITE.HIGH", "SK.DRUM.LOUD")
    portal: ClassVar = {"answers": "zip", "items": list(items)}

    def files(self, day):
        found = {}
        for place, item in enumerate(self.items):
            updated = day - (day - place) % _DAYS_BETWEEN_UPDATES if day >= place else 0
            found[f"/{self.name}/{item}.zip"] = formats.archive(f"API_{item}.csv", self._table(item, updated))
        return found

    def _table(self, item, updated):
        rng = self.rng(item, updated)
        values = {area: {year: str(rng.randrange(10**6)) for year in (2021, 2022)} for area in _AREAS}
        return wide(values, self.date(updated), item, name=f"Invented measure of {item}")


class Tickers(Kind):
    """One list of filers with their tickers, which changes on day 1 and on some later days."""

    parser = "sec_tickers"
    path = "tickers.json"
    renames = (b'"cik"', b'"filer_number"')

    def files(self, day):
        new = sum(each == 1 or self.rng("new", each).random() < 0.6 for each in range(1, day + 1))
        rows = [self._filer(number) for number in range(5 + new)]
        return {f"/{self.name}/{self.path}": formats.tickers(rows)}

    def _filer(self, number):
        key = 9_000_000 + number
        return (key, f"{self.name} filer {number} plc", f"Z{number}", ("NYSE", "Nasdaq")[number % 2])
