"""Who may ask, and how often: keys, tiers, limits."""
