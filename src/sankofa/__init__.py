"""Sankofa: point-in-time data that can be queried as of any past date, and cited."""
