// Which line item and period a view begins with, and how periods are called.

import { text, type Row } from "./api.ts";
import type { Figure } from "./as_of.ts";
import { inShort } from "./dates.ts";
import { periodGroup } from "./words.ts";

export function pick(options: string[], wanted: string | undefined, otherwise: string): string {
  return wanted && options.includes(wanted) ? wanted : otherwise;
}

/** Begin with the period that is asked for, or with the one that has most to tell. */
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

export function option(figure: Figure) {
  const row = figure.vintages[0] ?? {};
  const restated = figure.vintages.length > 1 ? ` (${figure.vintages.length} vintages)` : "";
  return { value: figure.period, label: `${periodName(row)}${restated}`, group: periodGroup(kind(figure)) };
}

export function periodName(row: Row): string {
  const [type, year, from, to] = ["period_type", "fiscal_year", "period_start", "period_end"].map((name) => text(row[name]));
  if (type && year) return `${type} ${year}, ${from ? "to" : "on"} ${inShort(to ?? "")}`;
  return from ? `${inShort(from)} to ${inShort(to ?? "")}` : `on ${inShort(to ?? "")}`;
}
