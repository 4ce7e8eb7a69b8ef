"""Authentication and rate limits: keys, tiers, limits."""
