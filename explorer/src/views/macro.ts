// A series as it was known on a day, beside what is known now; and every revision of an observation.

import { actions } from "../actions.ts";
import { ask, text, walk, type Row, type Walk } from "../api.ts";
import { knownOn } from "../as_of.ts";
import { showBehind } from "../behind.ts";
import { catalogPicker } from "../catalog_picker.ts";
import { inFull, inShort, type Day } from "../dates.ts";
import { el, fill } from "../dom.ts";
import { exactly, number } from "../numbers.ts";
import { lineChart, type Curve } from "../line_chart.ts";
import { observation } from "../observation.ts";
import { choiceParam, dayParam, go, href, note } from "../route.ts";
import { catalogName, indicatorName, indicatorOf, seriesName, unitOf } from "../series.ts";
import { asOfControl } from "../slider.ts";
import { cut, empty } from "../states.ts";
import { table } from "../table.ts";
import type { Place } from "../view.ts";

const MOST_PAGES = 2;
const MOST_VINTAGES = 40; // lines of the revision view; more could not be told apart

export async function macro(place: Place): Promise<void> {
  const { params } = place.route;
  const { edition } = params;
  const first = params["series"] ? null : ((await ask("/v1/catalog/series", { edition })).rows[0] ?? null);
  const series = params["series"] ?? text(first?.["key"]);
  if (!series) return fill(place.root, empty("No series is published yet", "Load a series with ", el("code", {}, "sankofa ingest"), ", then publish."));
  const indicator = indicatorOf(series);
  const [read, named] = await Promise.all([
    walk("/v1/macro", { series, vintages: "all", edition }, { most: MOST_PAGES }),
    indicator && indicatorName(indicator.indicator) === indicator.indicator && !first ? ask("/v1/macro", { ...indicator, edition, limit: "1" }) : null,
  ]);
  if (!place.alive()) return;
  const name = first ? catalogName(first) : seriesName(series, text(read.rows[0]?.["country_iso2"]), text(named?.rows[0]?.["indicator_name"]));
  place.title(name);
  const head = [
    el("p", { class: "over" }, "Macro series"),
    el("h1", {}, name),
    el("p", { class: "lead" }, "Every value as it was published, with its revisions. Move the slider to see the series as it was known on that day."),
    el("div", { class: "actions" }, catalogPicker({ kind: "series", label: "Choose another series", title: "Series", edition, name: catalogName, take: (row) => go(href("macro", "", { series: text(row["key"]), edition })) })),
  ];
  if (read.rows.length === 0) return fill(place.root, ...head, empty("No value of this series is published", "Check its name, or choose another series."));
  fill(place.root, ...head);
  showSeries(place, series, name, read);
}

/** Keep whole observations: a page can end between two vintages of one. */
function observations(read: Walk): Map<Day, Row[]> {
  const found = new Map<Day, Row[]>();
  for (const row of read.rows) found.set(text(row["date"]), [...(found.get(text(row["date"])) ?? []), row]);
  const oldest = [...found.keys()].at(-1);
  if (read.nextCursor && oldest && found.size > 1) found.delete(oldest);
  return found;
}

function showSeries(place: Place, series: string, name: string, read: Walk): void {
  const { params } = place.route;
  const byDate = observations(read);
  const dates = [...byDate.keys()];
  const known = [...new Set([...byDate.values()].flat().map((row) => text(row["available_at"])))].sort();
  const [unit, last] = [unitOf(read.rows[0] ?? {}), read.asOf ?? known.at(-1) ?? ""];
  const first = [dates.at(-1) ?? last, known[0] ?? last].sort()[0] ?? last;
  let day = dayParam(place.route, "as_of", first, last) ?? last;
  let every = choiceParam(place.route, "vintages", ["all"]) === "all";
  let opened = choiceParam(place.route, "date", dates) ?? "";

  const said = el("p", { class: "said", "aria-live": "polite" });
  const control = asOfControl({ first, last, day, label: "As of: the day whose knowledge is shown", moved, settled: remember });
  control.stops(known);
  const chart = lineChart([], { label: `${name}, by date`, xTitle: "date of the observation, and as-of day", yTitle: unit || "value", unit, from: first, to: last, track: control.track, picked: open });
  const legend = el("p", { class: "legend" });
  const all = el("button", { type: "button", "aria-pressed": String(every), onclick: () => ((every = !every), all.setAttribute("aria-pressed", String(every)), moved(day), remember()) }, "Every vintage");
  const values = el("div", { class: "stack" });
  const one = el("div", { class: "opened" });
  place.root.append(
    el("section", { class: "card" }, el("div", { class: "card-head" }, said, all), control.element, chart.element, legend),
    one,
    values,
    actions(() => ({ title: `${name}, as known on ${inFull(day)}`, calls: calls(), table: exported(), chart: chart.element })),
    ...(read.nextCursor ? [cut(`These are the newest ${byDate.size} observations of the series.`)] : []),
  );
  moved(day);
  if (opened) open(opened, false);
  remember();

  function on(to: Day): Row[] {
    return dates.map((date) => knownOn(byDate.get(date) ?? [], to)).filter((row) => row !== null);
  }

  function moved(to: Day): void {
    day = to;
    const [then, now] = [on(day), on(last)];
    const vintages: Curve[] = every ? known.slice(-MOST_VINTAGES).map((at) => ({ dots: dots(on(at)), tone: "faint", name: `known on ${inShort(at)}` })) : [];
    const curves: Curve[] = [...vintages, { dots: dots(now), tone: "now", name: "known now" }];
    if (day !== last) curves.push({ dots: dots(then), tone: "then", name: `known on ${inShort(day)}` });
    chart.show(curves, { day });
    fill(legend, el("span", { class: "key-now" }, "known now"), day !== last && el("span", { class: "key-then" }, `known on ${inShort(day)}`), every && el("span", { class: "key-faint" }, known.length > MOST_VINTAGES ? `the newest ${MOST_VINTAGES} vintages` : `all ${known.length} vintages`));
    const newest = then[0];
    fill(
      said,
      el("strong", {}, `As known on ${inFull(day)}: `),
      newest
        ? [el("strong", { class: "latest", "data-value": text(newest["value"]), title: exactly(text(newest["value"]), unit) }, exactly(text(newest["value"]), unit)), ` was the newest value, for ${inShort(text(newest["date"]))}.`]
        : "nothing of this series was public yet.",
    );
    list(then, now);
    if (opened) open(opened, false);
  }

  function list(then: Row[], now: Row[]): void {
    const current = new Map(now.map((row) => [text(row["date"]), row]));
    const revised = (row: Row) => text(current.get(text(row["date"]))?.["fact_id"]) !== text(row["fact_id"]);
    fill(
      values,
      el("h2", {}, "Observations"),
      el("p", { class: "hint" }, "Choose a date to see how its value was revised. Values that were revised after the as-of day are marked."),
      table(
        "Observations",
        [
          { head: "For", cell: (row: Row) => el("button", { type: "button", class: "link", onclick: () => open(text(row["date"])) }, inShort(text(row["date"]))) },
          { head: day === last ? "Value" : `Known on ${inShort(day)}`, number: true, cell: (row) => number(text(row["value"]), unit) },
          ...(day === last ? [] : [{ head: "Known now", number: true, cell: (row: Row) => (current.has(text(row["date"])) ? number(text(current.get(text(row["date"]))?.["value"]), unit) : "withdrawn") }]),
          { head: "Revisions", number: true, cell: (row) => String((byDate.get(text(row["date"])) ?? []).length - 1) },
          { head: "Public since", wide: true, cell: (row) => inShort(text(row["available_at"])) },
        ],
        then,
        (row) => (revised(row) ? "revised" : ""),
      ),
    );
  }

  function open(date: Day, focus = true): void {
    opened = date;
    const vintages = (byDate.get(date) ?? []).map((row) => ({ ...row, value_reported: row["value"] ?? null, unit }));
    const made = observation({ series, date, vintages, day, last, edition: read.edition, move: control.move });
    fill(one, made);
    if (!focus) return;
    remember();
    made.querySelector<HTMLElement>("h2")?.focus();
  }

  function remember(): void {
    note(href("macro", "", { series, as_of: day === last ? "" : day, vintages: every ? "all" : "", date: opened, edition: params["edition"] }));
    showBehind(calls());
  }

  function calls() {
    return [
      { says: `${name} as known on ${inShort(day)}`, path: "/v1/macro", params: { series, as_of: day, edition: read.edition } },
      { says: "Every vintage of every value", path: "/v1/macro", params: { series, vintages: "all", edition: read.edition } },
    ];
  }

  function exported() {
    const columns = ["series", "date", "value", "unit", "vintage", "available_at", "known_until", "source_ref", "license_class"];
    return { head: columns, rows: (every ? [...byDate.values()].flat() : on(day)).map((row) => columns.map((column) => text(row[column]))) };
  }
}

function dots(rows: Row[]) {
  return rows.map((row) => ({ day: text(row["date"]), digits: text(row["value"]) }));
}
