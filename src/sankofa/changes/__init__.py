"""What changed: the feed of an edition's puts and removes, and what became known of an issuer in between."""
