// Signals: what a country's public bodies ask for, who wins and how long it takes, by month.

import { actions } from "../actions.ts";
import { ask, text, walk, type Params, type Row } from "../api.ts";
import { showBehind } from "../behind.ts";
import { monthEnd, monthInFull } from "../dates.ts";
import { choice, el, field, fill } from "../dom.ts";
import { lineChart } from "../line_chart.ts";
import { exactly, number } from "../numbers.ts";
import { choiceParam, go, href } from "../route.ts";
import { cut, empty } from "../states.ts";
import { table } from "../table.ts";
import { countryName, readable } from "../words.ts";
import type { Place } from "../view.ts";

const FIRST = "procurement-demand";
const MOST_PAGES = 2;
// The field counts contracting processes, each once.
const NAMES: Record<string, string> = { releases: "processes" };
// Columns of a signal that are not its numbers.
const LABELS = new Set(["country", "category", "currency", "month", "methodology_ref", "source_ref", "license_class", "observed_at"]);

export async function signals(place: Place): Promise<void> {
  const { params } = place.route;
  const { edition } = params;
  const listed = (await ask("/v1/catalog/signals", { edition })).rows;
  if (!place.alive()) return;
  const wanted = choiceParam(place.route, "signal", listed.map((row) => text(row["key"]))) ?? FIRST;
  const signal = listed.find((row) => text(row["key"]) === wanted) ?? listed[0];
  const countries = Object.keys((signal?.["coverage"] ?? {}) as Row).sort();
  const country = choiceParam(place.route, "country", countries) ?? countries[0];
  if (!signal || !country) return fill(place.root, empty("No signal is published yet", "Signals are computed from tenders. Load releases, then publish."));
  const key = text(signal["key"]);
  const asked: Params = { country, category: params["category"], currency: params["currency"], edition };
  const read = await walk(`/v1/signals/${key}`, asked, { most: MOST_PAGES });
  if (!place.alive()) return;
  place.title(`${readable(key)}, ${countryName(country)}`);
  const to = (changed: Record<string, string>) => go(href("signals", "", { signal: key, country, category: params["category"], currency: params["currency"], measure: params["measure"], edition, ...changed }));
  const calls = [{ says: `${readable(key)} of ${countryName(country)}, by month`, path: `/v1/signals/${key}`, params: asked }];
  showBehind(calls);
  const newest = read.rows[0];
  const by = newest && "category" in newest ? "category" : "currency";
  const groups = [...new Set(read.rows.map((row) => text(row[by])))].sort();
  const group = groups.includes(params[by] ?? "") ? params[by] ?? "" : text(newest?.[by]);
  const numbers = Object.keys(newest ?? {}).filter((name) => !LABELS.has(name));
  const measure = numbers.includes(params["measure"] ?? "") ? params["measure"] ?? "" : numbers[0] ?? "";
  const rows = read.rows.filter((row) => text(row[by]) === group && text(row[measure]) !== "");
  const unit = /share|concentration|momentum/.test(measure) ? "share" : measure.endsWith("_value") ? text(newest?.["currency"]) : measure.endsWith("_days") ? "days" : "";
  const called = readable(NAMES[measure] ?? measure);
  const name = `${called}, ${readable(group)}`;
  const chart = lineChart([{ dots: rows.map((row) => ({ day: text(row["month"]), digits: text(row[measure]) })), tone: "now", name }], {
    label: `${name}, by month`,
    xTitle: "month",
    yTitle: [called, unit && unit !== "share" ? unit : ""].filter(Boolean).join(", "),
    unit,
    bars: true,
    called: monthInFull,
    picked: (month) => go(href("tenders", "", { country, category: by === "category" ? group : "", as_of: monthEnd(month), month })),
  });
  fill(
    place.root,
    el("p", { class: "over" }, "Procurement signals"),
    el("h1", {}, `${readable(key)}, ${countryName(country)}`),
    el("p", { class: "lead" }, text(signal["definition"])),
    el(
      "div",
      { class: "controls" },
      field("Country", choice(countries.map((value) => ({ value, label: countryName(value) })), country, (value) => to({ country: value, category: "", currency: "" }))),
      field("Signal", choice(listed.map((row) => ({ value: text(row["key"]), label: readable(text(row["key"])) })), key, (value) => to({ signal: value, measure: "", category: "", currency: "" }))),
      field(readable(by), choice(groups.map((value) => ({ value, label: readable(value) })), group, (value) => to({ [by]: value }))),
      field("Number", choice(numbers.map((value) => ({ value, label: readable(NAMES[value] ?? value) })), measure, (value) => to({ measure: value }))),
    ),
    newest
      ? el("section", { class: "card" }, el("h2", {}, name), rows[0] && el("p", { class: "said" }, el("strong", {}, exactly(text(rows[0][measure]), unit)), ` in ${monthInFull(text(rows[0]["month"]))}, the newest month. Choose a bar to list the tenders that were known at the end of that month.`), chart.element)
      : empty("This signal has no month here", "No release of this kind is held. Choose another category, signal or country."),
    el("details", {}, el("summary", {}, "How this is counted"), el("p", { class: "hint" }, text(signal["formula"]))),
    table(
      name,
      [
        { head: "Month", cell: (row: Row) => monthInFull(text(row["month"])) },
        { head: called, number: true, cell: (row) => number(text(row[measure]), unit) },
      ],
      rows,
    ),
    read.nextCursor && cut(`These are the newest ${read.rows.length} rows of the signal.`),
    actions({ title: `${readable(key)} of ${countryName(country)}`, calls, table: { head: Object.keys(newest ?? {}), rows: read.rows.map((row) => Object.values(row).map((value) => text(value))) }, chart: chart.element }),
  );
}
