// Public tenders of a country: a signal by month, and one month by buyer.

import { ask, text, walk, type Params, type Row } from "../api.ts";
import { showBehind } from "../behind.ts";
import { inShort, isDay, monthEnd, monthInFull, monthStart, type Day } from "../dates.ts";
import { choice, el, field, fill } from "../dom.ts";
import { grouped } from "../exact.ts";
import { lineChart } from "../line_chart.ts";
import { byBuyer, releaseTable } from "../releases.ts";
import { href, note } from "../route.ts";
import { cut, empty, problem, reading } from "../states.ts";
import { countryName, readable } from "../words.ts";
import type { Place } from "../view.ts";

const SIGNAL = "procurement-demand";
const MOST_PAGES = 4;
// What a row of a signal holds beside its numbers.
const WORDS = new Set(["country", "category", "currency", "month", "methodology_ref", "source_ref", "license_class", "observed_at"]);

export async function tenders(place: Place): Promise<void> {
  const { params } = place.route;
  const { edition } = params;
  const [signals, categories] = await Promise.all([ask("/v1/catalog/signals", { edition }), walk("/v1/catalog/categories", { edition })]);
  if (!place.alive()) return;
  const signal = signals.rows.find((row) => text(row["key"]) === (params["signal"] ?? SIGNAL)) ?? signals.rows[0];
  const countries = Object.keys((signal?.["coverage"] ?? {}) as Row).sort();
  const country = params["country"] ?? countries[0];
  if (!signal || !country) return fill(place.root, empty("No tender is published yet", "Load releases with ", el("code", {}, "sankofa ingest"), ", then publish."));
  const key = text(signal["key"]);
  const own = categories.rows.filter((row) => country in ((row["coverage"] ?? {}) as Row)).map((row) => text(row["key"]));
  const sorted = key === "supplier-concentration" || key === "tender-value" ? "currency" : "category";
  const chosen = params[sorted] ?? (sorted === "category" ? own[0] ?? "" : "");
  const plotted = el("section", { class: "card" }, reading("the signal"));
  const month = el("section", { class: "month" }, reading("the month"));
  const to = (changed: Record<string, string>) =>
    (location.hash = href("tenders", "", { signal: key, country, [sorted]: chosen, measure: params["measure"], month: params["month"], edition, ...changed }));
  fill(
    place.root,
    el("p", { class: "over" }, "Tenders"),
    el("h1", {}, `What ${countryName(country)} asks for`),
    el("p", { class: "lead" }, text(signal["definition"])),
    el(
      "div",
      { class: "controls" },
      field("Country", choice(countries.map((value) => ({ value, label: countryName(value) })), country, (value) => to({ country: value, category: "", currency: "" }))),
      field("Signal", choice(signals.rows.map((row) => ({ value: text(row["key"]), label: readable(text(row["key"])) })), key, (value) => to({ signal: value, measure: "", category: "", currency: "" }))),
      sorted === "category" && own.length > 0 && field("Category", choice(own.map((value) => ({ value, label: readable(value) })), chosen, (value) => to({ category: value }))),
    ),
    plotted,
    month,
  );
  const asked: Params = { country, [sorted]: chosen || undefined, edition };
  let newest = "";
  try {
    newest = await showSignal(place, plotted, { path: `/v1/signals/${key}`, asked, measure: params["measure"] ?? "", formula: text(signal["formula"]), take: to });
  } catch (error) {
    fill(plotted, problem(error, () => dispatchEvent(new HashChangeEvent("hashchange"))));
  }
  if (!place.alive()) return;
  const wanted = isDay(params["month"]) ? monthStart(params["month"]) : newest;
  if (!wanted) return fill(month);
  const call = { says: `${readable(key)} by month`, path: `/v1/signals/${key}`, params: asked };
  await showMonth(place, month, { country, edition, first: wanted, call, take: (first) => to({ month: first }) });
}

interface Plotted {
  path: string;
  asked: Params;
  measure: string;
  formula: string;
  take: (changed: Record<string, string>) => void;
}

/** Draw one number of a signal by month; return the newest month it has. */
async function showSignal(place: Place, card: HTMLElement, { path, asked, measure, formula, take }: Plotted): Promise<string> {
  const read = await walk(path, asked, { most: MOST_PAGES });
  if (!place.alive()) return "";
  const newest = read.rows[0];
  if (!newest) {
    fill(card, empty("This signal has no month here", "No release of this kind is held for the choice. Choose another category, signal or country."));
    return "";
  }
  // Amounts in different currencies are never added up: one currency is drawn, that of the newest row unless chosen.
  const currency = text(newest["currency"]);
  const rows = currency ? read.rows.filter((row) => text(row["currency"]) === currency) : read.rows;
  const numbers = Object.keys(newest).filter((name) => !WORDS.has(name));
  const shown = numbers.includes(measure) ? measure : numbers[0] ?? "";
  const known = rows.filter((row) => text(row[shown]));
  const chart = lineChart([{ dots: known.map((row) => ({ day: text(row["month"]), digits: text(row[shown]) })), tone: "now" }], {
    bars: true,
    picked: (month) => take({ month }),
  });
  const latest = known[0];
  fill(
    card,
    el("div", { class: "card-head" }, el("h2", {}, `${readable(shown)} by month${currency && `, ${currency}`}`), field("Number", choice(numbers.map((value) => ({ value, label: readable(value) })), shown, (value) => take({ measure: value })))),
    latest && el("p", { class: "said" }, el("strong", {}, grouped(text(latest[shown]))), ` in ${monthInFull(text(latest["month"]))}, the newest month that has one. Choose a bar to see that month.`),
    chart.element,
    el("details", {}, el("summary", {}, "How this is counted"), el("p", { class: "hint" }, formula)),
    read.nextCursor && cut(`These are the newest ${read.rows.length} rows.`),
  );
  return text(newest["month"]);
}

interface Month {
  country: string;
  edition: string | undefined;
  first: Day;
  call: { says: string; path: string; params: Params };
  take: (first: Day) => void;
}

/** Show a month as it was known on its last day: that bounds the releases on both sides. */
async function showMonth(place: Place, section: HTMLElement, { country, edition, first, call, take }: Month): Promise<void> {
  const asked = { country, from: first, as_of: monthEnd(first), edition };
  showBehind([call, { says: `The releases of ${monthInFull(first)}, as known at its end`, path: "/v1/tenders", params: asked }, { says: "All buyers", path: "/v1/tender-parties", params: { country, role: "buyer", edition } }]);
  note(href("tenders", "", { ...place.route.params, month: first }));
  const head = el(
    "div",
    { class: "card-head" },
    el("h2", {}, `${monthInFull(first)}, as known on its last day`),
    el(
      "div",
      { class: "actions" },
      el("button", { type: "button", onclick: () => take(monthStart(first, -1)) }, "‹ Month before"),
      el("button", { type: "button", onclick: () => take(monthStart(first, 1)) }, "Month after ›"),
    ),
  );
  try {
    const read = await walk("/v1/tenders", asked, { most: MOST_PAGES });
    if (!place.alive()) return;
    fill(
      section,
      head,
      read.rows.length === 0
        ? empty("No release in this month", `${countryName(country)} published none that we hold. Choose another month.`)
        : el(
            "div",
            { class: "month-body" },
            el("section", { class: "card" }, el("h3", {}, "By buyer"), byBuyer(read.rows)),
            el("section", { class: "card" }, el("h3", {}, `${read.rows.length}${read.nextCursor ? " newest" : ""} releases`), releaseTable(read.rows)),
          ),
      read.nextCursor && cut(`The month has more than these ${read.rows.length} releases.`),
      el("p", { class: "hint" }, `Last day: ${inShort(monthEnd(first))}. Parties that are not established as organisations are withheld, and counted.`),
    );
  } catch (error) {
    fill(section, head, problem(error, () => void showMonth(place, section, { country, edition, first, call, take })));
  }
}
