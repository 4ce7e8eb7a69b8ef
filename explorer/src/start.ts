// Where a newcomer begins: with an issuer that has something to tell.

import { ask, Problem, text } from "./api.ts";

// The issuer of the examples in the docs. Only an installation with the demo data has it.
const EXAMPLE = "DCHFPV9ZRN9Z1AW";

/** Return the example, or else the first issuer that restated a value, or else the first of a ranking. */
export async function startIssuer(): Promise<string> {
  try {
    await ask(`/v1/entities/${EXAMPLE}`);
    return EXAMPLE;
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 404) throw error;
  }
  const restated = await ask("/v1/changes", { dataset: "AF-FUND", reason: "restated" });
  const first = restated.rows[0] ?? (await ask("/v1/screen", { metric: "asset_growth" })).rows[0];
  return text(first?.["service_id"]);
}
