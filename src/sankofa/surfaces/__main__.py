"""`python -m sankofa.surfaces` is the command line, wherever the package is importable."""

from sankofa.surfaces.cli import app

app()
