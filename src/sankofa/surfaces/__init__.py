"""The doors: the command line and the REST server, and the one reader of the environment."""
