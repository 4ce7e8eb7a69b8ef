// What there is: how complete and fresh each dataset is, what can be asked for, and whether all parts answer.

import { ask, text, type Answer, type Row } from "../api.ts";
import { showBehind } from "../behind.ts";
import { inShort } from "../dates.ts";
import { choice, el, field, fill } from "../dom.ts";
import { grouped, percent } from "../exact.ts";
import { href, note } from "../route.ts";
import { cut, problem } from "../states.ts";
import { table } from "../table.ts";
import { countryName, DATASETS, readable } from "../words.ts";
import type { Place } from "../view.ts";

const KINDS = ["sources", "line-items", "metrics", "series", "indicators", "signals", "categories", "exchanges"];

export async function coverage(place: Place): Promise<void> {
  const { params } = place.route;
  const skus = Object.keys(DATASETS);
  const [status, ...measures] = await Promise.all([
    fetch("/v1/status").then((response) => response.json() as Promise<Status>),
    ...skus.map((sku) => ask(`/v1/quality-metrics/${sku}`)),
  ]);
  if (!place.alive()) return;
  let kind = KINDS.find((one) => one === params["kind"]) ?? "sources";
  const listed = el("div", { "aria-live": "polite" });
  fill(
    place.root,
    el("p", { class: "over" }, "Coverage and freshness"),
    el("h1", {}, "What there is, and how sure we are"),
    health(status),
    el("div", { class: "triple" }, skus.map((sku, at) => quality(sku, measures[at]))),
    el("h2", {}, "Catalogue"),
    el("p", { class: "hint" }, "All that can be asked for, with how many issuers, series or months there are by country."),
    el("div", { class: "controls" }, field("Kind", choice(KINDS.map((value) => ({ value, label: readable(value) })), kind, (to) => ((kind = to), void read(true))))),
    listed,
  );
  await read();

  async function read(step = false): Promise<void> {
    note(href("coverage", "", { kind }), { step });
    showBehind([
      { says: `The catalogue: ${readable(kind)}`, path: `/v1/catalog/${kind}` },
      { says: "Quality of fundamentals", path: "/v1/quality-metrics/AF-FUND" },
      { says: "Whether all parts answer (needs no key)", path: "/v1/status" },
    ]);
    try {
      const answer = await ask(`/v1/catalog/${kind}`);
      if (place.alive()) show([], answer);
    } catch (error) {
      fill(listed, problem(error, () => void read()));
    }
  }

  function show(before: Row[], answer: Answer): void {
    const rows = [...before, ...answer.rows];
    const more = async () => show(rows, await ask(`/v1/catalog/${kind}`, { cursor: answer.nextCursor ?? "" }));
    fill(
      listed,
      table(
        `Catalogue: ${readable(kind)}`,
        [
          { head: "Key", cell: (row) => named(kind, text(row["key"])) },
          { head: "Meaning", cell: (row) => el("span", { class: "meaning" }, text(row["definition"]) || "–") },
          { head: "By country", wide: true, cell: (row) => countries((row["coverage"] ?? {}) as Row) },
          { head: "From", wide: true, cell: (row) => (text(row["first_date"]) ? inShort(text(row["first_date"])) : "–") },
          { head: "To", wide: true, cell: (row) => (text(row["last_date"]) ? inShort(text(row["last_date"])) : "no data") },
        ],
        rows,
      ),
      answer.nextCursor && cut(`Shown: the first ${rows.length}.`, { label: "Show more", act: () => void more().catch((error: unknown) => listed.append(problem(error, () => void read()))) }),
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
    el("h2", {}, DATASETS[sku] ?? sku),
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

function told(row: Row): string {
  const value = text(row["value"]);
  if (value === "UNMEASURED") return "not measured";
  const show = text(row["unit"]) === "share" ? percent : grouped;
  const floor = text(row["floor"]);
  return `${show(value)}${floor && `, floor ${show(floor)}`}${text(row["status"]) === "fail" ? ", fails" : ""}`;
}

function named(kind: string, key: string): HTMLElement {
  const target = { metrics: href("screen", "", { metric: key }), series: href("macro", "", { series: key }), signals: href("tenders", "", { signal: key }) }[kind];
  return target ? el("a", { href: target }, key) : el("code", {}, key);
}

function countries(coverage: Row): HTMLElement {
  const entries = Object.entries(coverage).filter(([code]) => code !== "none");
  const said = entries.map(([code, count]) => `${code} ${text(count)}`).join(", ");
  return el("span", { class: "countries", title: entries.map(([code]) => countryName(code)).join(", ") }, said || "–");
}
