// What can be asked for, how complete each dataset is, and whether all parts of the service answer.

import { actions } from "../actions.ts";
import { ask, text, type Answer, type Row } from "../api.ts";
import { showBehind } from "../behind.ts";
import { inShort } from "../dates.ts";
import { choice, el, field, fill, type Child } from "../dom.ts";
import { grouped } from "../exact.ts";
import { number } from "../numbers.ts";
import { choiceParam, go, href } from "../route.ts";
import { cut, problem } from "../states.ts";
import { table } from "../table.ts";
import { countryName, DATASETS, readable } from "../words.ts";
import type { Place } from "../view.ts";

const KINDS = ["sources", "line-items", "metrics", "series", "indicators", "signals", "categories", "exchanges"];

export async function coverage(place: Place): Promise<void> {
  const skus = Object.keys(DATASETS);
  const sku = choiceParam(place.route, "dataset", skus) ?? skus[0] ?? "";
  const kind = choiceParam(place.route, "kind", KINDS) ?? "metrics";
  const [status, measures, answer] = await Promise.all([
    fetch("/v1/status").then((response) => response.json() as Promise<Status>),
    ask(`/v1/quality-metrics/${sku}`),
    ask(`/v1/catalog/${kind}`),
  ]);
  if (!place.alive()) return;
  place.title("Coverage and quality");
  let all = answer.rows;
  const listed = el("div", { "aria-live": "polite" });
  const to = (changed: Record<string, string>) => go(href("coverage", "", { kind, dataset: sku, ...changed }));
  const calls = [
    { says: `The catalogue: ${readable(kind)}`, path: `/v1/catalog/${kind}` },
    { says: `Quality of ${(DATASETS[sku] ?? sku).toLowerCase()}`, path: `/v1/quality-metrics/${sku}` },
    { says: "Whether all parts answer (needs no key)", path: "/v1/status" },
  ];
  showBehind(calls);
  fill(
    place.root,
    el("p", { class: "over" }, "Coverage and quality"),
    el("h1", {}, "What there is, and how complete it is"),
    el("p", { class: "lead" }, "What can be asked for, by country and period, with the measured quality of each dataset. ", el("a", { href: href("sources") }, "Where it comes from"), "."),
    health(status),
    el(
      "div",
      { class: "controls" },
      field("Catalogue of", choice(KINDS.map((value) => ({ value, label: readable(value) })), kind, (value) => to({ kind: value }))),
      field("Quality of", choice(skus.map((value) => ({ value, label: DATASETS[value] ?? value })), sku, (value) => to({ dataset: value }))),
    ),
    el("h2", {}, `Catalogue: ${readable(kind)}`),
    listed,
    quality(sku, measures),
    actions(() => ({ title: `Catalogue of ${readable(kind).toLowerCase()}`, calls, table: exported(all) })),
  );
  show([], answer);

  function show(before: Row[], answer: Answer): void {
    const rows = [...before, ...answer.rows];
    all = rows;
    const more = async () => show(rows, await ask(`/v1/catalog/${kind}`, { cursor: answer.nextCursor ?? "" }));
    fill(
      listed,
      table(
        `Catalogue: ${readable(kind)}`,
        [
          { head: "Name", cell: (row) => named(kind, text(row["key"])) },
          { head: "Meaning", cell: (row) => el("span", { class: "meaning" }, text(row["definition"]) || "–") },
          { head: "By country", wide: true, cell: (row) => countries((row["coverage"] ?? {}) as Row) },
          { head: "From", wide: true, cell: (row) => (text(row["first_date"]) ? inShort(text(row["first_date"])) : "–") },
          { head: "To", wide: true, cell: (row) => (text(row["last_date"]) ? inShort(text(row["last_date"])) : "no data") },
        ],
        rows,
      ),
      answer.nextCursor && cut(`Shown: the first ${rows.length}.`, { label: "Show more", act: () => void more().catch((error: unknown) => listed.append(problem(error, () => void more()))) }),
    );
  }
}

interface Status {
  status: string;
  edition: number | null;
  version: string;
  degraded: string[];
  checks: Record<string, { ok: boolean }>;
}

function health(status: Status): HTMLElement {
  const well = status.degraded.length === 0;
  return el(
    "p",
    { class: `health ${well ? "well" : "ill"}` },
    el("strong", {}, well ? "All parts answer. " : `Silent: ${status.degraded.join(", ")}. `),
    `Edition ${status.edition ?? "unknown"} is current, version ${status.version} of the API.`,
  );
}

function quality(sku: string, answer: Answer | undefined): HTMLElement {
  const whole = (answer?.rows ?? []).filter((row) => !text(row["measure"]).includes("."));
  const find = (name: string) => whole.find((row) => text(row["measure"]) === name);
  const covers = whole.filter((row) => text(row["measure"]).startsWith("coverage_"));
  const fresh = find("freshness");
  return el(
    "section",
    { class: "card quality" },
    el("h2", {}, `Quality: ${DATASETS[sku] ?? sku}`),
    el("p", { class: "meta" }, covers.map((row) => `${grouped(text(row["value"]))} ${text(row["unit"])}`).join(" · ")),
    fresh && el("p", {}, el("strong", {}, `${text(fresh["value"])} days`), " since the newest value became public"),
    el(
      "ul",
      { class: "checks" },
      whole
        .filter((row) => !covers.includes(row) && row !== fresh)
        .map((row) => el("li", { class: standing(row) }, el("span", {}, readable(text(row["measure"]))), el("span", { class: "check-value" }, told(row)))),
    ),
  );
}

/** The class of a check: a measure without a floor has none, as it can neither pass nor fail. */
function standing(row: Row): string | null {
  const status = text(row["status"]).toLowerCase();
  return status === "no_floor" ? null : status;
}

function told(row: Row): Child {
  const value = text(row["value"]);
  if (value === "UNMEASURED") return "not measured";
  const unit = text(row["unit"]) === "share" ? "share" : "";
  const floor = text(row["floor"]);
  return [number(value, unit), floor && [", floor ", number(floor, unit)], text(row["status"]) === "fail" && ", fails"];
}

function named(kind: string, key: string): HTMLElement {
  const target = { metrics: href("screen", "", { metric: key }), series: href("macro", "", { series: key }), signals: href("signals", "", { signal: key }), sources: href("sources") }[kind];
  return target ? el("a", { href: target }, key) : el("code", {}, key);
}

function countries(coverage: Row): HTMLElement {
  const entries = Object.entries(coverage).filter(([code]) => code !== "none");
  const said = entries.map(([code, count]) => `${code} ${text(count)}`).join(", ");
  return el("span", { class: "countries", title: entries.map(([code]) => countryName(code)).join(", ") }, said || "–");
}

function exported(rows: Row[]) {
  const columns = ["key", "definition", "unit", "formula", "first_date", "last_date", "license_class"];
  return { head: columns, rows: rows.map((row) => columns.map((name) => text(row[name]))) };
}
