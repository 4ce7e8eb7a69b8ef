"""Ingestion: archive documents, parse them, and append them to the ledger."""
