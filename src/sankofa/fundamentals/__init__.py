"""Company fundamentals: what an issuer reported, filing by filing, with every restatement kept."""
