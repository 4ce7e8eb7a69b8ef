"""Sankofa: point-in-time data that can be asked as of any past date, and cited."""
