"""Registers and lists: who an organisation is, under which numbers and names."""
