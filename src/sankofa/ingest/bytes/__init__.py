"""Bytes: unpacking, tables and JSON, within bounds."""
