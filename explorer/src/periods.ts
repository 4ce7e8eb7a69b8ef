// Which period a view begins with, and how periods are named.

import { text, type Row } from "./api.ts";
import type { Figure } from "./as_of.ts";
import { inShort } from "./dates.ts";

/** Return the period that is asked for, or else the one that was restated most often. */
export function start(candidates: Figure[], wanted?: string): Figure {
  const found = candidates.find((one) => one.period === wanted);
  if (found) return found;
  const years = candidates.filter((one) => kind(one) === "FY");
  const among = years.length > 0 ? years : candidates;
  return among.reduce((best, one) => (one.vintages.length > best.vintages.length ? one : best));
}

export function kind(figure: Figure): string {
  return text(figure.vintages[0]?.["period_type"]);
}

export function periodName(row: Row): string {
  const [type, year, from, to] = ["period_type", "fiscal_year", "period_start", "period_end"].map((name) => text(row[name]));
  if (type && year) return `${type} ${year}, ${from ? "to" : "on"} ${inShort(to ?? "")}`;
  return from ? `${inShort(from)} to ${inShort(to ?? "")}` : `on ${inShort(to ?? "")}`;
}
