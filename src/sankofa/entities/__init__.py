"""Organisations: identity, identifiers, and the check that no natural person is served."""
