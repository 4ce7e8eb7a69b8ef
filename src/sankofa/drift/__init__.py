"""Drift: what a document changes is compared with what is usual; beyond the bounds it waits for somebody."""
