// The history of one value: what was known on the day, each vintage with its source, and the chart of all periods.

import { actions } from "../actions.ts";
import { address, text, type Row } from "../api.ts";
import { knownOn, type Figure } from "../as_of.ts";
import type { Call } from "../calls.ts";
import { inFull, inShort, type Day } from "../dates.ts";
import { el } from "../dom.ts";
import { bigFigure } from "../figure.ts";
import { kind, periodName } from "../periods.ts";
import { href } from "../route.ts";
import { stepChart } from "../step_chart.ts";
import { vintageList } from "../vintages.ts";
import { readable } from "../words.ts";
import type { Context } from "./company_tab.ts";

export interface FigureHistory {
  element: HTMLElement;
  chart: HTMLElement;
  show: (figure: Figure, day: Day) => void;
  moved: (day: Day) => void;
  calls: (day: Day) => Call[];
}

export function figureHistory(context: Context & { figures: Figure[]; chose: (figure: Figure) => void }): FigureHistory {
  const { company, figures, name } = context;
  const { id, edition, first, last } = company;
  let figure: Figure | undefined;
  let day = context.day;

  const title = el("h2", { class: "figure-title" });
  const big = bigFigure();
  const list = vintageList();
  const chart = stepChart({
    first,
    last,
    day,
    lines: [],
    track: el("div"),
    opened: (row) => (figure?.vintages.includes(row) ? list.open(row) : open(row)),
    scrubbed: context.move,
  });
  const element = el(
    "section",
    { class: "card history", "aria-label": "History of the chosen value" },
    title,
    big.element,
    chart.element,
    el("p", { class: "hint" }, "Each line is one period. It begins on the day the value became public and steps where it was restated. Drag to move the day."),
    actions(() => ({ title: `${name}: ${title.textContent ?? ""}, as known on ${inFull(day)}`, calls: calls(day).slice(0, 1), table: table(), chart: chart.element })),
    el("h3", {}, "Every vintage"),
    list.element,
  );
  return { element, chart: chart.element, show, moved, calls };

  function show(next: Figure, on: Day): void {
    figure = next;
    const same = figures.filter((one) => one.lineItem === next.lineItem && kind(one) === kind(next));
    title.textContent = `${readable(next.lineItem)}, ${periodName(next.vintages.at(-1) ?? {})}`;
    chart.show(same.map((one) => ({ vintages: one.vintages, chosen: one === next, name: text(one.vintages[0]?.["fiscal_year"]) })));
    list.show(next.vintages, links);
    moved(on);
  }

  function moved(to: Day): void {
    day = to;
    if (!figure) return;
    const { vintages } = figure;
    const standing = knownOn(vintages, day);
    chart.veil(day);
    big.show(standing, day, vintages.length, !standing && text(vintages[0]?.["available_at"]) <= day);
    list.mark(day, standing);
  }

  function open(row: Row): void {
    const other = figures.find((one) => one.vintages.includes(row));
    if (other) context.chose(other);
  }

  function table() {
    const columns = ["vintage", "value_reported", "unit", "available_at", "known_until", "form", "filing_id", "source_ref", "license_class", "fact_id"];
    return { head: columns, rows: (figure?.vintages ?? []).map((row) => columns.map((column) => text(row[column]))) };
  }

  function links(row: Row): { page: string; rest: string } {
    const on = text(row["available_at"]);
    return {
      page: href("company", id, { item: figure?.lineItem, period: figure?.period, as_of: on, edition }),
      rest: address("/v1/shared/facts", { entity_id: id, measure: figure?.lineItem, as_of: on, edition }),
    };
  }

  function calls(on: Day): Call[] {
    const asked = {
      line_item: figure?.lineItem,
      period_type: text(figure?.vintages[0]?.["period_type"]) || undefined,
      as_of: on,
      edition,
    };
    return [
      { says: `${readable(figure?.lineItem ?? "")}, as known on ${inShort(on)}`, path: `/v1/fundamentals/${id}`, params: asked },
      { says: "Every vintage of every value", path: `/v1/fundamentals/${id}`, params: { ...company.asked, edition } },
    ];
  }
}
