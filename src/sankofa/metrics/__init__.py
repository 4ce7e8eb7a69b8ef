"""Metrics: ratios of what issuers reported, exact and without look-ahead, and who ranks where by one."""
