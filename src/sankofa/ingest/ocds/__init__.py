"""OCDS releases of tender portals."""
