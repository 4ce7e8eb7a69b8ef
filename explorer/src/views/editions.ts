// What was published when, sealed by a digest, and what each edition changed.

import { ask, text, type Answer, type Params, type Row } from "../api.ts";
import { copyButton, showBehind } from "../behind.ts";
import { inFull, inShort } from "../dates.ts";
import { choice, el, field, fill } from "../dom.ts";
import { grouped, total } from "../exact.ts";
import { href, note } from "../route.ts";
import { cut, empty, problem } from "../states.ts";
import { table } from "../table.ts";
import { countryName, DATASETS, readable, REASONS } from "../words.ts";
import type { Place } from "../view.ts";

export async function editions(place: Place): Promise<void> {
  const { params } = place.route;
  const listed = await ask("/v1/editions");
  if (!place.alive()) return;
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

  function asked(): Params {
    return { since, dataset, reason };
  }

  async function read(step = false): Promise<void> {
    note(href("editions", "", { reason, dataset, since }), { step });
    showBehind([
      { says: "The changes", path: "/v1/changes", params: asked() },
      { says: "The editions", path: "/v1/editions" },
    ]);
    try {
      const answer = await ask("/v1/changes", asked());
      if (place.alive()) show([], answer);
    } catch (error) {
      fill(feed, problem(error, () => void read()));
    }
  }

  function show(before: Row[], answer: Answer): void {
    const rows = [...before, ...answer.rows];
    const more = async () => show(rows, await ask("/v1/changes", { cursor: answer.nextCursor ?? "" }));
    if (rows.length === 0) {
      return fill(feed, empty("No such change", "No edition of this choice put or removed a value for this reason. Choose another reason, or all of them, or begin earlier."));
    }
    fill(
      feed,
      reason && el("p", { class: "hint" }, `${readable(reason)}: ${REASONS[reason] ?? ""}.`),
      changes(rows),
      answer.nextCursor && cut(`Shown: the first ${rows.length} changes.`, { label: "Show more", act: () => void more().catch((error: unknown) => feed.append(problem(error, () => void read()))) }),
    );
  }
}

function changes(rows: Row[]): HTMLElement {
  return table(
    "Changes",
    [
      { head: "Edition", number: true, wide: true, cell: (row) => text(row["edition"]) },
      { head: "Change", wide: true, cell: (row) => `${text(row["change"])}, ${text(row["reason"])}` },
      { head: "Of", cell: subject },
      { head: "Value", number: true, cell: (row) => (text(row["value"]) ? `${grouped(text(row["value"]))} ${text(row["unit"])}` : "–") },
      { head: "For", wide: true, cell: (row) => (text(row["period_end"]) ? inShort(text(row["period_end"])) : "–") },
      { head: "Vintage", number: true, wide: true, cell: (row) => text(row["vintage"]) || "–" },
      { head: "Public since", wide: true, cell: (row) => (text(row["available_at"]) ? inShort(text(row["available_at"])) : "–") },
    ],
    rows,
  );
}

function subject(row: Row): HTMLElement {
  const measure = text(row["measure"]);
  const id = text(row["service_id"]);
  const issuer = id && text(row["dataset"]) === "AF-FUND";
  const period = `${text(row["period_start"])}..${text(row["period_end"])}~${text(row["unit"])}`;
  const named = text(row["dataset"]) === "AF-MACRO" ? measure : readable(measure);
  return el(
    "span",
    { class: "subject" },
    issuer ? el("a", { href: href("issuer", id, { item: measure, period, as_of: text(row["available_at"]) }) }, named) : named,
    el("span", { class: "quiet" }, " ", id || countryName(text(row["country_iso3"]) ? text(row["country_iso3"]) : "none")),
  );
}

function one(row: Row): HTMLElement {
  const number = text(row["edition"]);
  const published = text(row["published_at"]);
  const taken = ((row["takedowns"] ?? []) as Row[]).length;
  const digest = text(row["digest"]);
  return el(
    "li",
    { class: "card" },
    el("h2", {}, `Edition ${number}`),
    el("p", { class: "meta" }, `Published on ${inFull(published.slice(0, 10))} at ${published.slice(11, 16)} UTC`, taken > 0 && ` · ${taken} takedowns`),
    el("p", { class: "digest" }, el("code", {}, digest), copyButton(digest, `Copy the digest of edition ${number}`)),
    summary(row["datasets"] as Row),
    el("a", { href: href("issuer", "", { edition: number }) }, "Explore as this edition answers"),
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
