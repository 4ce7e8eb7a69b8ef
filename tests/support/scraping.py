"""Scrapes of Prometheus, parsed by its own client library."""

from __future__ import annotations

import httpx
from prometheus_client.parser import text_string_to_metric_families


def scrape(port):
    """Return all samples that a process exports: the number by name and labels."""
    text = httpx.get(f"http://127.0.0.1:{port}/metrics", timeout=20).text
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def value(samples, name, **labels):
    """Return the sum of the samples that have these labels."""
    wanted = set(labels.items())
    return sum(number for (one, given), number in samples.items() if one == name and wanted <= set(given))
