"""Signals: monthly panels computed from events of contracting processes."""
