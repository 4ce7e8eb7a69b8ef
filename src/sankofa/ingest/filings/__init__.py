"""Filings: the facts of one issuer's report, with the day it became public."""
