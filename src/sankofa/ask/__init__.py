"""Endpoint declarations and strict parameters, shared by every surface. No HTTP."""
