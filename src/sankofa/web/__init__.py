"""HTTP, and only here: envelopes, problem documents and the routes made from endpoint declarations."""
