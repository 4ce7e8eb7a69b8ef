"""Parsers of series: rates, prices and indicators."""
