// One observation of a series: the path of its value from its first publication to now, with every source.

import { address, text, type Row } from "./api.ts";
import { knownOn } from "./as_of.ts";
import { inFull, inShort, shifted, type Day } from "./dates.ts";
import { el } from "./dom.ts";
import { exactly } from "./numbers.ts";
import { href } from "./route.ts";
import { stepChart } from "./step_chart.ts";
import { vintageList } from "./vintages.ts";

export interface Observation {
  series: string;
  date: Day;
  /** Its vintages with `value_reported` and `unit`, the oldest first. */
  vintages: Row[];
  day: Day;
  last: Day;
  edition: string;
  move: (day: Day) => void;
}

export function observation({ series, date, vintages, day, last, edition, move }: Observation): HTMLElement {
  const list = vintageList();
  list.show(vintages, (row) => ({
    page: href("macro", "", { series, as_of: text(row["available_at"]), edition }),
    rest: address("/v1/macro", { series, from: date, to: date, as_of: text(row["available_at"]), edition }),
  }));
  list.mark(day, knownOn(vintages, day));
  const first = text(vintages[0]?.["available_at"]);
  const chart = stepChart({
    first: shifted(first, -30),
    last,
    day,
    lines: [{ vintages, chosen: true, name: "" }],
    label: `The value for ${inShort(date)} against the day it became public`,
    yTitle: text(vintages[0]?.["unit"]) || "value",
    opened: (row) => list.open(row),
    scrubbed: move,
  });
  return el(
    "section",
    { class: "card" },
    el("h2", { tabindex: "-1" }, `How the value for ${inFull(date)} was revised`),
    el("p", {}, path(vintages)),
    chart.element,
    list.element,
  );
}

function path(vintages: Row[]): string {
  const [first, ...later] = vintages;
  if (!first) return "";
  const told = (row: Row) => exactly(text(row["value_reported"]), text(row["unit"]));
  const began = `First published on ${inFull(text(first["available_at"]))} as ${told(first)}`;
  if (later.length === 0) return `${began}, and never revised.`;
  return `${began}; ${later.map((row) => `revised to ${told(row)} on ${inFull(text(row["available_at"]))}`).join("; ")}.`;
}
