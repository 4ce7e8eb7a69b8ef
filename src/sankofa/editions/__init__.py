"""Editions: numbered, immutable publishes of everything servable, and the one writer that makes them."""
