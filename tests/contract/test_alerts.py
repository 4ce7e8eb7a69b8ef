"""OPS-23: alerts, the dashboard and runbooks agree with the metrics and commands that there are."""

from __future__ import annotations

import json
import re
import subprocess

import pytest
import yaml

from dev import monitoring_files
from sankofa.surfaces.cli import MODULES
from sankofa.surfaces.monitoring.declared import METRICS
from support.repository import ROOT

FOLDER = ROOT / "deploy" / "monitoring"
RUNBOOKS = ROOT / "docs" / "operations" / "runbooks.md"
DECLARED = {name for metric in METRICS for name in metric.samples}


def alerts():
    rules = yaml.safe_load((FOLDER / "alerts.yaml").read_text(encoding="utf-8"))
    return [rule for group in rules["groups"] for rule in group["rules"]]


def metrics_of(expression):
    return set(re.findall(r"\b(?:sankofa_\w+|up)\b", expression))


@pytest.mark.proves("OPS-23")
def test_every_alert_names_declared_metrics_and_has_its_section_in_the_runbooks():
    sections = re.findall(r"^## (\w+)$", RUNBOOKS.read_text(encoding="utf-8"), re.MULTILINE)
    assert [rule["alert"] for rule in alerts()] == sections
    for rule in alerts():
        assert metrics_of(rule["expr"])
        assert metrics_of(rule["expr"]) <= DECLARED | {"up"}, rule["alert"]
        assert rule["annotations"]["runbook"] == f"/docs/operations/runbooks/#{rule['alert'].lower()}"
        assert rule["labels"]["severity"] in ("page", "ticket")


@pytest.mark.proves("OPS-23")
def test_runbooks_name_commands_that_there_are():
    named = re.findall(r"`sankofa ([\w-]+)", RUNBOOKS.read_text(encoding="utf-8"))
    assert len(named) > 20
    assert set(named) <= set(MODULES)


@pytest.mark.proves("OPS-23")
@pytest.mark.parametrize(
    "arguments",
    [
        ("check", "rules", "alerts.yaml"),
        ("test", "rules", "alerts_test.yaml"),
        ("check", "config", "prometheus.yaml"),
    ],
    ids=" ".join,
)
def test_prometheus_accepts_the_rules_and_they_fire_as_they_should(arguments):
    done = subprocess.run(["promtool", *arguments], cwd=FOLDER, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.proves("OPS-23")
def test_the_dashboard_and_the_page_show_every_metric():
    assert monitoring_files.DASHBOARD.read_text(encoding="utf-8") == monitoring_files.dashboard(), (
        "run: python -m dev monitoring"
    )
    assert monitoring_files.PAGE.read_text(encoding="utf-8") == monitoring_files.metrics_page(), (
        "run: python -m dev monitoring"
    )
    panels = json.loads(monitoring_files.dashboard())["panels"]
    shown = set().union(*(metrics_of(panel["targets"][0]["expr"]) for panel in panels))
    assert shown <= DECLARED
    assert len(panels) == len(METRICS)
    assert [metric.name for metric in METRICS if not metric.samples & metrics_of(metric.panel)] == []


@pytest.mark.proves("OPS-20")
def test_no_two_metrics_have_one_name_and_each_is_explained():
    assert len({metric.name for metric in METRICS}) == len(METRICS)
    assert [metric.name for metric in METRICS if not metric.help.endswith(".")] == []
