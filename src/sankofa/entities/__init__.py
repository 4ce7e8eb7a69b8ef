"""Who is who, and who may be shown: organisations, their identifiers, the check that none is a person."""
