"""A publisher to test against: invented sources, served over HTTP, whose days advance on command."""
