"""Feeds: sources are asked when they are due, and a run is published if it brought what was expected."""
