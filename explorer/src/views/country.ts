// One country on a day: what it buys, who wins, its macro series and its issuers.

import { actions } from "../actions.ts";
import { ask, text, type Answer, type Params, type Row } from "../api.ts";
import { showBehind } from "../behind.ts";
import { countryChoice } from "../country_choice.ts";
import { inFull, inShort, shifted, type Day } from "../dates.ts";
import { el, field, fill, type Child } from "../dom.ts";
import { pixelValue } from "../exact.ts";
import { number } from "../numbers.ts";
import { processes, type Process } from "../processes.ts";
import { dayParam, go, href, note, WrongAddress } from "../route.ts";
import { indicatorName, indicatorOf, seriesName, unitOf } from "../series.ts";
import { asOfControl } from "../slider.ts";
import { problem, reading } from "../states.ts";
import { path, svg } from "../svg.ts";
import { table } from "../table.ts";
import type { Place } from "../view.ts";
import { countryName, readable } from "../words.ts";

const FIRST = "KE";
const YEARS = 10; // of the slider
const LISTED = 8; // of each kind; the rest is a link away

export async function country(place: Place): Promise<void> {
  const { params } = place.route;
  const { edition } = params;
  const code = (place.route.id || FIRST).toUpperCase();
  if (!/^[A-Z]{2}$/.test(code)) throw new WrongAddress(`“${code}” is not a country. Write its two letters as in ISO 3166, for example KE.`, { href: href("country"), label: `Show ${countryName(FIRST)}` });
  const name = countryName(code);
  const last = new Date().toISOString().slice(0, 10);
  let day = dayParam(place.route, "as_of", undefined, last) ?? last;
  const first = [shifted(last, -365 * YEARS), day].sort()[0] ?? day;
  place.title(name);

  const heading = el("h2", {});
  const body = el("div", { class: "stack", "aria-live": "polite" }, reading("the country"));
  const control = asOfControl({ first, last, day, label: "As of: the day whose knowledge is shown", moved: tell, settled: (to) => void settle(to) });
  fill(
    place.root,
    el("div", { class: "card-head" }, el("p", { class: "over" }, "Country"), field("Another country", countryChoice({ kind: "indicators", chosen: code, edition, take: (value) => go(href("country", value, { as_of: day === last ? "" : day, edition })) }))),
    el("h1", {}, name),
    el("p", { class: "lead" }, "What its public bodies buy, who wins, how its economy was measured and which companies report: all as known on one day."),
    el("section", { class: "card" }, heading, control.element),
    body,
  );
  tell(day);
  await settle(day);

  function tell(to: Day): void {
    day = to;
    heading.textContent = `As known on ${inFull(day)}`;
  }

  function calls(): { says: string; path: string; params: Params }[] {
    return [
      { says: `Releases of tenders in ${name}`, path: "/v1/tenders", params: { country: code, as_of: day, edition } },
      { says: `Annual series of ${name}`, path: "/v1/macro", params: { country: code, frequency: "annual", as_of: day, edition } },
      { says: `Companies of ${name} that had filed accounts`, path: "/v1/issuers", params: { country: code, as_of: day, edition } },
    ];
  }

  async function settle(to: Day): Promise<void> {
    note(href("country", code, { as_of: day === last ? "" : day, edition }));
    showBehind(calls());
    try {
      const [tenders, macro, issuers] = await Promise.all(calls().map((call) => ask(call.path, call.params)));
      if (place.alive() && day === to && tenders && macro && issuers) fill(body, ...shown(tenders, macro, issuers));
    } catch (error) {
      fill(body, problem(error, () => void settle(to)));
    }
  }

  function shown(tenders: Answer, macro: Answer, issuers: Answer): HTMLElement[] {
    const found = processes(tenders.rows);
    const asOf = day === last ? "" : day;
    return [
      el("div", { class: "pair" }, buys(found, code, asOf), wins(found, code, asOf)),
      el("div", { class: "pair" }, economy(macro.rows, asOf), companies(issuers, code, asOf)),
      actions({ title: `Companies of ${name}, as known on ${inFull(day)}`, calls: [...calls()].reverse(), table: exported(issuers.rows) }),
    ];
  }
}

function buys(found: Process[], code: string, asOf: string): HTMLElement {
  const counts = new Map<string, number>();
  for (const one of found) if (one.category) counts.set(one.category, (counts.get(one.category) ?? 0) + 1);
  const most = [...counts].sort((a, b) => b[1] - a[1]).slice(0, LISTED);
  return section(
    "What it buys",
    found.length === 0 ? "No tender of this country was public on this day." : `Of the newest ${found.length} contracting processes:`,
    bars(most.map(([category, count]) => [el("a", { href: href("tenders", "", { country: code, category, as_of: asOf }) }, readable(category)), String(count), count / (most[0]?.[1] ?? 1)])),
    el("ul", { class: "plain" }, [...found].sort((a, b) => Number(b.titled) - Number(a.titled)).slice(0, 4).map((one) => el("li", {}, el("a", { href: href("tender", one.ocid, { as_of: asOf }) }, one.title), el("span", { class: "quiet" }, ` ${inShort(one.date)}`)))),
    el("p", {}, el("a", { href: href("tenders", "", { country: code, as_of: asOf }) }, "All tenders")),
  );
}

function wins(found: Process[], code: string, asOf: string): HTMLElement {
  const won = new Map<string, { name: string; count: number }>();
  for (const one of found) {
    for (const supplier of one.suppliers) {
      const id = text(supplier["service_id"]);
      won.set(id, { name: text(supplier["name"]), count: (won.get(id)?.count ?? 0) + 1 });
    }
  }
  const most = [...won].sort((a, b) => b[1].count - a[1].count).slice(0, LISTED);
  return section(
    "Who wins",
    most.length === 0 ? "No award to a known organisation was public on this day." : "Suppliers of the newest awards, by number of processes won:",
    bars(most.map(([id, { name, count }]) => [el("a", { href: href("company", id, { as_of: asOf }) }, name), String(count), count / (most[0]?.[1].count ?? 1)])),
    el("p", {}, el("a", { href: href("signals", "", { signal: "supplier-concentration", country: code }) }, "Concentration of suppliers, by month")),
  );
}

function economy(rows: Row[], asOf: string): HTMLElement {
  const series = new Map<string, Row[]>();
  for (const row of rows) series.set(text(row["series"]), [...(series.get(text(row["series"])) ?? []), row]);
  return section(
    "Macro",
    series.size === 0 ? "No annual series of this country was public on this day." : "The newest value of each annual series, and the years before it:",
    series.size > 0 &&
      table(
        "Annual series",
        [
          { head: "Series", cell: ([key]: [string, Row[]]) => el("a", { href: href("macro", "", { series: key, as_of: asOf }) }, short(key)) },
          { head: "Year", cell: ([, values]) => text(values[0]?.["date"]).slice(0, 4) },
          { head: "Value", number: true, cell: ([, values]) => number(text(values[0]?.["value"]), unitOf(values[0] ?? {})) },
          { head: "", wide: true, cell: ([, values]) => spark(values) },
        ],
        [...series],
      ),
  );
}

function companies(issuers: Answer, code: string, asOf: string): HTMLElement {
  const count = `${issuers.rows.length}${issuers.truncated ? " or more" : ""}`;
  return section(
    "Companies that report",
    issuers.rows.length === 0 ? "No company of this country had filed accounts by this day." : `${count} had filed accounts by this day, later delisted ones included.`,
    issuers.rows.length > 0 &&
      table(
        "Companies",
        [
          { head: "Company", cell: (row: Row) => el("a", { href: href("company", text(row["service_id"]), { as_of: asOf }) }, text(row["legal_name"])) },
          { head: "Ticker", wide: true, cell: (row) => ((row["tickers"] ?? []) as string[]).join(", ") || "–" },
          { head: "Last filing", cell: (row) => el("span", { class: "nowrap" }, inShort(text(row["last_filed"]))) },
        ],
        issuers.rows.slice(0, LISTED),
      ),
    el("p", {}, el("a", { href: href("screen", "", { country: code, as_of: asOf }) }, "Rank them by a metric")),
  );
}

function section(title: string, hint: string, ...content: Child[]): HTMLElement {
  return el("section", { class: "card" }, el("h2", {}, title), el("p", { class: "hint" }, hint), ...content);
}

function bars(items: [Child, string, number][]): HTMLElement | false {
  if (items.length === 0) return false;
  return el(
    "ol",
    { class: "buyers" },
    items.map(([name, count, share]) => {
      const length = el("span", {});
      length.style.width = `${share * 100}%`;
      return el("li", {}, el("span", { class: "buyer-name" }, name), el("span", { class: "buyer-count" }, count), el("span", { class: "bar", "aria-hidden": "true" }, length));
    }),
  );
}

/** Draw the values of a series, the oldest first, without axes: the shape alone. */
function spark(rows: Row[]): SVGElement {
  const values = [...rows].reverse().map((row) => pixelValue(text(row["value"])));
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const points = values.map((value, at): [number, number] => [(at / Math.max(values.length - 1, 1)) * 96 + 2, 22 - ((value - low) / (high - low || 1)) * 20]);
  return svg("svg", { class: "spark", viewBox: "0 0 100 24", width: 100, height: 24, "aria-hidden": "true" }, path(points, "curve now"));
}

function short(series: string): string {
  const indicator = indicatorOf(series);
  return indicator ? indicatorName(indicator.indicator) : seriesName(series, "");
}

function exported(rows: Row[]) {
  const columns = ["service_id", "legal_name", "country", "industry", "tickers", "first_filed", "last_filed", "filings"];
  return { head: columns, rows: rows.map((row) => columns.map((name) => (Array.isArray(row[name]) ? (row[name] as string[]).join(" ") : text(row[name])))) };
}
