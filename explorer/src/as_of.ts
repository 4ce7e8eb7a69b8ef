// Which vintage was known on a day.

import type { Row } from "./api.ts";
import type { Day } from "./dates.ts";
import { text } from "./api.ts";

/** One line item of one period in one unit, with each value it had, the oldest first. */
export interface Figure {
  lineItem: string;
  /** Names the period and the unit within the line item. */
  period: string;
  vintages: Row[];
}

export function periodOf(row: Row): string {
  return `${text(row["period_start"])}..${text(row["period_end"])}~${text(row["unit"])}`;
}

/** Put the rows of `vintages=all` together by what they are values of. */
export function figures(rows: Row[]): Figure[] {
  const found = new Map<string, Figure>();
  for (const row of rows) {
    const lineItem = text(row["line_item"]);
    const period = periodOf(row);
    const key = `${lineItem} ${period} ${text(row["scope"])}`;
    const figure = found.get(key) ?? { lineItem, period, vintages: [] };
    found.set(key, figure);
    figure.vintages.push(row);
  }
  for (const figure of found.values()) {
    figure.vintages.sort((a, b) => Number(text(a["vintage"])) - Number(text(b["vintage"])));
  }
  return [...found.values()];
}

/** Return the vintage that was the latest known on a day; null before the first, and after a withdrawal. */
export function knownOn(vintages: Row[], day: Day): Row | null {
  return vintages.find((row) => text(row["available_at"]) <= day && !hasEndedBy(row, day)) ?? null;
}

function hasEndedBy(row: Row, day: Day): boolean {
  const until = text(row["known_until"]);
  return until !== "" && until <= day;
}

/** Return the days on which a figure changed, in order and once each. */
export function days(vintages: Row[]): Day[] {
  return [...new Set(vintages.map((row) => text(row["available_at"])))].sort();
}
