"""Random questions for the Python client: a method and its arguments, and the address that they must mean."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import quote, urlencode

from sankofa.metrics.formulas import BY_SLUG

# Operations whose method has another name; those without rows are proven elsewhere.
RENAMED = {"crosswalk_lookup": "lookup", "quality_metrics": "quality"}
WITHOUT_ROWS = {"export_file", "export_open_file", "health", "status", "freshness", "openapi"}
WITHOUT_ROWS |= {"editions_feed", "dataset_schema", "dataset_croissant"}
DAYS = [
    f"{year}-{month:02}-{day:02}"
    for year in range(2016, 2026)
    for month in (1, 3, 6, 9, 12)
    for day in (1, 15, 28)
]
WRONG = ["", "2024-02-30", "0", "-1", "x", "2999-01-01", "Ω", "a b&c=d", "../x", "%00"]
_CHANCE_OF_EACH = 0.35
_CHANCE_OF_WRONG = 0.08


@dataclass(frozen=True)
class Asked:
    """One question in both languages."""

    method: str
    arguments: dict
    address: str


def values(rng, issuers):
    """Return how a value of each parameter is drawn."""
    days = lambda: rng.choice(DAYS)  # noqa: E731
    return {
        "service_id": lambda: rng.choice([*issuers, "DC0000000000000"]),
        "entity_id": lambda: rng.choice([*issuers, "KEN", "ZAF"]),
        "as_of": days,
        "from_as_of": days,
        "to_as_of": days,
        "from": days,
        "to": days,
        "period_type": lambda: rng.choice(["FY", "fy", "H1", "Q2", "9M", "TTM"]),
        "vintages": lambda: rng.choice(["latest", "as_reported", "all"]),
        "country": lambda: rng.choice(["ZA", "ke", "NG", "KE", "US", "KEN"]),
        "limit": lambda: rng.choice([1, 2, 7, 10, 25, 26, 100, 1_001]),
        "edition": lambda: rng.choice([1, 2, 2, 3]),
        "series": lambda: rng.choice(["CPI.KEN", "FX.EUR.ZAR", "FX.EUR.USD", "none"]),
        "series_type": lambda: rng.choice(["fx", "cpi"]),
        "frequency": lambda: rng.choice(["daily", "monthly"]),
        "indicator": lambda: rng.choice(["NY.GDP.MKTP.CD", "SP.POP.TOTL"]),
        "role": lambda: rng.choice(["buyer", "supplier", "tenderer"]),
        "metric": lambda: rng.choice([*BY_SLUG]),
        "basis": lambda: rng.choice(["exact", "as_known"]),
        "max_age_days": lambda: rng.choice([100, 400, 5_000]),
        "order": lambda: rng.choice(["asc", "desc"]),
        "absent": lambda: rng.choice([True, False]),
        "signal_key": lambda: rng.choice(
            ["procurement-demand", "supplier-concentration", "award-lead-time", "tender-value", "none"]
        ),
        "category": lambda: rng.choice(["goods", "works", "services", "Supplies: General"]),
        "currency": lambda: rng.choice(["ZAR", "KES", "ngn"]),
        "dataset": lambda: rng.choice(["AF-FUND", "AF-TENDER", "AF-MACRO"]),
        "measure": lambda: rng.choice(["revenue", "tender_value", "CPI.KEN"]),
        "id_type": lambda: rng.choice(["ticker", "lei", "isin", "registry"]),
        "id_value": lambda: rng.choice(["XNAI:NYAL", "9999DEMO100000000065", "nobody's", "XJSE:KWZ"]),
        "kind": lambda: rng.choice(["metrics", "line-items", "series", "exchanges", "sources"]),
        "sku": lambda: rng.choice(["AF-FUND", "af-macro", "AF-TENDER", "AF-NONE"]),
        "since": lambda: rng.choice([0, 1, 2]),
        "reason": lambda: rng.choice(["added", "restated", "withdrawn"]),
    }


def questions(page, rng, issuers):
    """Yield random questions to all endpoints of the service's own page; some are wrong."""
    draw = values(rng, issuers)
    operations = [
        (path, item["get"])
        for path, item in page["paths"].items()
        if item["get"]["operationId"] not in WITHOUT_ROWS
    ]
    while True:
        path, operation = rng.choice(operations)
        takes = [each for each in operation["parameters"] if "$ref" not in each and each["name"] != "cursor"]
        sent = {
            each["name"]: draw[each["name"]]()
            for each in takes
            if each["required"] or each["name"].endswith("_as_of") or rng.random() < _CHANCE_OF_EACH
        }
        if rng.random() < _CHANCE_OF_WRONG:
            sent[rng.choice([each["name"] for each in takes])] = rng.choice(WRONG)
        # In the order of the page: of several wrong parameters, a refusal names the first.
        sent = {each["name"]: sent[each["name"]] for each in takes if each["name"] in sent}
        name = operation["operationId"]
        yield Asked(
            RENAMED.get(name, name),
            {"from_" if name == "from" else name: value for name, value in sent.items()},
            address(path, sent, {each["name"] for each in takes if each["in"] == "path"}),
        )


def address(path, sent, in_path):
    """Return the address of a question, put together by hand."""
    texts = {
        name: str(value).lower() if isinstance(value, bool) else str(value) for name, value in sent.items()
    }
    whole = path.format(**{name: quote(texts[name], safe="") for name in in_path})
    query = urlencode([(name, text) for name, text in texts.items() if name not in in_path])
    return f"{whole}?{query}" if query else whole
