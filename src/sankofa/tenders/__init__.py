"""Public tenders: the releases of portals about contracting processes."""
