// What codes mean, in words for people.

const COUNTRIES = new Intl.DisplayNames("en", { type: "region", fallback: "none" });

export function countryName(code: string): string {
  if (code === "none") return "Country not known";
  try {
    return COUNTRIES.of(code.slice(0, 2)) ?? code;
  } catch {
    return code;
  }
}

const SPELLED: Record<string, string> = { eps: "EPS", ebitda: "EBITDA", capex: "capital expenditure", lei: "LEI", fx: "FX" };

/** cost_of_sales becomes "Cost of sales". */
export function readable(key: string): string {
  const words = key.split(/[_-]/).map((word) => SPELLED[word] ?? word);
  const said = words.join(" ");
  return said.charAt(0).toUpperCase() + said.slice(1);
}

export const BASES: Record<string, string> = {
  filing: "stamped by a regulator or portal",
  publisher: "the publisher's own release date",
  first_seen: "the day we first fetched it",
};

export const ABSENCES: Record<string, string> = {
  revised_after_as_of: "The year was revised after this date, so its value then is not known exactly",
  completed_after_as_of: "A part of the year was filed only after this date",
  input_missing: "A figure that the formula needs was not reported",
  not_published: "No full year had been published by this date",
  not_full_year: "The period is not a full year",
  period_too_old: "The year ended too long before this date",
};

export const EVIDENCE: Record<string, string> = {
  filer: "files accounts with a regulator",
  legal_form: "its name holds a legal form",
  lei: "has a legal entity identifier",
  listing: "is listed on an exchange",
  registry: "stands in a company register",
  buyer_role: "buys on a portal of public tenders",
  public_body: "is a public body",
  public_body_words: "is named as a public body is",
};

export const IDENTIFIERS: Record<string, string> = {
  lei: "Legal entity identifier",
  ticker: "Ticker",
  isin: "ISIN",
  figi: "FIGI",
  registry: "Registry number",
  aggregator: "Aggregator id",
};

export const REASONS: Record<string, string> = {
  added: "Known for the first time",
  restated: "A later report gave another value",
  renumbered: "An older document came in, so vintages count anew",
  corrected: "We read the document better",
  merged: "Two ids turned out to be one organisation",
  withdrawn: "Taken back, or taken down",
};

export const DATASETS: Record<string, string> = {
  "AF-FUND": "Fundamentals",
  "AF-MACRO": "Macro",
  "AF-TENDER": "Tenders",
};

const TYPES: Record<string, string> = { FY: "Full years", H1: "Half years", H2: "Half years", "9M": "Nine months", TTM: "Trailing twelve months" };

export function periodGroup(type: string): string {
  return TYPES[type] ?? (type.startsWith("Q") ? "Quarters" : "Other periods");
}
