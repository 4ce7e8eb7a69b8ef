"""The commands of an operator: one file for each duty, loaded when one of its commands is run."""
