// Tables that scroll inside themselves, so that a page never does sideways.

import { el, type Child } from "./dom.ts";

export interface Column<T> {
  head: string;
  cell: (item: T) => Child;
  /** Numbers stand right, in figures of one width. */
  number?: boolean;
  /** Left out where the screen is narrow. */
  wide?: boolean;
}

export function table<T>(caption: string, columns: Column<T>[], items: T[], mark?: (item: T) => string): HTMLElement {
  const kind = (column: Column<T>) => [column.number && "number", column.wide && "wide"].filter(Boolean).join(" ") || null;
  return el(
    "div",
    { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
    el(
      "table",
      {},
      el("caption", { class: "offscreen" }, caption),
      el("thead", {}, el("tr", {}, columns.map((column) => el("th", { scope: "col", class: kind(column) }, column.head)))),
      el(
        "tbody",
        {},
        items.map((item) =>
          el("tr", { class: mark?.(item) || null }, columns.map((column) => el("td", { class: kind(column) }, column.cell(item)))),
        ),
      ),
    ),
  );
}

/** Names and values in pairs; a value that is missing is said to be unknown. */
export function pairs(items: [string, Child][]): HTMLElement {
  return el(
    "dl",
    { class: "pairs" },
    items.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value || el("span", { class: "quiet" }, "not known")))),
  );
}
