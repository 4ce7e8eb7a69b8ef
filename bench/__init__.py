"""Measurements, always as ratios to the bare engine, which is measured in the same seconds."""
