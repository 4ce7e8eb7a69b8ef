"""Metrics for Prometheus, and the access log."""
