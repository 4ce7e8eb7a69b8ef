"""The page on metrics and the Grafana dashboard, made from the declared metrics."""

import json

from dev.stack import ROOT
from sankofa.surfaces.monitoring.declared import BUCKETS, METRICS, Kind, Metric, Part

PAGE = ROOT / "docs" / "operations" / "metrics.md"
DASHBOARD = ROOT / "deploy" / "monitoring" / "dashboard.json"
_TITLES = {
    Part.API: "`sankofa serve`",
    Part.EDITIONS: "`sankofa work metrics` with the publish login",
    Part.FEEDS: "`sankofa work metrics` with the ingest login",
    Part.EVERY: "`sankofa work metrics` with either login",
}
_TEXT = ROOT / "dev" / "metrics_page.txt"
_WIDTH, _HEIGHT, _COLUMNS = 8, 7, 3


def metrics_page() -> str:
    """Return the page that describes every metric."""
    parts = "".join(_part(part) for part in _TITLES)
    buckets = ", ".join(f"{bound:g}" for bound in BUCKETS)
    return _TEXT.read_text(encoding="utf-8").replace("%parts%", parts).replace("%buckets%", buckets)


def _part(part: Part) -> str:
    rows = [_row(metric) for metric in METRICS if metric.part is part]
    heading = f"\n### {_TITLES[part]}\n\n| metric | type | labels | meaning |\n|---|---|---|---|\n"
    return heading + "\n".join(rows) + "\n"


def _row(metric: Metric) -> str:
    name = metric.name + ("_total" if metric.kind is Kind.COUNTER else "")
    labels = ", ".join(f"`{label}`" for label in metric.labels)
    return f"| `{name}` | {metric.kind} | {labels} | {metric.help} |"


def dashboard() -> str:
    """Return the dashboard: one panel for each metric."""
    panels = [_panel(number, metric) for number, metric in enumerate(METRICS)]
    document = {
        "title": "Sankofa",
        "uid": "sankofa",
        "schemaVersion": 39,
        "time": {"from": "now-6h", "to": "now"},
        "refresh": "30s",
        "templating": {"list": [{"name": "source", "type": "datasource", "query": "prometheus"}]},
        "panels": panels,
    }
    return json.dumps(document, indent=2) + "\n"


def _panel(number: int, metric: Metric) -> dict[str, object]:
    row, column = divmod(number, _COLUMNS)
    return {
        "id": number + 1,
        "type": "timeseries",
        "title": metric.name.removeprefix("sankofa_").replace("_", " "),
        "description": metric.help,
        "datasource": {"type": "prometheus", "uid": "${source}"},
        "targets": [{"refId": "A", "expr": metric.panel}],
        "fieldConfig": {"defaults": {"unit": metric.unit}, "overrides": []},
        "gridPos": {"x": column * _WIDTH, "y": row * _HEIGHT, "w": _WIDTH, "h": _HEIGHT},
    }
