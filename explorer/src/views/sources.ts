// Where the data comes from: each source with its licence, when it last brought something and when it is due.

import { actions } from "../actions.ts";
import { ask, text, type Row } from "../api.ts";
import { showBehind } from "../behind.ts";
import { inFull } from "../dates.ts";
import { el, fill } from "../dom.ts";
import { percent } from "../exact.ts";
import { moment, sentence, type Feed, type Freshness } from "../freshness.ts";
import { href } from "../route.ts";
import { cut, empty } from "../states.ts";
import type { Place } from "../view.ts";

const STATES: Record<Feed["state"], string> = { fresh: "On time", stale: "Late", new: "New", frozen: "Closed", on_request: "On request" };

const LICENCES: Record<string, string> = {
  synthetic: "invented for the demo, not real data",
  "public-domain": "public domain",
  "CC0-1.0": "free to use without conditions",
  "ODC-PDDL-1.0": "free to use without conditions",
  "CC-BY-4.0": "free to use if the publisher is named",
  attribution: "free to use if the publisher is named",
  MIT: "free to use if the licence text is kept",
  "FRED-terms": "under the terms of use of FRED",
  operator: "as the operator of this installation declares it",
  "none-stated": "the publisher states no licence",
  unverified: "not verified yet; check with the publisher before you reuse it",
};

export async function sources(place: Place): Promise<void> {
  const { edition } = place.route.params;
  const [listed, freshness] = await Promise.all([ask("/v1/catalog/sources", { edition }), read()]);
  if (!place.alive()) return;
  const calls = [
    { says: "When each source was fetched and is due (needs no key)", path: "/v1/freshness" },
    { says: "The sources of the edition, with their licences", path: "/v1/catalog/sources", params: { edition: listed.edition } },
  ];
  showBehind(calls);
  const feeds = new Map(freshness.sources.map((feed) => [feed.source, feed]));
  const held = new Set(listed.rows.map((row) => text(row["key"])));
  // A source can be scheduled, or have been fetched, without a row in the edition.
  const rows: Row[] = [...listed.rows, ...freshness.sources.filter((feed) => !held.has(feed.source) && (feed.next_due_at ?? feed.last_good_at) !== null).map((feed) => ({ key: feed.source }))];
  fill(
    place.root,
    el("p", { class: "over" }, "Sources"),
    el("h1", {}, "Where the data comes from"),
    el("p", { class: "lead" }, "Every value cites one of these sources and carries its licence. A source that misses two due times is shown as late. ", "See also ", el("a", { href: href("coverage") }, "coverage and quality"), " and ", el("a", { href: href("editions") }, "what each edition changed"), "."),
    summary(freshness),
    rows.length === 0 ? empty("No source has been loaded yet", "Load documents with ", el("code", {}, "sankofa ingest"), ", then publish.") : el("ul", { class: "sources" }, rows.map((row) => card(row, feeds.get(text(row["key"]))))),
    listed.nextCursor && cut(`These are the first ${rows.length} sources.`),
    actions({ title: "Sources of Sankofa", calls: [...calls].reverse(), table: exported(rows, feeds) }),
  );
}

async function read(): Promise<Freshness> {
  const response = await fetch("/v1/freshness");
  if (!response.ok) throw new Error(`The freshness of the sources could not be read (status ${response.status}). Try again in a moment.`);
  return (await response.json()) as Freshness;
}

function summary({ sources: feeds, stale, checked_at }: Freshness): HTMLElement {
  if (feeds.length === 0) return el("p", { class: "health well" }, "This installation fetches nothing by itself: its documents were loaded by hand, so no source has a due time.");
  const late = stale.length === 0 ? "All scheduled sources are on time." : `Late: ${stale.join(", ")}.`;
  return el("p", { class: `health ${stale.length === 0 ? "well" : "ill"}` }, el("strong", {}, late), ` Checked on ${moment(checked_at)}.`);
}

function card(row: Row, feed: Feed | undefined): HTMLElement {
  const licence = text(row["license_class"]);
  const mapped = text(row["mapped_facts"]);
  return el(
    "li",
    { class: "card source-card" },
    el("div", { class: "card-head" }, el("h2", {}, text(row["definition"]) || text(row["key"])), feed && el("span", { class: `chip state-${feed.state}` }, STATES[feed.state])),
    el("p", { class: "meta" }, el("code", {}, text(row["key"]))),
    el("p", {}, feed ? sentence(feed) : text(row["last_date"]) ? `Its newest document was fetched on ${inFull(text(row["last_date"]))}. It has no schedule here.` : "It has no schedule here."),
    licence && el("p", {}, el("strong", {}, "Licence: "), licence, LICENCES[licence] && ` (${LICENCES[licence]})`),
    mapped && mapped !== "1" && el("p", { class: "hint" }, `${percent(mapped)} of its facts are filed under a standard line item; the rest keep the name of the filing.`),
  );
}

function exported(rows: Row[], feeds: Map<string, Feed>) {
  return {
    head: ["source", "definition", "license_class", "state", "last_good_at", "next_due_at", "stale_at"],
    rows: rows.map((row) => {
      const feed = feeds.get(text(row["key"]));
      return [text(row["key"]), text(row["definition"]), text(row["license_class"]), feed?.state ?? "", feed?.last_good_at ?? "", feed?.next_due_at ?? "", feed?.stale_at ?? ""];
    }),
  };
}
