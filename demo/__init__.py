"""The demo world: invented issuers and their filings, written as documents in the outside formats.

Nothing here knows the service: demo data enters through the same door as real data.
"""
