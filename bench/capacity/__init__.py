"""A model of capacity: measured costs, a simulation compared with measured rates, and what follows."""
