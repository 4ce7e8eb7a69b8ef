"""Base of all other packages: error kinds, dataset declarations, deprecations. No input or output."""
