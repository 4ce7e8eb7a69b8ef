"""Shared facts: the values of every dataset in one shape, by organisation or country."""
