"""Signals: monthly panels computed from what happened in contracting processes."""
