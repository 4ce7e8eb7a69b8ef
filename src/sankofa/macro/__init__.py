"""Macroeconomic series of statistical offices and central banks, with every revision."""
