"""Portals: fetch documents from where a source publishes them."""
