"""Sixty questions that people ask an agent, with the calls that answer them."""
