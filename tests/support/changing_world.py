"""A small world that changes at random, and the questions that every endpoint is asked about it."""

from __future__ import annotations

from datetime import date, timedelta

from sankofa.signals.panels import PANELS
from support.filings import FY2022, FY2023, Filer
from support.organisations import company, id_of_lei, list_shares, register
from support.stated_macro import GDP, INFLATION, indicator, vintages
from support.stated_tenders import CITY, ROADS, SOURCE, WORKS, award, holder, package, release, tender

CONCEPTS = ("Revenue", "ProfitLoss", "Assets", "CurrentAssets", "CurrentLiabilities", "Equity")
KINDS = ("metrics", "line-items", "indicators", "series", "signals", "categories", "exchanges", "sources")
FILERS, COMPANIES, PROCESSES = range(1, 9), range(101, 107), range(1, 9)


class ChangingWorld:
    """Filers, companies, tenders and series, of which any publish may change something."""

    def __init__(self, service, chance):
        self.service, self.chance = service, chance
        self._filers = {number: Filer(number, f"Filer {number} PLC") for number in FILERS}
        self._names = {number: f"Umbrella {number} Ltd" for number in COMPANIES}
        self._listed = {}
        self._lists = set()
        self._months = {}
        self._updates = 0
        self._merged = set()

    def begin(self):
        """State something of everything, and publish it."""
        for number in FILERS:
            self.file(number)
        register(self.service, *(company(number, name) for number, name in self._names.items()))
        for number in list(COMPANIES)[:3]:
            self.list(number)
        for number in PROCESSES:
            self.tender(number)
        self.index()
        self.years()
        self.service.publish()

    def change(self):
        """Change one thing or several, and return what was done."""
        acts = (
            self.file,
            self.rename_filer,
            self.rename_company,
            self.list,
            self.tender,
            self.index,
            self.years,
            self.merge,
            self.close_or_open,
            self.export,
        )
        return [act() for act in self.chance.sample(acts, self.chance.choice((1, 1, 2)))]

    def file(self, number=None):
        number = number or self.chance.choice(FILERS)
        day = date(2024, 2, 1) + timedelta(self.chance.randrange(600))
        period = self.chance.choice((FY2022, FY2023))
        filer = self._filers[number]
        for concept in CONCEPTS:
            value = self.chance.choice((None, *range(1, 99)))
            span = period if concept in CONCEPTS[:2] else (None, period[1])
            filer.says(value, filed=day.isoformat(), concept=f"ifrs-full:{concept}", period=span)
        self.service.ingest(filer.document())
        return f"filer {number} files on {day}"

    def rename_filer(self):
        """Repeat what a filer said under another name: no fact changes."""
        number = self.chance.choice(FILERS)
        self._updates += 1
        self._filers[number].name = f"Filer {number} renamed {self._updates} PLC"
        self.service.ingest(self._filers[number].document())
        return f"filer {number} is renamed"

    def rename_company(self):
        number = self.chance.choice(COMPANIES)
        self._updates += 1
        self._names[number] = f"Umbrella {number} renamed {self._updates} Ltd"
        moment = f"2025-01-{self._updates % 28 + 1:02}T00:00:{self._updates % 60:02}Z"
        register(self.service, company(number, self._names[number], updated=moment))
        return f"company {number} is renamed"

    def list(self, number=None):
        number = number or self.chance.choice(COMPANIES)
        until = self.chance.choice(("", "2025-03-01", "2999-01-01"))
        ticker = f"T{self.chance.randrange(4)}"
        self._listed[number] = ("XNAI", ticker, self._names[number], "KE", "", "", "2020-01-01", until)
        listed = tuple(self._listed.values())
        if listed not in self._lists:  # a list that came before is seen, and changes nothing
            self._lists.add(listed)
            list_shares(self.service, *listed)
        return f"company {number} is listed as {ticker} until {until or 'now'}"

    def tender(self, number=None):
        number = number or self.chance.choice(PROCESSES)
        supplier = self.chance.choice(
            (WORKS, ROADS, holder(self._names[101], 101), holder(self._names[102], 102))
        )
        amount = self.chance.randrange(1, 999)
        month = self.chance.randrange(1, 12)
        stated = release(
            f"o-{number}",
            number=str(self.chance.randrange(99)),
            date=f"2024-{month:02}-10T12:00:00Z",
            buyer={"name": CITY},
            tender=tender(amount, title=f"Fence {amount}", mainProcurementCategory="works"),
            awards=[award("1", amount, supplier)],
            tag=["tender", "award"],
        )
        self.service.ingest(package(stated), source_name=SOURCE)
        return f"process {number} is released again"

    def index(self):
        month = f"2023-{self.chance.randrange(1, 13):02}-01"
        releases = self._months.setdefault(month, [])
        day = date(2024, 1, 1) + timedelta(len(releases) * 20 + self.chance.randrange(1, 20))
        releases.append((day.isoformat(), self.chance.randrange(90, 200)))
        self.service.ingest(vintages(dict(sorted(self._months.items()))), source_name="demo-alfred")
        return f"the index of {month} is released"

    def years(self):
        areas, years, code = ("KEN", "ZAF"), (2020, 2021), self.chance.choice((GDP, INFLATION))
        values = {(area, year): str(self.chance.randrange(99)) for area in areas for year in years}
        self.service.ingest(indicator(values, code), source_name="demo-world-bank")
        return "indicators are stated anew"

    def merge(self):
        one, other = self.chance.sample([f"cik:{number:010}" for number in FILERS], 2)
        one, other = self.service.id_of(one), self.service.id_of(other)
        if one in self._merged:
            self._merged.discard(one)
            self.service.merge(one, one, "two after all")
            return f"{one} is itself again"
        if other in self._merged:
            return "nobody is merged"
        self._merged.add(one)
        self.service.merge(one, other)
        return f"{one} is merged into {other}"

    def close_or_open(self):
        """Stop serving what a source states, or serve it again. Rows are closed without a replacement."""
        name = self.chance.choice(("demo-alfred", "demo-listings"))
        self.service.closed_sources = sorted({*self.service.closed_sources} ^ {name})
        return f"{name} is {'closed' if name in self.service.closed_sources else 'open'}"

    def export(self):
        self.service.export()
        return "files are written"

    def questions(self):
        """Return requests for every endpoint: its name and parameters, without an edition."""
        filers = [self.service.id_of(f"cik:{number:010}") for number in FILERS]
        companies = [id_of_lei(self.service, number) for number in COMPANIES]
        asked = []
        ids = self.service.rows("SELECT fact_id::text FROM serving.fundamentals_fact ORDER BY row_id LIMIT 3")
        asked += [(name, {"fact_id": fact_id}) for (fact_id,) in ids for name in ("fact", "proof")]
        asked += [("panel", {"line_item": "revenue"}), ("filings", {})]
        for one in (*filers, *companies, "DC0"):
            asked += [
                ("fundamentals", {"service_id": one}),
                ("fundamentals", {"service_id": one, "vintages": "all", "as_of": "2024-06-30"}),
                ("entity", {"service_id": one}),
                ("crosswalk", {"service_id": one}),
                ("metrics", {"service_id": one, "absent": "true"}),
                ("metrics", {"service_id": one, "basis": "as_known", "as_of": "2024-06-30"}),
                ("diff", {"service_id": one, "from_as_of": "2024-03-01", "to_as_of": "2025-03-01"}),
                ("shared_facts", {"entity_id": one}),
                ("shared_facts", {"entity_id": one, "dataset": "AF-TENDER"}),
                ("panel", {"line_item": "revenue,net_income", "service_id": one}),
                ("filings", {"service_id": one}),
                ("tender_parties", {"service_id": one}),
                ("tender_parties", {"service_id": one, "as_of": "2024-06-30"}),
                ("tenders", {"supplier": one}),
                ("changes", {"service_id": one}),
                (
                    "verify_figure",
                    {"service_id": one, "line_item": "revenue", "fiscal_year": 2023, "value": 5},
                ),
            ]
        asked += [("crosswalk_lookup", {"id_type": "ticker", "id_value": f"XNAI:T{n}"}) for n in range(4)]
        asked += [("search", {"q": text}) for text in ("Umbrella 101", "renamed", "XNAI:T1", "Umbrela 103")]
        asked += [("search", {"q": "Umbrella 101", "as_of": "2024-06-30"})]
        asked += [("issuers", {}), ("issuers", {"country": "ZA", "as_of": "2024-06-30"})]
        asked += [("issuers", {"exchange": "XNAI"}), ("issuers", {"has_item": "revenue"})]
        asked += [("catalog", {"kind": kind}) for kind in KINDS]
        asked += [("quality_metrics", {"sku": sku}) for sku in ("AF-FUND", "AF-TENDER", "AF-MACRO")]
        asked += [("signal", {"signal_key": panel}) for panel in PANELS]
        for metric in ("net_margin", "current_ratio"):
            asked += [("screen", {"metric": metric, "absent": "true"})]
            asked += [("screen", {"metric": metric, "order": "asc", "country": "ZA", "basis": "as_known"})]
        return [
            *asked,
            ("tenders", {}),
            ("tenders", {"as_of": "2024-06-30"}),
            ("tenders", {"q": "fence", "as_of": "2024-06-30"}),
            ("tenders", {"status": "active", "currency": "ZAR", "min_value": "300"}),
            ("tenders", {"ocid": "o-1"}),
            *(("tender_process", {"ocid": f"o-{number}"}) for number in (*PROCESSES, 99)),
            ("tender_parties", {}),
            ("tender_parties", {"country": "ZA"}),
            ("tender_parties", {"order": "releases"}),
            ("tender_parties", {"order": "releases", "country": "ZA"}),
            ("tender_parties", {"as_of": "2024-06-30"}),
            ("tender_parties", {"order": "releases", "country": "ZA", "as_of": "2024-06-30"}),
            ("macro", {}),
            ("macro", {"country": "KEN"}),
            ("macro", {"indicator": INFLATION[0]}),
            ("macro", {"series": "CPI.KEN"}),
            ("macro", {"series": "CPI.KEN", "as_of": "2024-02-01"}),
            ("macro", {"country": "KEN", "as_of": "2025-01-01"}),
            ("macro", {"as_of": "2025-01-01"}),
            ("macro", {"series": f"CPI.KEN,FX.NO.NE,WB.{GDP[0]}.KEN", "vintages": "all"}),
            ("macro", {"series": "CPI.KEN", "country": "KEN"}),
            ("macro", {"country": "KEN,UGA", "indicator": f"{GDP[0]},{INFLATION[0]}"}),
            ("shared_facts", {"country": "KEN", "dataset": "AF-MACRO"}),
            ("shared_facts", {"country": "ZAF", "dataset": "AF-TENDER"}),
            ("procurement_demand", {}),
            ("procurement_demand", {"country": "KE"}),
            ("editions", {}),
            ("changes", {}),
            ("changes", {"since": 1, "dataset": "AF-FUND"}),
            ("export", {}),
            ("export_open", {}),
        ]
