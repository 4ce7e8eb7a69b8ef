"""Bounded readers of bytes: archives, tables and JSON."""
