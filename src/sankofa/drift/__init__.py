"""Drift: the changes of a document are compared with bounds; beyond them it is held for review."""
