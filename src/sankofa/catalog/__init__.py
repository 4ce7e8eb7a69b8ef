"""The catalogue: what can be asked for, what it means, and how much of it there is."""
