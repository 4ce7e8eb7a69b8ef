"""The audit: oracle, faults and scale, at full size or small."""
