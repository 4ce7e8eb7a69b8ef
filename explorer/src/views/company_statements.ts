// Statements as a table: line items by period, as known on the day of the slider. A cell opens its history.

import { actions } from "../actions.ts";
import { text, type Row } from "../api.ts";
import { days, knownOn, type Figure } from "../as_of.ts";
import { inFull, inShort, type Day } from "../dates.ts";
import { choice, el, field, fill, type Child } from "../dom.ts";
import { byStatement, sectionOf } from "../line_items.ts";
import { exactly, forPeople } from "../numbers.ts";
import { kind, start } from "../periods.ts";
import { restatements } from "../restatements.ts";
import { choiceParam, href } from "../route.ts";
import { cut } from "../states.ts";
import { periodGroup, readable } from "../words.ts";
import { figureHistory } from "./company_figure.ts";
import type { Context, Tab } from "./company_tab.ts";

const NONE = "–";

interface Line {
  item: string;
  unit: string;
  cells: Map<string, Figure>;
}

export function statementsTab(context: Context): Tab {
  const { company, place, name } = context;
  const { route } = place;
  const all = company.figures;
  const items = [...new Set(all.map((one) => one.lineItem))].sort(byStatement);
  const item = choiceParam(route, "item", items) ?? (items.includes("revenue") ? "revenue" : items[0] ?? "");
  const ofItem = all.filter((one) => one.lineItem === item);
  choiceParam(route, "period", ofItem.map((one) => one.period));
  let chosen = start(ofItem, route.params["period"]);
  let group = periodGroup(kind(chosen));
  let day = context.day;

  const groups = [...new Set(all.map((one) => periodGroup(kind(one))))].sort((a, b) => rank(a) - rank(b));
  const currency = mostCommon(all.map((one) => text(one.vintages[0]?.["currency_reported"])));
  const history = figureHistory({ ...context, figures: all, chose: (figure) => choose(figure, true) });
  const body = el("div", { class: "scroll statement", tabindex: "0", role: "region", "aria-label": "Statements" });
  const heading = el("h2", { id: "statement-title" });
  const buttons = new Map<Figure, HTMLButtonElement>();
  const element = el(
    "div",
    { class: "company-body" },
    el(
      "section",
      { class: "card", "aria-labelledby": "statement-title" },
      el(
        "div",
        { class: "card-head" },
        el("div", {}, heading, el("p", { class: "hint" }, `${currency ? `In ${currency} unless another unit is named. ` : ""}Select a value for its history and its source.`)),
        groups.length > 1 && field("Periods", choice(groups.map((value) => ({ value, label: value })), group, takeGroup)),
      ),
      body,
      el("p", { class: "marks" }, el("span", { class: "mark-restated" }, "restated before this day"), el("span", { class: "mark-later" }, "restated later")),
      el("div", { class: "card-foot" }, actions(taken), more()),
    ),
    history.element,
  );
  draw();
  choose(chosen);
  return { element, moved, calls: history.calls };

  function takeGroup(value: string): void {
    group = value;
    draw();
    const first = ofGroup().filter((one) => one.lineItem === chosen.lineItem);
    choose(first.length > 0 ? start(first) : start(ofGroup()), true);
  }

  function ofGroup(): Figure[] {
    return all.filter((one) => periodGroup(kind(one)) === group);
  }

  function choose(figure: Figure, step = false): void {
    buttons.get(chosen)?.removeAttribute("aria-pressed");
    if (periodGroup(kind(figure)) !== group) {
      group = periodGroup(kind(figure));
      draw();
    }
    chosen = figure;
    buttons.get(chosen)?.setAttribute("aria-pressed", "true");
    context.stops(days(chosen.vintages));
    history.show(chosen, day);
    context.note({ item: chosen.lineItem, period: chosen.period }, step);
    if (step && matchMedia("(max-width: 64rem)").matches) history.element.scrollIntoView();
  }

  function moved(to: Day): void {
    day = to;
    heading.textContent = `Reported by ${inFull(day)}`;
    for (const [figure, button] of buttons) fillCell(button, figure, day);
    history.moved(day);
  }

  /** Build the table of the chosen kind of periods; the slider then only changes its cells. */
  function draw(): void {
    const { columns, lines } = layout(ofGroup());
    buttons.clear();
    fill(
      body,
      el(
        "table",
        {},
        el("caption", { class: "offscreen" }, `Statements of ${name}`),
        el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Line item"), columns.map((column) => el("th", { scope: "col", class: "number" }, column.name, el("span", { class: "period-end" }, inShort(column.end)))))),
        sections(lines).map(([section, held]) =>
          el(
            "tbody",
            {},
            el("tr", { class: "section" }, el("th", { scope: "colgroup", colspan: columns.length + 1 }, section)),
            held.map((line) => el("tr", {}, el("th", { scope: "row" }, readable(line.item), line.unit !== currency && el("span", { class: "quiet" }, ` ${line.unit}`)), columns.map((column) => el("td", { class: "number" }, cell(line.cells.get(column.key)))))),
          ),
        ),
      ),
    );
    moved(day);
    buttons.get(chosen)?.setAttribute("aria-pressed", "true");
  }

  function cell(figure: Figure | undefined): Child {
    if (!figure) return el("span", { class: "quiet", title: "Not reported" }, NONE);
    const button = el("button", { type: "button", class: "cell", onclick: () => choose(figure, true) });
    buttons.set(figure, button);
    return button;
  }

  function taken() {
    const { columns, lines } = layout(ofGroup());
    const rows = lines.map((line) => [line.item, line.unit, ...columns.map((column) => value(line.cells.get(column.key), day))]);
    return {
      title: `${name}: statements, as known on ${inFull(day)}`,
      calls: history.calls(day),
      table: { head: ["line_item", "unit", ...columns.map((column) => column.name)], rows },
      chart: history.chart,
    };
  }

  function more(): Child {
    const { lines, years } = company.partial;
    if (!lines && !years) return null;
    const link = href("company", company.id, { ...route.params, lines: "all" });
    return el("div", {}, cut(`Shown: ${lines ? "key line items" : "all line items"}${years ? " of recent years" : ""}.`), lines && el("a", { class: "button", href: link }, "Show all line items"));
  }
}

function value(figure: Figure | undefined, day: Day): string {
  return text(figure && knownOn(figure.vintages, day)?.["value_reported"]);
}

function fillCell(button: HTMLButtonElement, figure: Figure, day: Day): void {
  const standing = knownOn(figure.vintages, day);
  const digits = text(standing?.["value_reported"]);
  const unit = text(figure.vintages[0]?.["unit"]);
  const later = restatements([figure]).find((one) => one.day > day);
  const restated = standing !== null && figure.vintages.indexOf(standing) > 0;
  const label = digits ? exactly(digits, unit) : "Not public on this day";
  const mark = restated ? ", restated" : digits && later ? ", restated later" : "";
  fill(button, el("data", { class: "exact", value: digits }, digits ? forPeople(digits) : NONE), mark && el("span", { class: "offscreen" }, mark));
  button.classList.toggle("restated", restated);
  button.classList.toggle("later", digits !== "" && !restated && later !== undefined);
  button.classList.toggle("none", digits === "");
  button.title = [label, restated && `restated on ${inFull(text(standing?.["available_at"]))}`, digits && later && `restated later, on ${inFull(later.day)}`].filter(Boolean).join("; ");
}

/** Arrange figures as lines and columns, the newest period first. */
function layout(figures: Figure[]): { columns: { key: string; name: string; end: Day }[]; lines: Line[] } {
  const columns = new Map<string, { key: string; name: string; end: Day }>();
  const lines = new Map<string, Line>();
  for (const figure of figures) {
    const row: Row = figure.vintages.at(-1) ?? {};
    const [end, year, type, unit] = [text(row["period_end"]), text(row["fiscal_year"]), kind(figure), text(row["unit"])];
    const key = `${end} ${type}`;
    columns.set(key, { key, name: year ? `${type} ${year}` : inShort(end), end });
    const id = `${figure.lineItem} ${unit} ${text(row["scope"])}`;
    const line = lines.get(id) ?? { item: figure.lineItem, unit, cells: new Map<string, Figure>() };
    lines.set(id, line);
    const held = line.cells.get(key);
    // Two spans may end on one day: the one that was reported first is that of the fiscal period.
    if (!held || text(held.vintages[0]?.["available_at"]) > text(figure.vintages[0]?.["available_at"])) line.cells.set(key, figure);
  }
  return {
    columns: [...columns.values()].sort((a, b) => b.end.localeCompare(a.end) || a.name.localeCompare(b.name)),
    lines: [...lines.values()].sort((a, b) => byStatement(a.item, b.item) || a.unit.localeCompare(b.unit)),
  };
}

function sections(lines: Line[]): [string, Line[]][] {
  const found = new Map<string, Line[]>();
  for (const line of lines) found.set(sectionOf(line.item), [...(found.get(sectionOf(line.item)) ?? []), line]);
  return [...found];
}

function mostCommon(values: string[]): string {
  const counts = new Map<string, number>();
  for (const one of values) if (one) counts.set(one, (counts.get(one) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? "";
}

function rank(group: string): number {
  return ["Full years", "Half years", "Quarters", "Nine months"].indexOf(group) + 1 || 9;
}
