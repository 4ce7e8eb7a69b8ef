// What can be taken out of a view: its table as CSV, its chart as PNG, a citation, and its calls to copy.

import { address } from "./api.ts";
import { copyButton } from "./behind.ts";
import { asCurl, asPython, asTool, type Call } from "./calls.ts";
import { el } from "./dom.ts";
import { isSandbox, sandboxKey } from "./key.ts";

export interface Table {
  head: string[];
  /** Exact values, as the API sent them. */
  rows: string[][];
}

export interface ActionsView {
  /** Names the view with its day: the title of the citation, of the picture and of the files. */
  title: string;
  /** The calls that give the view. The first one is cited. */
  calls: Call[];
  table?: Table;
  /** An element that holds the canvas of a chart. */
  chart?: HTMLElement;
}

/** Return the row of buttons of a view. A function is called on each click, for a view that changes. */
export function actions(view: ActionsView | (() => ActionsView)): HTMLElement {
  const now = typeof view === "function" ? view : () => view;
  const first = now();
  const key = isSandbox() && sandboxKey() ? sandboxKey() : "YOUR_KEY";
  const written = (write: (call: Call) => string | null) => () => now().calls.map(write).filter((text) => text !== null).join("\n\n");
  return el(
    "div",
    { class: "take", role: "group", "aria-label": `Download, cite or copy: ${first.title}` },
    first.table && el("button", { type: "button", onclick: () => download(now(), "csv") }, "CSV"),
    first.chart && el("button", { type: "button", onclick: () => download(now(), "png") }, "PNG"),
    copyButton(() => citation(now()), "Cite: copy a citation", "Cite"),
    copyButton(written((call) => asCurl(call, location.origin, key)), "Copy as curl", "curl"),
    copyButton(written((call) => asPython(call, location.origin, key)), "Copy as Python", "Python"),
    first.calls.some((call) => asTool(call) !== null) && copyButton(written(asTool), "Copy as a call of an MCP tool", "MCP"),
  );
}

/** Write a citation: what, of which edition, at which address, and the day it was read. */
export function citation(view: ActionsView, today = new Date().toISOString().slice(0, 10)): string {
  const [call] = view.calls;
  const edition = call?.params?.["edition"];
  const place = call ? `${location.origin}${address(call.path, call.params)}` : location.href;
  return `${view.title}. Sankofa${edition ? `, edition ${edition}` : ""}. ${place} (accessed ${today}).`;
}

/** Write a table as RFC 4180 CSV. */
export function csv({ head, rows }: Table): string {
  const cell = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return [head, ...rows].map((row) => row.map(cell).join(",")).join("\r\n") + "\r\n";
}

export function fileName(title: string, ending: string): string {
  const name = title.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");
  return `${name.slice(0, 80) || "sankofa"}.${ending}`;
}

function download(view: ActionsView, kind: "csv" | "png"): void {
  if (kind === "csv" && view.table) return save(new Blob([csv(view.table)], { type: "text/csv" }), fileName(view.title, kind));
  const canvas = view.chart?.querySelector("canvas");
  if (canvas) picture(canvas, view.title).toBlob((blob) => blob && save(blob, fileName(view.title, kind)), "image/png");
}

function save(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  el("a", { href: url, download: name }).click();
  URL.revokeObjectURL(url);
}

/** Draw a chart on paper, with its title above and its origin below: a canvas alone is transparent and unnamed. */
function picture(chart: HTMLCanvasElement, title: string): HTMLCanvasElement {
  const scale = devicePixelRatio;
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string) => style.getPropertyValue(`--${name}`).trim();
  const made = el("canvas", { width: chart.width + 32 * scale, height: chart.height + 84 * scale });
  const pen = made.getContext("2d")!;
  const font = getComputedStyle(document.body).fontFamily;
  pen.fillStyle = colour("sheet");
  pen.fillRect(0, 0, made.width, made.height);
  pen.fillStyle = colour("ink");
  pen.font = `600 ${15 * scale}px ${font}`;
  pen.fillText(title, 16 * scale, 30 * scale, chart.width);
  pen.drawImage(chart, 16 * scale, 44 * scale);
  pen.fillStyle = colour("quiet");
  pen.font = `${11 * scale}px ${font}`;
  pen.fillText(`Sankofa · ${location.host}`, 16 * scale, made.height - 14 * scale);
  return made;
}
