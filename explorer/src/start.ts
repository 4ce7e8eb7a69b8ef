// The company that a newcomer sees first.

import { ask, Problem } from "./api.ts";

// The company of the examples in the docs. Only an installation with the demo data has it.
const EXAMPLE = "DCHFPV9ZRN9Z1AW";

/** Return the id of the example, or "" if this installation does not have it. */
export async function startCompany(): Promise<string> {
  try {
    await ask(`/v1/entities/${EXAMPLE}`);
    return EXAMPLE;
  } catch (error) {
    if (error instanceof Problem && error.status === 404) return "";
    throw error;
  }
}
