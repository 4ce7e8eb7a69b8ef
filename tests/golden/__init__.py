"""An independent reading of what filers state, by the words that they print.

It imports nothing of the service.
"""
