"""Public tenders: what portals released about contracting processes, release by release."""
