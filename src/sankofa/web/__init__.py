"""All of HTTP: envelopes, problem documents and the routes made from endpoint declarations."""
