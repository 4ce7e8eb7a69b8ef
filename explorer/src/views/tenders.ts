// Public tenders of a country: contracting processes by month and one by one, as known on a day.

import { actions } from "../actions.ts";
import { ask, text, walk, type Params, type Row, type Walk } from "../api.ts";
import { showBehind } from "../behind.ts";
import { inFull, inShort, monthInFull, monthStart, shifted, type Day } from "../dates.ts";
import { choice, el, field, fill } from "../dom.ts";
import { lineChart } from "../line_chart.ts";
import { number } from "../numbers.ts";
import { processes, type Process } from "../processes.ts";
import { choiceParam, dayParam, go, href, note } from "../route.ts";
import { asOfControl } from "../slider.ts";
import { cut, empty, problem, reading } from "../states.ts";
import { table } from "../table.ts";
import { countryName, readable } from "../words.ts";
import type { Place } from "../view.ts";

const MOST_PAGES = 2;
const YEARS = 5; // of the slider; the date beside it takes any day

export async function tenders(place: Place): Promise<void> {
  const { params } = place.route;
  const { edition } = params;
  const categories = (await ask("/v1/catalog/categories", { edition })).rows;
  if (!place.alive()) return;
  const countries = [...new Set(categories.flatMap((row) => Object.keys((row["coverage"] ?? {}) as Row)))].filter((code) => code !== "none").sort();
  const country = choiceParam(place.route, "country", countries) ?? countries[0];
  if (!country) return fill(place.root, empty("No tender is published yet", "Load releases with ", el("code", {}, "sankofa ingest"), ", then publish."));
  const own = categories.filter((row) => country in ((row["coverage"] ?? {}) as Row)).map((row) => text(row["key"]));
  const category = choiceParam(place.route, "category", own) ?? "";
  const party = params["buyer"] ? "buyer" : params["supplier"] ? "supplier" : "";
  const today = new Date().toISOString().slice(0, 10);
  let day = dayParam(place.route, "as_of", undefined, today) ?? today;
  const first = [shifted(today, -365 * YEARS), day].sort()[0] ?? day;
  const wanted = dayParam(place.route, "month");
  let month = wanted ? monthStart(wanted) : "";
  place.title(`Tenders of ${countryName(country)}`);

  const words = el("input", { type: "search", placeholder: "road, solar, vaccines …", value: params["q"] ?? "", autocomplete: "off" });
  const search = el("form", { role: "search", onsubmit: (event: Event) => (event.preventDefault(), to({ q: words.value.trim(), month: "" })) }, field("Words of the title", words, undefined, el("button", { type: "submit" }, "Find")));
  const title = el("h2", {});
  const result = el("div", { class: "stack", "aria-live": "polite" }, reading("the tenders"));
  const control = asOfControl({ first, last: today, day, label: "As of: the day whose knowledge is shown", moved: tell, settled: (on) => void settle(on) });
  fill(
    place.root,
    el("p", { class: "over" }, "Tenders"),
    el("h1", {}, `What ${countryName(country)} buys`),
    el("p", { class: "lead" }, "Public contracts from call to award, as the country's portals published them. Move the slider to see the list as it was known on that day."),
    el("section", { class: "card" }, title, control.element),
    el(
      "div",
      { class: "controls" },
      field("Country", choice(countries.map((value) => ({ value, label: countryName(value) })), country, (value) => to({ country: value, category: "", month: "" }))),
      field("Category", choice([{ value: "", label: "All categories" }, ...own.map((value) => ({ value, label: readable(value) }))], category, (value) => to({ category: value, month: "" }))),
      search,
    ),
    party && el("p", { class: "notice" }, `Only processes with this ${party}: `, el("a", { href: href("company", params[party] ?? "") }, params[party] ?? ""), ". ", el("a", { href: address({ [party]: "" }) }, "Show all")),
    result,
    el("p", { class: "hint" }, "See also: ", el("a", { href: href("country", country) }, `${countryName(country)} at a glance`), " · ", el("a", { href: href("signals", "", { country, category, edition }) }, "procurement signals by month")),
  );
  tell(day);
  await settle(day);

  function address(changed: Record<string, string>): string {
    return href("tenders", "", { country, category, q: params["q"], buyer: params["buyer"], supplier: params["supplier"], as_of: day === today ? "" : day, month, edition, ...changed });
  }

  function to(changed: Record<string, string>): void {
    go(address(changed));
  }

  function tell(on: Day): void {
    day = on;
    title.textContent = `As known on ${inFull(day)}`;
  }

  function asked(): Params {
    return { country, category, q: params["q"], buyer: params["buyer"], supplier: params["supplier"], as_of: day === today ? undefined : day, edition };
  }

  async function settle(on: Day): Promise<void> {
    note(address({}));
    const call = { says: `Releases as known on ${inShort(day)}`, path: "/v1/tenders", params: asked() };
    showBehind([call]);
    try {
      const read = await walk("/v1/tenders", asked(), { most: MOST_PAGES });
      if (place.alive() && day === on) show(read, [call]);
    } catch (error) {
      fill(result, problem(error, () => void settle(on)));
    }
  }

  function show(read: Walk, calls: { says: string; path: string; params: Params }[]): void {
    const found = processes(read.rows);
    if (found.length === 0) return fill(result, empty("No tender matches", "Choose another category or other words, or move the slider to a later day."));
    const months = [...new Set(found.map((one) => monthStart(one.date)))].sort();
    const chart = lineChart([], { label: "Processes by the month of their newest release", xTitle: "month of the newest release", yTitle: "processes", bars: true, called: monthInFull, picked: (chosen) => choose(chosen === month ? "" : chosen) });
    const listed = el("div", { class: "stack" });
    fill(
      result,
      el("section", { class: "card" }, el("h2", {}, "Processes by month"), el("p", { class: "hint" }, "Choose a bar to list the processes of that month alone."), chart.element),
      el("section", { class: "card" }, listed),
      read.nextCursor && cut(`These are the processes of the newest ${read.rows.length} releases. Older ones are not counted.`),
      actions(() => ({ title: `Tenders of ${countryName(country ?? "")}, as known on ${inFull(day)}`, calls, table: exported(chosen()), chart: chart.element })),
    );
    choose(month);

    function chosen(): Process[] {
      return month ? found.filter((one) => monthStart(one.date) === month) : found;
    }

    function choose(next: Day): void {
      month = months.includes(next) ? next : "";
      note(address({}));
      const counts = months.map((one) => ({ day: one, digits: String(found.filter((each) => monthStart(each.date) === one).length) }));
      chart.show([{ dots: counts, tone: "now", name: "processes" }], { chosen: month });
      fill(
        listed,
        el(
          "div",
          { class: "card-head" },
          el("h2", { class: "listed" }, `${chosen().length} ${chosen().length === 1 ? "process" : "processes"}${month && ` in ${monthInFull(month)}`}`),
          month !== "" && el("button", { type: "button", onclick: () => choose("") }, "Show all months"),
        ),
        listOf(chosen(), day === today ? "" : day, edition),
      );
    }
  }
}

function listOf(found: Process[], asOf: string, edition: string | undefined): HTMLElement {
  return table(
    "Processes",
    [
      { head: "Date", wide: true, cell: (one) => inShort(one.date) },
      { head: "What", cell: (one) => subject(one, asOf, edition) },
      { head: "Buyer", wide: true, cell: (one) => el("span", { class: "wrap" }, text(one.buyer["name"]) || "withheld or not stated") },
      { head: "Stage", wide: true, cell: (one) => one.stage },
      { head: "Value", number: true, cell: (one) => (text(one.value["amount"]) ? number(text(one.value["amount"]), text(one.value["currency"])) : "–") },
    ],
    found,
  );
}

function subject(one: Process, asOf: string, edition: string | undefined): HTMLElement {
  const suppliers = one.suppliers.map((supplier) => text(supplier["name"])).join(", ");
  return el("span", { class: "subject" }, el("a", { href: href("tender", one.ocid, { as_of: asOf, edition }) }, one.title), el("span", { class: "quiet narrow" }, ` ${inShort(one.date)}`), suppliers && el("span", { class: "quiet" }, `awarded to ${suppliers}`));
}

function exported(found: Process[]) {
  return {
    head: ["ocid", "date", "title", "buyer", "suppliers", "stage", "amount", "currency"],
    rows: found.map((one) => [one.ocid, one.date, one.title, text(one.buyer["name"]), one.suppliers.map((supplier) => text(supplier["name"])).join("; "), one.stage, text(one.value["amount"]), text(one.value["currency"])]),
  };
}
