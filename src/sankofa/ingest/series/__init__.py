"""Series: rates, prices and indicators, as their publishers state them."""
