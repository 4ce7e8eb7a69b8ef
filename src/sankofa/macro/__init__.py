"""Macroeconomic series: what statistical offices and central banks state, with every revision kept."""
