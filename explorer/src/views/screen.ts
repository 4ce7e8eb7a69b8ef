// All issuers by one ratio, as they could be ranked on a day, beside their rank now.

import { ask, text, walk, type Answer, type Row } from "../api.ts";
import { showBehind } from "../behind.ts";
import { clamped, inFull, inShort, isDay, type Day } from "../dates.ts";
import { choice, el, field, fill } from "../dom.ts";
import { pixelValue } from "../exact.ts";
import { href, note } from "../route.ts";
import { asOfControl } from "../slider.ts";
import { cut, empty, problem } from "../states.ts";
import { table } from "../table.ts";
import { ABSENCES, countryName, readable } from "../words.ts";
import type { Place } from "../view.ts";

const FIRST = "net_margin";
const BASES = "/docs/methodology/metrics/#the-two-bases";

export async function screen(place: Place): Promise<void> {
  const { params } = place.route;
  const { edition } = params;
  const metrics = (await walk("/v1/catalog/metrics", { edition })).rows;
  let metric = metrics.find((row) => text(row["key"]) === params["metric"]) ?? metrics.find((row) => text(row["key"]) === FIRST) ?? metrics[0];
  if (!metric) return fill(place.root, empty("No metric is published yet", "Publish fundamentals first."));
  let country = params["country"] ?? "";
  let order = params["order"] === "asc" ? "asc" : "desc";
  let basis = params["basis"] === "exact" ? "exact" : "as_known";
  const newest = await ask("/v1/screen", asked());
  if (!place.alive()) return;
  const last = newest.asOf ?? text(metric["last_date"]);
  const first = clamped(text(metric["first_date"]), "1990-01-01", last);
  let day = clamped(isDay(params["as_of"]) ? params["as_of"] : last, first, last);

  const meaning = el("p", { class: "definition" });
  const result = el("div", { class: "result", "aria-live": "polite" });
  const countries = el("div", {});
  const control = asOfControl({ first, last, day, label: "As of: the day of the ranking", moved: title, settled: (to) => void settle(to) });
  const heading = el("h2", {});
  fill(
    place.root,
    el("p", { class: "over" }, "Screen"),
    el("h1", {}, "Who led, as it could be known then"),
    el("p", { class: "lead" }, "Each issuer is ranked by its last full year published by the day you choose, with the figures of that day. ", el("a", { href: BASES }, "The two bases"), "."),
    el(
      "div",
      { class: "controls" },
      field("Metric", choice(metrics.map((row) => ({ value: text(row["key"]), label: readable(text(row["key"])) })), text(metric["key"]), takeMetric)),
      countries,
      field("Order", choice([{ value: "desc", label: "Largest first" }, { value: "asc", label: "Smallest first" }], order, (to) => ((order = to), void settle(day, true)))),
      field("Figures", choice([{ value: "as_known", label: "As known on the day" }, { value: "exact", label: "Only those never revised since" }], basis, (to) => ((basis = to), void settle(day, true)))),
    ),
    meaning,
    el("section", { class: "card" }, heading, control.element),
    result,
  );
  offerCountries();
  title(day);
  await settle(day);

  function asked(on?: Day) {
    return { metric: text(metric?.["key"]), country: country || undefined, order: order === "asc" ? "asc" : undefined, as_of: on, basis, absent: "true", edition };
  }

  function takeMetric(key: string): void {
    metric = metrics.find((row) => text(row["key"]) === key) ?? metric;
    if (!(country in coverage())) country = "";
    offerCountries();
    void settle(day, true);
  }

  function coverage(): Row {
    return (metric?.["coverage"] ?? {}) as Row;
  }

  function offerCountries(): void {
    // What the address asks for stands in the list, also where it has nobody.
    const asked = country ? { [country]: "0" } : {};
    const known = Object.entries({ ...asked, ...coverage() }).filter(([code]) => code !== "none");
    const options = known.map(([code, count]) => ({ value: code, label: `${countryName(code)} (${text(count)})` }));
    options.sort((a, b) => a.label.localeCompare(b.label));
    fill(countries, field("Country", choice([{ value: "", label: "All countries" }, ...options], country, (to) => ((country = to), void settle(day, true)))));
  }

  function title(to: Day): void {
    day = to;
    heading.textContent = `As known on ${inFull(day)}`;
  }

  async function settle(to: Day, step = false): Promise<void> {
    day = to;
    note(href("screen", "", { metric: text(metric?.["key"]), country, order: order === "asc" ? "asc" : "", as_of: day === last ? "" : day, basis: basis === "exact" ? basis : "", edition }), { step });
    meaning.textContent = `${text(metric?.["definition"])} Formula: ${text(metric?.["formula"])}.`;
    showBehind([{ says: `The ranking as known on ${inShort(day)}`, path: "/v1/screen", params: asked(day) }]);
    try {
      const [then, now] = await Promise.all([ask("/v1/screen", asked(day)), ask("/v1/screen", asked())]);
      if (place.alive() && day === to) show(then, now);
    } catch (error) {
      fill(result, problem(error, () => void settle(to)));
    }
  }

  function show(then: Answer, now: Answer): void {
    const ranks = new Map(now.rows.map((row) => [text(row["service_id"]), text(row["rank"])]));
    const widest = Math.max(...then.rows.map((row) => Math.abs(pixelValue(text(row["value"])))), Number.MIN_VALUE);
    const past = day !== last;
    fill(
      result,
      then.rows.length === 0
        ? empty("Nobody can be ranked on this day", "No issuer had published all that the formula needs. Choose a later day, another metric or all countries.")
        : table(
            "The ranking",
            [
              { head: "Rank", number: true, cell: (row) => text(row["rank"]) },
              ...(past ? [{ head: "Now", number: true, cell: (row: Row) => moved(text(row["rank"]), ranks.get(text(row["service_id"])), now.truncated) }] : []),
              { head: "Issuer", cell: (row) => el("a", { href: href("issuer", text(row["service_id"]), { as_of: past ? day : "", edition }) }, text(row["legal_name"])) },
              { head: "Country", wide: true, cell: (row) => countryName(text(row["country"]) || "none") },
              { head: "Value", number: true, cell: (row) => text(row["value"]) },
              ...(then.rows.some((row) => row["revised_later"] === true) ? [{ head: "Revised later", cell: (row: Row) => (row["revised_later"] === true ? "yes" : "") }] : []),
              { head: "", wide: true, cell: (row) => bar(pixelValue(text(row["value"])) / widest) },
              { head: "Year to", wide: true, cell: (row) => inShort(text(row["period_end"])) },
              { head: "Public since", wide: true, cell: (row) => inShort(text(row["published_at"])) },
            ],
            then.rows,
          ),
      then.truncated && cut(`These are the first ${then.rows.length} of the ranking.`),
      absences(then.extra["absent"] as Row | undefined),
    );
  }
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

function absences(absent: Row | undefined): HTMLElement {
  const told = Object.entries(absent ?? {}).filter(([, count]) => text(count) !== "0");
  return el(
    "section",
    { class: "absent" },
    el("h2", {}, "Who is left out, and why"),
    told.length === 0
      ? el("p", { class: "hint" }, "Nobody: each issuer of this selection has a value on this day.")
      : el("ul", {}, told.map(([reason, count]) => el("li", {}, el("strong", {}, text(count)), ` ${ABSENCES[reason] ?? readable(reason)} `, el("code", {}, reason)))),
  );
}
