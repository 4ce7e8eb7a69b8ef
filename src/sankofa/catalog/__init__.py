"""The catalogue: the keys that endpoints accept, their definitions and their coverage."""
