// Releases of tenders, by buyer and one by one.

import { text, type Row } from "./api.ts";
import { inShort } from "./dates.ts";
import { el } from "./dom.ts";
import { number } from "./numbers.ts";
import { href } from "./route.ts";
import { table } from "./table.ts";
import { readable } from "./words.ts";

/** Count releases by buyer, the busiest first. */
export function byBuyer(releases: Row[]): HTMLElement {
  const counts = new Map<string, { name: string; id: string; count: number }>();
  for (const release of releases) {
    const buyer = (release["buyer"] ?? {}) as Row;
    const id = text(buyer["service_id"]);
    const entry = counts.get(id) ?? { name: text(buyer["name"]) || "Buyer not stated or withheld", id, count: 0 };
    entry.count += 1;
    counts.set(id, entry);
  }
  const sorted = [...counts.values()].sort((a, b) => b.count - a.count || a.name.localeCompare(b.name));
  const most = sorted[0]?.count ?? 1;
  return el(
    "ol",
    { class: "buyers" },
    sorted.map(({ name, id, count }) => {
      const length = el("span", {});
      length.style.width = `${(count / most) * 100}%`;
      return el("li", {}, el("span", { class: "buyer-name" }, id ? el("a", { href: href("company", id) }, name) : name), el("span", { class: "buyer-count" }, String(count)), el("span", { class: "bar", "aria-hidden": "true" }, length));
    }),
  );
}

/** Return releases as a table; the year is left out where all are of one month. */
export function releaseTable(releases: Row[], { years = false } = {}): HTMLElement {
  return table(
    "Releases",
    [
      { head: "Date", cell: (row) => el("span", { class: "nowrap" }, dated(row, years)) },
      { head: "What", cell: what },
      { head: "Stage", wide: true, cell: (row) => ((row["tag"] ?? []) as string[]).map(readable).join(", ") },
      { head: "Value", number: true, cell: valueOf },
    ],
    releases,
  );
}

function dated(row: Row, years: boolean): string {
  const day = inShort(text(row["date"]).slice(0, 10) || text(row["available_at"]));
  return years ? day : day.replace(/ \d+$/, "");
}

function what(row: Row): HTMLElement {
  const tender = (row["tender"] ?? {}) as Row;
  const awards = (row["awards"] ?? []) as Row[];
  const own = text(tender["title"]) || text(awards[0]?.["title"]);
  const title = own || (row["text_withheld"] === true ? "Text withheld" : text(row["process_title"]) || text(row["ocid"]));
  const suppliers = awards.flatMap((award) => ((award["suppliers"] ?? []) as Row[]).map((supplier) => text(supplier["name"])));
  const withheld = text(row["withheld_parties"]);
  return el(
    "span",
    { class: "subject" },
    title,
    suppliers.length > 0 && el("span", { class: "quiet" }, ` awarded to ${[...new Set(suppliers)].join(", ")}`),
    withheld !== "0" && withheld && el("span", { class: "quiet" }, ` ${withheld} withheld`),
  );
}

function valueOf(row: Row): HTMLElement | string {
  const tender = (row["tender"] ?? {}) as Row;
  const stated = (((row["awards"] ?? []) as Row[])[0]?.["value"] ?? tender["value"] ?? {}) as Row;
  const amount = text(stated["amount"]);
  return amount ? number(amount, text(stated["currency"])) : "–";
}
