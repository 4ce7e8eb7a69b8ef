"""Changes: the feed of rows that editions put and removed, and the differences between two days."""
