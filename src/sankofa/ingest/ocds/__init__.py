"""OCDS releases: what portals publish about tenders."""
