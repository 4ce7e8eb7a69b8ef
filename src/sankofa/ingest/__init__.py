"""The way in: documents are archived, parsed and appended to the ledger, whatever their format."""
