// Fields with exact decimals. Made by `generate.py` from the OpenAPI page: do not edit.

export const DECIMALS: ReadonlySet<string> = new Set([
  "amount",
  "buyer_concentration",
  "category_share",
  "concentration_by_count",
  "concentration_by_value",
  "extraction_confidence",
  "floor",
  "mapped_facts",
  "median_days",
  "median_value",
  "momentum",
  "new_value",
  "old_value",
  "previous_value",
  "single_bidder_share",
  "total_value",
  "value",
  "value_reported",
]);
