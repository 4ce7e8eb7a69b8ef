"""Peers of the service: two small services over the same facts, written as their users write them."""
