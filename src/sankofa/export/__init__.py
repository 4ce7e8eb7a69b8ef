"""Exports: Parquet files of panels and of whole datasets, each written once and listed by editions."""
