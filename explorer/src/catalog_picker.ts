// Choosing a metric or a series: the catalogue is read when its list is opened, so a page does not pay for it.

import { text, walk, type Row } from "./api.ts";
import { el, fill } from "./dom.ts";
import { cut, problem, reading } from "./states.ts";

const MOST_PAGES = 8;

export interface CatalogPicker {
  kind: "metrics" | "series";
  /** The face of the button. */
  label: string;
  title: string;
  edition: string | undefined;
  name: (row: Row) => string;
  take: (row: Row) => void;
}

/** Return a button that opens a list to search in. */
export function catalogPicker({ kind, label, title, edition, name, take }: CatalogPicker): HTMLElement {
  const sought = el("input", { type: "search", "aria-label": "Search in the list", placeholder: "Part of a name", autocomplete: "off", oninput: () => show() });
  const listed = el("div", { class: "picks" });
  const dialog = el("dialog", { class: "catalog", "aria-label": title }, el("div", { class: "card-head" }, el("h2", {}, title), el("button", { type: "button", onclick: () => dialog.close() }, "Close")), sought, listed);
  let rows: Row[] = [];
  let more = false;

  async function open(): Promise<void> {
    dialog.showModal();
    sought.focus();
    if (rows.length > 0) return;
    fill(listed, reading("the catalogue"));
    try {
      const read = await walk(`/v1/catalog/${kind}`, { edition }, { most: MOST_PAGES });
      rows = read.rows;
      more = read.nextCursor !== null;
      show();
    } catch (error) {
      fill(listed, problem(error, () => void open()));
    }
  }

  function show(): void {
    const words = sought.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = rows.filter((row) => words.every((word) => `${name(row)} ${text(row["key"])} ${text(row["definition"])}`.toLowerCase().includes(word)));
    fill(
      listed,
      found.length === 0 && el("p", { class: "hint" }, `No entry contains “${sought.value}”.`),
      found.map((row) =>
        el(
          "button",
          { type: "button", class: "pick", onclick: () => (dialog.close(), take(row)) },
          el("span", {}, name(row)),
          text(row["definition"]) !== name(row) && el("span", { class: "quiet" }, text(row["definition"])),
        ),
      ),
      more && cut(`These are the first ${rows.length} entries of the catalogue.`),
    );
  }

  return el("span", { class: "catalog-picker" }, el("button", { type: "button", onclick: () => void open() }, label), dialog);
}
