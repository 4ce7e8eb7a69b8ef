"""What can be asked: endpoint declarations and strict parameters. No HTTP; every surface shares it."""
