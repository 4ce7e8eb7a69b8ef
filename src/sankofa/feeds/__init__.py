"""Feeds: fetch sources when they are due, and publish a run if it meets the expectations."""
