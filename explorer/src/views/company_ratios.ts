// The ratios of a company as they could be computed on the day, from the figures known then.

import { actions } from "../actions.ts";
import { ask, text, type Row } from "../api.ts";
import { inFull, inShort, type Day } from "../dates.ts";
import { el, fill } from "../dom.ts";
import { isSandbox } from "../key.ts";
import { metricUnit, number } from "../numbers.ts";
import { cut, empty, problem, reading } from "../states.ts";
import { table } from "../table.ts";
import { readable } from "../words.ts";
import type { Context, Tab } from "./company_tab.ts";

const YEARS = "3"; // a page of 100 rows holds all ratios of three years

export function ratiosTab({ place, company, day, name }: Context): Tab {
  const result = el("div", { class: "result", "aria-live": "polite" }, reading("the ratios"));
  const heading = el("h2", { id: "ratios-title" });
  let rows: Row[] = [];
  let shown = day;
  const element = el(
    "section",
    { class: "card", "aria-labelledby": "ratios-title" },
    heading,
    el("p", { class: "hint" }, "Computed from the figures that were public on the day. ", el("a", { href: "/docs/methodology/metrics/" }, "Formulas"), "."),
    result,
  );
  return { element, moved: (to) => (heading.textContent = `Ratios as known on ${inFull(to)}`), settled: (to) => void settled(to), calls: (on) => [call(on)] };

  function call(on: Day) {
    const years = isSandbox() ? undefined : YEARS;
    return { says: `Ratios as known on ${inShort(on)}`, path: `/v1/metrics/${company.id}`, params: { as_of: on, basis: "as_known", years, edition: company.edition } };
  }

  async function settled(to: Day): Promise<void> {
    shown = to;
    heading.textContent = `Ratios as known on ${inFull(to)}`;
    const { path, params } = call(to);
    try {
      const answer = await ask(path, params);
      if (!place.alive() || shown !== to) return;
      rows = answer.rows;
      show(answer.truncated);
    } catch (error) {
      if (place.alive() && shown === to) fill(result, problem(error, () => void settled(to)));
    }
  }

  function show(truncated: boolean): void {
    if (rows.length === 0) return fill(result, empty("No ratio can be computed on this day", "No full year with the figures that the formulas need was public yet. Choose a later day."));
    const years = [...new Set(rows.map((row) => text(row["period_end"])))].sort().reverse();
    const metrics = [...new Set(rows.map((row) => text(row["metric"])))];
    const find = (metric: string, end: string) => rows.find((row) => text(row["metric"]) === metric && text(row["period_end"]) === end);
    fill(
      result,
      table(
        `Ratios of ${name}`,
        [
          { head: "Ratio", cell: (metric: string) => el("a", { href: `/docs/methodology/metrics/#${metric}` }, readable(metric)) },
          ...years.map((end) => ({ head: `Year to ${inShort(end)}`, number: true, cell: (metric: string) => cell(metric, find(metric, end)) })),
        ],
        metrics,
      ),
      truncated && cut(`Shown: the first ${rows.length} values.`),
      actions(() => ({
        title: `${name}: ratios, as known on ${inFull(shown)}`,
        calls: [call(shown)],
        table: { head: ["metric", ...years], rows: metrics.map((metric) => [metric, ...years.map((end) => text(find(metric, end)?.["value"]))]) },
      })),
    );
  }
}

function cell(metric: string, row: Row | undefined) {
  if (!row) return el("span", { class: "quiet" }, "–");
  const shown = number(text(row["value"]), metricUnit(metric));
  return row["revised_later"] === true ? el("span", { class: "later", title: "An input was restated later" }, shown) : shown;
}
