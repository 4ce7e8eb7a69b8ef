"""What the releases left behind."""
