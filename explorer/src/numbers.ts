// Numbers for people: rounded to three significant digits in words, with the exact value on hover and on copy.
// Rounding works on the digits that were sent; no value passes through a binary float.

import { el } from "./dom.ts";
import { grouped, percent, type Digits } from "./exact.ts";

const SCALES: [number, string][] = [[12, "trillion"], [9, "billion"], [6, "million"]];
const SIGNIFICANT = 3;
const SPACE = "\u00a0";

/** Ratios that are read as multiples ("1.8×"); all other metrics are read as percentages. */
const MULTIPLES = /_ratio$|_turnover$|_coverage$|^debt_to_equity$|^net_debt_to_ebitda$|^cash_(flow_to_debt|conversion)$/;
const SHARES = /^(equity|claims)_ratio$/;

/** Return the unit of a metric for `forPeople`: "share" or "times". The API sends metrics without a unit. */
export function metricUnit(metric: string): "share" | "times" {
  return MULTIPLES.test(metric) && !SHARES.test(metric) ? "times" : "share";
}

/**
 * Format a value for reading: 1150000000 KES as "1.15 billion KES", 0.2070007514 share as "20.7 %".
 *
 * Units with a meaning of their own: "share" (0.5 is 50 %), "percent" or "%" (0.5 is 0.5 %), "times" (0.5×).
 * Any other unit is appended. Text that is not a plain decimal number is returned unchanged.
 */
export function forPeople(value: Digits, unit = ""): string {
  if (!/^-?\d+(\.\d+)?$/.test(value)) return [value, unit].filter(Boolean).join(SPACE);
  if (unit === "share") return `${places(moved(value, 2), 1)}${SPACE}%`;
  if (unit === "percent" || unit === "%") return `${places(value, 1)}${SPACE}%`;
  if (unit === "times") return `${places(value, 2)}×`;
  return [scaled(value), unit].filter(Boolean).join(SPACE);
}

/** Format the exact value: every digit that was sent, in groups of three. */
export function exactly(value: Digits, unit = ""): string {
  if (unit === "share") return percent(value);
  if (unit === "percent" || unit === "%") return `${grouped(value)}${SPACE}%`;
  if (unit === "times") return `${grouped(value)}×`;
  return [grouped(value), unit].filter(Boolean).join(SPACE);
}

/** Return an element that shows a value for people, the exact value on hover, and its digits when copied. */
export function number(value: Digits, unit = ""): HTMLElement {
  return el("data", { class: "exact", value, title: exactly(value, unit) }, forPeople(value, unit));
}

/** Let a copied selection hold the exact digits of each number in it. Call once. */
export function copyExactDigits(): void {
  document.addEventListener("copy", (event) => {
    const selection = getSelection();
    if (!selection || selection.rangeCount === 0 || !event.clipboardData) return;
    const box = el("div", {}, selection.getRangeAt(0).cloneContents());
    const numbers = [...box.querySelectorAll<HTMLDataElement>("data.exact")];
    const inside = selection.anchorNode?.parentElement?.closest<HTMLDataElement>("data.exact");
    if (numbers.length === 0 && !(inside && selection.toString() === inside.textContent)) return;
    for (const one of numbers) one.textContent = one.value;
    const rows = [...box.querySelectorAll("tr")];
    const copied = rows.map((row) => [...row.cells].map((cell) => cell.textContent?.trim() ?? "").join("\t")).join("\n");
    event.clipboardData.setData("text/plain", numbers.length === 0 ? inside!.value : rows.length > 0 ? copied : box.textContent ?? "");
    event.preventDefault();
  });
}

/** Shorten a large value to a word, and a small one to two places after the point. */
function scaled(value: Digits): string {
  const size = value.replace("-", "").split(".")[0]!.length - 1;
  const scale = SCALES.find(([power]) => size >= power);
  if (!scale) return places(value, size >= 4 ? 0 : 2);
  const [power, name] = scale;
  const shown = places(moved(value, -power), Math.max(0, SIGNIFICANT - 1 - (size - power)));
  // 999,999,999 rounds to 1,000 million, which is one billion.
  const next = SCALES[SCALES.indexOf(scale) - 1];
  if (next && shown.replace("−", "") === "1,000") return `${shown.replace("1,000", "1")} ${next[1]}`;
  return `${shown} ${name}`;
}

/** Move the decimal point to the right, or to the left where `by` is negative. */
function moved(value: Digits, by: number): Digits {
  const [, sign = "", whole = "", rest = ""] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(value) ?? [];
  const digits = by >= 0 ? whole + rest.padEnd(by, "0") : whole.padStart(1 - by, "0") + rest;
  const point = by >= 0 ? whole.length + by : Math.max(whole.length, 1 - by) + by;
  const left = digits.slice(point);
  return `${sign}${digits.slice(0, point)}${left && `.${left}`}`;
}

/** Round half away from zero to so many places, drop trailing zeros, and group the digits. */
function places(value: Digits, most: number): string {
  const [, sign = "", whole = "", rest = ""] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(value) ?? [];
  const scaledUp = BigInt(whole + rest.slice(0, most).padEnd(most, "0")) + ((rest[most] ?? "0") >= "5" ? 1n : 0n);
  const digits = scaledUp.toString().padStart(most + 1, "0");
  const cut = digits.length - most;
  const tail = digits.slice(cut).replace(/0+$/, "");
  return grouped(`${scaledUp === 0n ? "" : sign}${digits.slice(0, cut)}${tail && `.${tail}`}`);
}
