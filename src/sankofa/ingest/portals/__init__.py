"""Portals: documents that are fetched from where a source publishes them."""
