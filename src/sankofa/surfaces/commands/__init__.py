"""What an operator does: one file for each duty, loaded when one of its commands is asked for."""
