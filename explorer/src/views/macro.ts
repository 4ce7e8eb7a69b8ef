// A series as it was known on a day, beside what is known now.

import { ask, text, walk, type Params, type Row } from "../api.ts";
import { showBehind } from "../behind.ts";
import { clamped, inFull, inShort, isDay, shifted, type Day } from "../dates.ts";
import { choice, el, field, fill } from "../dom.ts";
import { grouped } from "../exact.ts";
import { lineChart, type Curve } from "../line_chart.ts";
import { href, note } from "../route.ts";
import { asOfControl } from "../slider.ts";
import { cut, empty, problem, reading } from "../states.ts";
import { table } from "../table.ts";
import { vintageList } from "../vintages.ts";
import { countryName } from "../words.ts";
import type { Place } from "../view.ts";

const MOST_PAGES = 4;

export async function macro(place: Place): Promise<void> {
  const { params } = place.route;
  const { edition } = params;
  const listed = (await walk("/v1/catalog/series", { edition })).rows;
  if (!place.alive()) return;
  const chosen = listed.find((row) => text(row["key"]) === params["series"]) ?? listed[0];
  if (!chosen) return fill(place.root, empty("No series is published yet", "Load a series with ", el("code", {}, "sankofa ingest"), ", then publish."));
  const series = text(chosen["key"]);
  const options = listed.map((row) => ({ value: text(row["key"]), label: nameOf(row), group: areaOf(text(row["key"])) ? "By year" : "By quarter, month or day" }));
  const body = el("div", { class: "stack" }, reading("the series"));
  fill(
    place.root,
    el("p", { class: "over" }, "Macro"),
    el("h1", {}, nameOf(chosen)),
    el("div", { class: "controls" }, field("Series", choice(options, series, (to) => (location.hash = href("macro", "", { series: to, edition }))))),
    body,
  );
  try {
    await showVintages(place, body, series, text(chosen["unit"]));
  } catch (error) {
    fill(body, problem(error, () => dispatchEvent(new HashChangeEvent("hashchange"))));
  }
}

async function showVintages(place: Place, body: HTMLElement, series: string, unit: string): Promise<void> {
  const { params } = place.route;
  const now = await walk("/v1/macro", { series, edition: params["edition"] }, { most: MOST_PAGES });
  if (!place.alive()) return;
  const edition = now.edition;
  const last = now.asOf ?? "";
  const days = now.rows.map((row) => text(row["available_at"])).sort();
  if (!days[0]) return fill(body, empty("No value of this series is published", "Choose another one above."));
  const first = shifted(text(now.rows.at(-1)?.["date"]) || days[0], 1);
  let day = clamped(isDay(params["as_of"]) ? params["as_of"] : last, first, last);

  const title = el("h2", {});
  const said = el("p", { class: "said", "aria-live": "polite" });
  const chart = lineChart([{ dots: dots(now.rows), tone: "now" }], { picked: (date) => void open(date) });
  const legend = el("p", { class: "legend" }, el("span", { class: "key-now" }, "known now"), el("span", { class: "key-then" }, "known on that day"));
  const values = el("div", { class: "stack" });
  const opened = el("div", { class: "opened" });
  const control = asOfControl({ first, last, day, label: "As of: the day whose knowledge is shown", moved, settled: (to) => void settle(to) });
  control.stops([...new Set(days)]);
  fill(
    body,
    el(
      "section",
      { class: "card" },
      title,
      said,
      legend,
      chart.element,
      control.element,
    ),
    opened,
    values,
    now.nextCursor && cut(`These are the newest ${now.rows.length} observations.`),
  );
  moved(day);
  await settle(day);

  function asked(on: Day): Params {
    return { series, as_of: on, edition };
  }

  function moved(to: Day): void {
    day = to;
    title.textContent = `As known on ${inFull(day)}`;
  }

  async function settle(to: Day): Promise<void> {
    moved(to);
    note(href("macro", "", { series, as_of: day === last ? "" : day, edition: params["edition"] }));
    showBehind([{ says: `${series} as known on ${inShort(day)}`, path: "/v1/macro", params: asked(day) }]);
    try {
      const then = await walk("/v1/macro", asked(day), { most: MOST_PAGES });
      if (place.alive() && day === to) show(then.rows);
    } catch (error) {
      fill(values, problem(error, () => void settle(to)));
    }
  }

  function show(then: Row[]): void {
    const curves: Curve[] = [{ dots: dots(now.rows), tone: "now" }];
    legend.hidden = day === last;
    if (day !== last) curves.push({ dots: dots(then), tone: "then" });
    chart.show(curves);
    const newest = then[0];
    fill(
      said,
      newest
        ? [el("strong", { class: "latest", "data-value": text(newest["value"]) }, `${grouped(text(newest["value"]))} ${unit}`), ` was the newest value, for ${inShort(text(newest["date"]))}.`]
        : "Nothing of this series was known yet.",
    );
    const current = new Map(now.rows.map((row) => [text(row["date"]), row]));
    const rows = then.map((row) => ({ row, later: current.get(text(row["date"])) }));
    fill(
      values,
      el("h2", {}, "Observations"),
      el("p", { class: "hint" }, "Open a date for every vintage of that observation. Values that were revised later are marked."),
      table(
        "Observations",
        [
          { head: "For", cell: ({ row }) => el("button", { type: "button", class: "link", onclick: () => void open(text(row["date"])) }, inShort(text(row["date"]))) },
          { head: "Known then", number: true, cell: ({ row }) => grouped(text(row["value"])) },
          { head: "Known now", number: true, cell: ({ later }) => (later ? grouped(text(later["value"])) : "–") },
          { head: "Vintage then", number: true, wide: true, cell: ({ row }) => text(row["vintage"]) },
          { head: "Public since", wide: true, cell: ({ row }) => inShort(text(row["available_at"])) },
        ],
        rows,
        ({ row, later }) => (later && text(later["fact_id"]) !== text(row["fact_id"]) ? "revised" : ""),
      ),
    );
  }

  /** Find each vintage of one observation by going back, each time to the day before it became known. */
  async function open(date: Day): Promise<void> {
    const vintages: Row[] = [];
    let on = last;
    for (;;) {
      const { rows } = await ask("/v1/macro", { series, from: date, to: date, as_of: on, edition });
      const row = rows[0];
      if (!row) break;
      vintages.unshift({ ...row, value_reported: row["value"] ?? null });
      if (text(row["vintage"]) === "1") break;
      on = shifted(text(row["available_at"]), -1);
    }
    const list = vintageList();
    list.show(vintages, (row) => ({
      page: href("macro", "", { series, as_of: text(row["available_at"]), edition }),
      rest: `/v1/macro?series=${series}&from=${date}&to=${date}&as_of=${text(row["available_at"])}&edition=${edition}`,
    }));
    list.mark(day, vintages.findLast((row) => text(row["available_at"]) <= day) ?? null);
    const heading = el("h2", { tabindex: "-1" }, `${series} for ${inFull(date)}: every vintage`);
    fill(opened, el("section", { class: "card" }, heading, list.element));
    heading.focus();
  }
}

function dots(rows: Row[]) {
  return rows.map((row) => ({ day: text(row["date"]), digits: text(row["value"]) }));
}

/** The country or aggregate of an indicator by year. */
function areaOf(series: string): string | undefined {
  return /^WB\..+\.([A-Z0-9]{2,3})$/.exec(series)?.[1];
}

function nameOf(row: Row): string {
  const key = text(row["key"]);
  const rate = /^FX\.(\w+)\.(\w+)$/.exec(key);
  if (rate) return `${rate[2]} for 1 ${rate[1]}`;
  const area = areaOf(key);
  const country = Object.keys((row["coverage"] ?? {}) as Row)[0] ?? "none";
  const where = area && (country === "none" ? area : countryName(country));
  return `${text(row["definition"]) || key}${where ? `, ${where}` : ""}`;
}
