// What was published when, sealed by a digest, and what each edition changed.

import { actions } from "../actions.ts";
import { ask, text, type Answer, type Params, type Row } from "../api.ts";
import { copyButton, showBehind } from "../behind.ts";
import { inFull, inShort } from "../dates.ts";
import { choice, el, field, fill } from "../dom.ts";
import { grouped, total } from "../exact.ts";
import { number } from "../numbers.ts";
import { href, note } from "../route.ts";
import { cut, empty, problem } from "../states.ts";
import { table } from "../table.ts";
import { countryName, DATASETS, readable, REASONS } from "../words.ts";
import type { Place } from "../view.ts";

const COMMON_ITEM = "total_assets"; // almost every issuer reports it: the panel of it names organisations
const MOST_NAMES = 25;

export async function editions(place: Place): Promise<void> {
  const { params } = place.route;
  const listed = await ask("/v1/editions");
  if (!place.alive()) return;
  const names = new Map<string, string>();
  let reason = params["reason"] ?? "restated";
  let dataset = params["dataset"] ?? "AF-FUND";
  let since = params["since"] ?? "0";
  const feed = el("div", { class: "feed", "aria-live": "polite" });
  const all = { value: "", label: "All" };
  const starts = [{ value: "0", label: "the beginning" }, ...listed.rows.map((row) => ({ value: text(row["edition"]), label: `edition ${text(row["edition"])}` }))];
  fill(
    place.root,
    el("p", { class: "over" }, "Editions and changes"),
    el("h1", {}, "Nothing is rewritten"),
    el("p", { class: "lead" }, "Each publish is a numbered edition that goes on answering as it did. Its digest is chained to the one before: note it today, and you can tell later whether history was touched."),
    el("ol", { class: "editions" }, listed.rows.map(one)),
    listed.truncated && cut(`These are the newest ${listed.rows.length} editions.`),
    el("h2", {}, "What changed"),
    el("p", { class: "hint" }, "Every value that an edition put or removed, and why. A copy of the data is kept up to date by following this feed."),
    el(
      "div",
      { class: "controls" },
      field("Dataset", choice([all, ...Object.entries(DATASETS).map(([value, label]) => ({ value, label }))], dataset, (to) => ((dataset = to), void read(true)))),
      field("Reason", choice([all, ...Object.keys(REASONS).map((value) => ({ value, label: readable(value) }))], reason, (to) => ((reason = to), void read(true)))),
      field("Since", choice(starts, since, (to) => ((since = to), void read(true)))),
    ),
    feed,
  );
  await read();

  /** Read the names of organisations that are not known yet; one without the line item keeps its id. */
  async function nameAll(rows: Row[]): Promise<void> {
    const ids = [...new Set(rows.map((row) => text(row["service_id"])))].filter((id) => id && !names.has(id)).slice(0, MOST_NAMES);
    if (ids.length === 0) return;
    const panel = await ask("/v1/panel", { service_id: ids.join(","), line_item: COMMON_ITEM });
    for (const row of panel.rows) names.set(text(row["service_id"]), text(row["legal_name"]));
  }

  function asked(): Params {
    return { since, dataset, reason };
  }

  function calls() {
    return [
      { says: "The changes", path: "/v1/changes", params: asked() },
      { says: "The editions", path: "/v1/editions" },
    ];
  }

  async function read(step = false): Promise<void> {
    note(href("editions", "", { reason, dataset, since }), { step });
    showBehind(calls());
    try {
      const answer = await ask("/v1/changes", asked());
      await nameAll(answer.rows);
      if (place.alive()) show([], answer);
    } catch (error) {
      fill(feed, problem(error, () => void read()));
    }
  }

  function show(before: Row[], answer: Answer): void {
    const rows = [...before, ...answer.rows];
    const more = async () => {
      const next = await ask("/v1/changes", { cursor: answer.nextCursor ?? "" });
      await nameAll(next.rows);
      show(rows, next);
    };
    if (rows.length === 0) {
      return fill(feed, empty("No such change", "No edition of this choice put or removed a value for this reason. Choose another reason, or all of them, or begin earlier."));
    }
    fill(
      feed,
      reason && el("p", { class: "hint" }, `${readable(reason)}: ${REASONS[reason] ?? ""}.`),
      changes(rows, names),
      actions({ title: "Changes of editions", calls: calls(), table: exported(rows, names) }),
      answer.nextCursor && cut(`Shown: the first ${rows.length} changes.`, { label: "Show more", act: () => void more().catch((error: unknown) => feed.append(problem(error, () => void read()))) }),
    );
  }
}

function changes(rows: Row[], names: Map<string, string>): HTMLElement {
  return table(
    "Changes",
    [
      { head: "Edition", number: true, wide: true, cell: (row) => text(row["edition"]) },
      { head: "Change", wide: true, cell: (row) => `${text(row["change"])}, ${text(row["reason"])}` },
      { head: "Of", cell: (row) => subject(row, names) },
      { head: "Value", number: true, cell: (row) => (text(row["value"]) ? number(text(row["value"]), text(row["unit"])) : "–") },
      { head: "For", wide: true, cell: (row) => (text(row["period_end"]) ? inShort(text(row["period_end"])) : "–") },
      { head: "Vintage", number: true, wide: true, cell: (row) => text(row["vintage"]) || "–" },
      { head: "Public since", wide: true, cell: (row) => (text(row["available_at"]) ? inShort(text(row["available_at"])) : "–") },
    ],
    rows,
  );
}

function subject(row: Row, names: Map<string, string>): HTMLElement {
  const measure = text(row["measure"]);
  const id = text(row["service_id"]);
  const issuer = id && text(row["dataset"]) === "AF-FUND";
  const period = `${text(row["period_start"])}..${text(row["period_end"])}~${text(row["unit"])}`;
  const named = text(row["dataset"]) === "AF-MACRO" ? measure : readable(measure);
  return el(
    "span",
    { class: "subject" },
    issuer ? el("a", { href: href("company", id, { item: measure, period, as_of: text(row["available_at"]) }) }, named) : named,
    el("span", { class: "quiet" }, " ", id ? names.get(id) ?? id : countryName(text(row["country_iso3"]) ? text(row["country_iso3"]) : "none")),
  );
}

function one(row: Row): HTMLElement {
  const numbered = text(row["edition"]);
  const published = text(row["published_at"]);
  const taken = ((row["takedowns"] ?? []) as Row[]).length;
  const digest = text(row["digest"]);
  return el(
    "li",
    { class: "card" },
    el("h2", {}, `Edition ${numbered}`),
    el("p", { class: "meta" }, `Published on ${inFull(published.slice(0, 10))} at ${published.slice(11, 16)} UTC`, taken > 0 && ` · ${taken} takedowns`),
    el("p", { class: "digest" }, el("code", {}, digest), copyButton(digest, `Copy the digest of edition ${numbered}`)),
    summary(row["datasets"] as Row),
    el("a", { href: href("company", "", { edition: numbered }) }, "Explore this edition"),
  );
}

function summary(datasets: Row): HTMLElement {
  const told = Object.entries(datasets).flatMap(([name, counts]) => {
    const { put, removed } = counts as { put: Row; removed: Row };
    const [added, gone] = [put, removed].map((by) => total(Object.values(by).map((count) => text(count))));
    return added === "0" && gone === "0" ? [] : [`${DATASETS[name] ?? readable(name)} +${grouped(added ?? "0")}${gone === "0" ? "" : ` −${grouped(gone ?? "0")}`}`];
  });
  return el("p", { class: "chips" }, told.length ? told.sort().map((said) => el("span", { class: "chip" }, said)) : el("span", { class: "chip" }, "no rows changed"));
}

function exported(rows: Row[], names: Map<string, string>) {
  const columns = ["edition", "change", "reason", "dataset", "service_id", "measure", "value", "unit", "period_start", "period_end", "vintage", "available_at", "source_ref"];
  return { head: ["legal_name", ...columns], rows: rows.map((row) => [names.get(text(row["service_id"])) ?? "", ...columns.map((name) => text(row[name]))]) };
}
