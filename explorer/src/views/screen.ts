// All issuers by a metric, as they could be ranked on a day, with further metrics beside it.

import { actions } from "../actions.ts";
import { ask, text, type Answer, type Params, type Row } from "../api.ts";
import { showBehind } from "../behind.ts";
import { catalogPicker } from "../catalog_picker.ts";
import { countryChoice } from "../country_choice.ts";
import { inFull, inShort, shifted, type Day } from "../dates.ts";
import { choice, el, field, fill, type Child } from "../dom.ts";
import { pixelValue } from "../exact.ts";
import { metricUnit, number } from "../numbers.ts";
import { choiceParam, dayParam, go, href, note } from "../route.ts";
import { asOfControl } from "../slider.ts";
import { cut, empty, problem, reading } from "../states.ts";
import { table, type Column } from "../table.ts";
import { ABSENCES, countryName, readable } from "../words.ts";
import type { Place } from "../view.ts";

const FIRST = "net_margin";
const MOST_METRICS = 3; // each is a call
const YEARS = 10; // of the slider; the date beside it takes any day
const BASES = "/docs/methodology/metrics/#the-two-bases";
const AGES = [{ value: "", label: "Of any age" }, { value: "548", label: "At most 18 months old" }, { value: "915", label: "At most 30 months old" }];

export async function screen(place: Place): Promise<void> {
  const { params } = place.route;
  const { edition, country = "", age = "" } = params;
  const metrics = (params["metric"] ?? FIRST).split(",").slice(0, MOST_METRICS);
  const leading = metrics[0] ?? FIRST;
  const order = choiceParam(place.route, "order", ["asc", "desc"]) ?? "desc";
  const basis = choiceParam(place.route, "basis", ["as_known", "exact"]) ?? "as_known";
  const last = new Date().toISOString().slice(0, 10);
  let day = dayParam(place.route, "as_of", undefined, last) ?? last;
  const first = [shifted(last, -365 * YEARS), day].sort()[0] ?? day;
  place.title(`Screen: ${metrics.map(readable).join(", ")}`);

  const heading = el("h2", {});
  const result = el("div", { class: "result", "aria-live": "polite" }, reading("the ranking"));
  const control = asOfControl({ first, last, day, label: "As of: the day of the ranking", moved: tell, settled: (to) => void settle(to) });
  fill(
    place.root,
    el("p", { class: "over" }, "Screen"),
    el("h1", {}, "Who led, as it could be known then"),
    el("p", { class: "lead" }, "Each company is ranked by its last full year published by the day you choose, with the figures of that day. ", el("a", { href: BASES }, "The two bases"), "."),
    el("section", { class: "card" }, heading, control.element),
    el(
      "div",
      { class: "metrics-chosen" },
      metrics.map((metric) => el("span", { class: "chip" }, readable(metric), metrics.length > 1 && el("button", { type: "button", class: "link", "aria-label": `Remove ${readable(metric)}`, onclick: () => to({ metric: metrics.filter((one) => one !== metric).join(",") }) }, "×"))),
      metrics.length < MOST_METRICS && picker("Add a metric", (key) => [...metrics.filter((one) => one !== key), key]),
      picker("Rank by another metric", (key) => [key, ...metrics.slice(1).filter((one) => one !== key)]),
    ),
    el(
      "div",
      { class: "controls" },
      field("Country", countryChoice({ kind: "metrics", chosen: country, all: "All countries", edition, take: (value) => to({ country: value }) })),
      field("Order", choice([{ value: "desc", label: "Largest first" }, { value: "asc", label: "Smallest first" }], order, (value) => to({ order: value === "asc" ? value : "" }))),
      field("Figures", choice([{ value: "as_known", label: "As known on the day" }, { value: "exact", label: "Only those never revised since" }], basis, (value) => to({ basis: value === "exact" ? value : "" }))),
      field("Year", choice(AGES.some((one) => one.value === age) ? AGES : [...AGES, { value: age, label: `At most ${age} days old` }], age, (value) => to({ age: value }))),
    ),
    result,
  );
  tell(day);
  await settle(day);

  function picker(label: string, chosen: (key: string) => string[]): HTMLElement {
    return catalogPicker({ kind: "metrics", label, title: "Metrics", edition, name: (row) => readable(text(row["key"])), take: (row) => to({ metric: chosen(text(row["key"])).join(",") }) });
  }

  function address(changed: Record<string, string> = {}): string {
    return href("screen", "", { metric: metrics.join(","), country, order: order === "asc" ? order : "", as_of: day === last ? "" : day, basis: basis === "exact" ? basis : "", age, edition, ...changed });
  }

  function to(changed: Record<string, string>): void {
    go(address(changed));
  }

  function tell(on: Day): void {
    day = on;
    heading.textContent = `As known on ${inFull(day)}`;
  }

  function asked(metric: string, on: Day | undefined): Params {
    return { metric, country, order: order === "asc" ? order : undefined, as_of: on === last ? undefined : on, basis, max_age_days: age, absent: metric === leading ? "true" : undefined, edition };
  }

  async function settle(on: Day): Promise<void> {
    note(address());
    const calls = metrics.map((metric) => ({ says: `${readable(metric)} as known on ${inShort(day)}`, path: "/v1/screen", params: asked(metric, day) }));
    showBehind(calls);
    const compared = day !== last && metrics.length < MOST_METRICS;
    try {
      const [now, then, ...others] = await Promise.all([compared ? ask("/v1/screen", asked(leading, last)) : null, ...metrics.map((metric) => ask("/v1/screen", asked(metric, day)))]);
      if (place.alive() && day === on && then) fill(result, ...shown(then, others as Answer[], now), actions(() => ({ title: `${metrics.map(readable).join(", ")} as known on ${inFull(day)}`, calls, table: exported(then, others as Answer[]) })));
    } catch (error) {
      fill(result, problem(error, () => void settle(on)));
    }
  }

  function shown(then: Answer, others: Answer[], now: Answer | null): Child[] {
    if (then.rows.length === 0) return [empty("Nobody can be ranked on this day", "No issuer had published all that the formula needs. Choose a later day, another metric or all countries."), absences(then)];
    const ranks = new Map(now?.rows.map((row) => [text(row["service_id"]), text(row["rank"])]));
    const widest = Math.max(...then.rows.map((row) => Math.abs(pixelValue(text(row["value"])))), Number.MIN_VALUE);
    const columns: Column<Row>[] = [
      { head: "Rank", number: true, cell: (row) => text(row["rank"]) },
      ...(now ? [{ head: "Now", number: true, wide: true, cell: (row: Row) => moved(text(row["rank"]), ranks.get(text(row["service_id"])), now.truncated) }] : []),
      { head: "Company", cell: company },
      { head: readable(leading), number: true, cell: (row) => number(text(row["value"]), metricUnit(leading)) },
      ...(others.length > 1 ? [] : [{ head: "", wide: true, cell: (row: Row) => bar(pixelValue(text(row["value"])) / widest) }]),
      ...others.map((other, at) => beside(metrics[at + 1] ?? "", other)),
      ...(then.rows.some((row) => row["revised_later"] === true) ? [{ head: "Revised later", cell: (row: Row) => (row["revised_later"] === true ? "yes" : "") }] : []),
      { head: "Year to", wide: true, cell: (row) => inShort(text(row["period_end"])) },
      { head: "Public since", wide: true, cell: (row) => inShort(text(row["published_at"])) },
    ];
    return [table("The ranking", columns, then.rows), then.truncated && cut(`These are the first ${then.rows.length} of the ranking.`), absences(then)];
  }

  function company(row: Row): HTMLElement {
    const [id, where] = [text(row["service_id"]), text(row["country"])];
    const as_of = day === last ? "" : day;
    return el("span", { class: "subject company" }, el("a", { href: href("company", id, { as_of, edition }) }, text(row["legal_name"])), el("span", { class: "quiet" }, where ? el("a", { href: href("country", where, { as_of }) }, countryName(where)) : countryName("none")));
  }
}

/** A further metric of the companies that are listed. Its own ranking is read, so one far down in it is not found. */
function beside(metric: string, answer: Answer): Column<Row> {
  const values = new Map(answer.rows.map((row) => [text(row["service_id"]), text(row["value"])]));
  const missing = answer.truncated ? "not among the rows read" : "no value on this day";
  return {
    head: readable(metric),
    number: true,
    cell: (row) => {
      const value = values.get(text(row["service_id"]));
      return value === undefined ? el("span", { class: "quiet", title: missing }, "–") : number(value, metricUnit(metric));
    },
  };
}

function exported(then: Answer, others: Answer[]) {
  const columns = ["rank", "service_id", "legal_name", "country", "metric", "value", "period_end", "published_at", "revised_later"];
  const cell = (row: Row, name: string) => (typeof row[name] === "boolean" ? String(row[name]) : text(row[name]));
  return { head: columns, rows: [then, ...others].flatMap((answer) => answer.rows.map((row) => columns.map((name) => cell(row, name)))) };
}

function moved(then: string, now: string | undefined, cutOff: boolean): HTMLElement {
  if (now === undefined) return el("span", { class: "quiet", title: cutOff ? "beyond the rows read" : "has no value now" }, "–");
  const up = Number(then) - Number(now);
  const sign = up > 0 ? "▲" : up < 0 ? "▼" : "=";
  const said = up > 0 ? "better now" : up < 0 ? "worse now" : "the same";
  return el("span", { class: `moved ${up > 0 ? "up" : up < 0 ? "down" : ""}` }, now, " ", el("span", { "aria-hidden": "true" }, sign), el("span", { class: "offscreen" }, ` ${said}`));
}

function bar(share: number): HTMLElement {
  const inner = el("span", { class: share < 0 ? "below" : null });
  inner.style.width = `${Math.abs(share) * 100}%`;
  return el("span", { class: "bar", "aria-hidden": "true" }, inner);
}

function absences(answer: Answer): HTMLElement {
  const counted = Object.entries((answer.extra["absent"] ?? {}) as Row).filter(([, count]) => text(count) !== "0");
  return el(
    "section",
    { class: "absent" },
    el("h2", {}, "Who is left out, and why"),
    counted.length === 0
      ? el("p", { class: "hint" }, "Nobody: each issuer of this selection has a value on this day.")
      : el("ul", {}, counted.map(([reason, count]) => el("li", {}, el("strong", {}, text(count)), ` ${ABSENCES[reason] ?? readable(reason)} `, el("code", {}, reason)))),
  );
}
