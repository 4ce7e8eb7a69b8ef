// Every vintage of a figure as a list: the points of the chart, for the keyboard, screen readers and small screens.

import { api, read, text, type Row } from "./api.ts";
import { copyButton } from "./behind.ts";
import { inFull, type Day } from "./dates.ts";
import { el, fill } from "./dom.ts";
import { number } from "./numbers.ts";
import { pairs } from "./table.ts";
import { BASES } from "./words.ts";

export interface VintageList {
  element: HTMLElement;
  show: (vintages: Row[], links: (row: Row) => { page: string; rest: string }) => void;
  mark: (day: Day, standing: Row | null) => void;
  open: (row: Row) => void;
}

export function vintageList(): VintageList {
  const list = el("ol", { class: "vintages" });
  const items = new Map<string, HTMLDetailsElement>();

  return {
    element: list,
    show(vintages, links) {
      items.clear();
      fill(list, vintages.map((row, at) => el("li", {}, item(row, vintages[at - 1], links(row)))));
    },
    mark(day, standing) {
      for (const [id, details] of items) {
        const future = (details.dataset["day"] ?? "") > day;
        details.classList.toggle("future", future);
        details.classList.toggle("stands", id === text(standing?.["fact_id"]));
        const badge = details.querySelector(".badge");
        if (badge) badge.textContent = future ? "not public yet" : id === text(standing?.["fact_id"]) ? "valid on this day" : "replaced";
      }
    },
    open(row) {
      const details = items.get(text(row["fact_id"]));
      if (!details) return;
      details.open = true;
      details.querySelector("summary")?.focus();
    },
  };

  function item(row: Row, before: Row | undefined, links: { page: string; rest: string }): HTMLElement {
    const value = text(row["value_reported"]);
    const details = el(
      "details",
      { "data-day": text(row["available_at"]), name: "vintage" },
      el(
        "summary",
        {},
        el("span", { class: "vintage-head" }, `Vintage ${text(row["vintage"])}`, el("span", { class: "badge" })),
        el("span", { class: "vintage-value" }, value ? number(value, text(row["unit"])) : "taken down"),
        el("span", { class: "vintage-day" }, `public since ${inFull(text(row["available_at"]))}`, before && ", restated"),
      ),
      sourceOf(row, links),
    );
    details.addEventListener("toggle", () => void findFiling(row, details), { once: true });
    items.set(text(row["fact_id"]), details);
    return details;
  }
}

/** Link to the filing at its publisher, once somebody opens the vintage: that costs one call. */
async function findFiling(row: Row, details: HTMLDetailsElement): Promise<void> {
  const place = details.querySelector(".filing");
  if (!place) return;
  try {
    const versions = await read(api().fact(text(row["fact_id"])));
    const url = versions.rows.find((one) => String(one.vintage) === text(row["vintage"]))?.source_url;
    fill(place, url && /^https?:/.test(url) ? el("a", { class: "button", href: url, rel: "noreferrer" }, "Open the filing") : "No page at the publisher is known for it.");
  } catch {
    fill(place, "The page of the filing could not be looked up.");
  }
}

/** Return where a row comes from, under which licence, and the addresses that keep giving it. */
export function sourceOf(row: Row, links: { page: string; rest: string }): HTMLElement {
  const basis = text(row["available_at_basis"]);
  const page = new URL(links.page, location.href).href;
  return el(
    "div",
    { class: "source" },
    pairs([
      ["Filing", [[text(row["form"]), text(row["filing_id"])].filter(Boolean).join(" "), " ", el("span", { class: "filing quiet" })]],
      ["Source", el("code", {}, text(row["source_ref"]))],
      ["Licence", text(row["license_class"])],
      ["Public since", text(row["available_at"]) && `${inFull(text(row["available_at"]))}: ${BASES[basis] ?? basis}`],
      ["Fetched by us", text(row["observed_at"]) && inFull(text(row["observed_at"]).slice(0, 10))],
      ["Reported as", { own: "the filing's own period", comparative: "a comparative in a later filing" }[text(row["reported_as"])]],
      ["Fact", el("code", {}, text(row["fact_id"]))],
    ]),
    el(
      "p",
      { class: "actions" },
      el("a", { class: "button permanent", href: links.page }, "Permanent link"),
      copyButton(page, "Copy the permanent link", "Copy link"),
      copyButton(new URL(links.rest, location.href).href, "Copy the permanent address in REST", "Copy REST address"),
    ),
  );
}

