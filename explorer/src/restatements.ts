// Restatements told as a story: on which day, which figures, from which value to which.

import { text, type Row } from "./api.ts";
import type { Figure } from "./as_of.ts";
import type { Day } from "./dates.ts";
import { byStatement } from "./line_items.ts";
import { forPeople } from "./numbers.ts";
import { readable } from "./words.ts";

export interface Restatement {
  day: Day;
  changes: { figure: Figure; before: Row; after: Row }[];
}

/** Return the days on which values known before were replaced by others, the oldest first. */
export function restatements(figures: Figure[]): Restatement[] {
  const found = new Map<Day, Restatement>();
  for (const figure of figures) {
    figure.vintages.forEach((after, at) => {
      const before = figure.vintages[at - 1];
      if (!before || !text(before["value_reported"]) || !text(after["value_reported"])) return;
      const day = text(after["available_at"]);
      const one = found.get(day) ?? { day, changes: [] };
      found.set(day, one);
      one.changes.push({ figure, before, after });
    });
  }
  return [...found.values()].sort((a, b) => a.day.localeCompare(b.day));
}

/** Choose what to tell on a day: the last restatement by then, or else the next one. */
export function nearest(all: Restatement[], day: Day): Restatement | undefined {
  return all.findLast((one) => one.day <= day) ?? all[0];
}

/** Write the changes in words: "revenue for 2022 from 1.15 billion to 1.1 billion KES, and 8 more figures". */
export function inWords({ changes }: Restatement, chosen?: Figure): string {
  const sorted = [...changes].sort((a, b) => Number(b.figure === chosen) - Number(a.figure === chosen) || byStatement(a.figure.lineItem, b.figure.lineItem));
  const told = sorted.slice(0, 2).map(({ figure, before, after }) => {
    const unit = text(after["unit"]);
    const period = text(after["fiscal_year"]) || text(after["period_end"]);
    return `${lower(readable(figure.lineItem))} for ${period} from ${forPeople(text(before["value_reported"]))} to ${forPeople(text(after["value_reported"]), unit)}`;
  });
  const rest = changes.length - told.length;
  if (rest > 0) return `${told.join(", ")}, and ${rest} more ${rest === 1 ? "figure" : "figures"}`;
  return told.join(" and ");
}

function lower(name: string): string {
  return /^[A-Z]{2}/.test(name) ? name : name.charAt(0).toLowerCase() + name.slice(1);
}
