"""The command line, the REST server and MCP, and the only reader of the environment."""
