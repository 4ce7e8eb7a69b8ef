"""A private Prometheus with the rules of `deploy/monitoring`, in which a minute lasts a second."""

from __future__ import annotations

import re

import httpx
import yaml

from dev.service import Service
from support.repository import ROOT

FOLDER = ROOT / "deploy" / "monitoring"
DIVISOR = 60
# By job. The metrics of the data are read from PostgreSQL, which takes longer.
SCRAPE_SECONDS = {"sankofa-api": 1, "sankofa-data": 2}
_SECONDS = {"ms": 0.001, "s": 1, "m": 60, "h": 3_600, "": 1}
# A duration, or a limit in seconds: a limit of a count has fewer digits.
_TIME = re.compile(r"\b\d+(?:ms|s|m|h)\b|(?<=> )\d{3,}$")


def times(text):
    """Return the seconds of all times that an expression names."""
    return [_seconds(time) for time in _TIME.findall(text)]


def is_divided(text, other):
    """Return whether a text differs from another in its times alone, each of which is that much shorter."""
    between = map(re.escape, _TIME.split(text))
    found = re.fullmatch(r"([\d.]+(?:ms)?)".join(between), other)
    return bool(found) and [DIVISOR * _seconds(time) for time in found.groups()] == times(text)


def divided(rules):
    """Return rules with every time divided: durations, and thresholds in seconds."""
    return {
        "groups": [
            group
            | {
                "rules": [
                    rule | {key: _divided(rule[key]) for key in _timed(rule)} for rule in group["rules"]
                ]
            }
            for group in rules["groups"]
        ]
    }


def alerts_of(rules):
    """Return the rules by the names of their alerts."""
    return {rule["alert"]: rule for group in rules["groups"] for rule in group["rules"]}


def deployed_rules():
    return yaml.safe_load((FOLDER / "alerts.yaml").read_text(encoding="utf-8"))


def _timed(rule):
    return {"expr", "for"} & rule.keys()


def _divided(text):
    return _TIME.sub(lambda found: _shorter(found[0]), text)


def _shorter(time):
    seconds = _seconds(time) / DIVISOR
    return f"{seconds:g}" if time.isdigit() else f"{seconds * 1000:.0f}ms"


def _seconds(time):
    number, unit = re.fullmatch(r"([\d.]+)(\w*)", time).groups()
    return float(number) * _SECONDS[unit]


class Prometheus(Service):
    """A Prometheus that scrapes processes of this machine, by job of the deployed configuration."""

    program = "prometheus"

    def __init__(self, home, port, targets):
        super().__init__(home, {"prometheus": port})
        self._targets = targets
        self._client = httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=20)

    @property
    def mark(self):
        return f"--storage.tsdb.path={self.home / 'series'}"

    @property
    def command(self):
        port = self.ports["prometheus"]
        file = f"--config.file={self.home / 'prometheus.yaml'}"
        return [self.program, file, self.mark, f"--web.listen-address=127.0.0.1:{port}", "--log.level=warn"]

    def prepare(self):
        self.home.mkdir(parents=True, exist_ok=True)
        self._write("alerts.yaml", divided(deployed_rules()))
        config = yaml.safe_load((FOLDER / "prometheus.yaml").read_text(encoding="utf-8"))
        config["global"] = {"evaluation_interval": "1s"}
        for job in config["scrape_configs"]:
            interval = f"{SCRAPE_SECONDS[job['job_name']]}s"
            job |= {"scrape_interval": interval, "scrape_timeout": interval}
            job["static_configs"] = [{"targets": self._targets[job["job_name"]]}]
        self._write("prometheus.yaml", config)

    def ready(self):
        try:
            return self._client.get("/-/ready").status_code == 200
        except httpx.HTTPError:
            return False

    def state(self, alert):
        """Return whether an alert is `firing`, or `pending`, or None."""
        found = {one["state"] for one in self._alerts() if one["labels"]["alertname"] == alert}
        return "firing" if "firing" in found else next(iter(found), None)

    def firing(self):
        return sorted({one["labels"]["alertname"] for one in self._alerts() if one["state"] == "firing"})

    def close(self):
        self._client.close()
        self.destroy()

    def _alerts(self):
        return self._client.get("/api/v1/alerts").json()["data"]["alerts"]

    def _write(self, name, content):
        (self.home / name).write_text(yaml.safe_dump(content), encoding="utf-8")
