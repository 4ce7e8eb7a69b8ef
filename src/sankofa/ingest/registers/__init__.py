"""Registers and lists: organisations with their numbers and names."""
