// Axes of time and value: ticks at round places, a title for each axis.

import { dayNumber, dayOf, inShort, type Day } from "./dates.ts";
import { svg } from "./svg.ts";

export type Scale = (value: number) => number;

export interface Axes {
  from: Day;
  to: Day;
  heights: number[];
  /** Begin the value axis at zero, as bars need it. */
  fromZero?: boolean;
  xTitle: string;
  yTitle: string;
}

/** The area inside the axes, in pixels. */
export interface Frame {
  x: (day: Day) => number;
  y: Scale;
  left: number;
  right: number;
  top: number;
  bottom: number;
}

const MONTH = new Intl.DateTimeFormat("en-GB", { month: "short", timeZone: "UTC" });
const TOP = 26;
const BOTTOM = 50;
const RIGHT = 14;
const LETTER = 7; // px, wide enough for a digit of a tick

export function scale(low: number, high: number, from: number, to: number): Scale {
  const span = high - low || 1;
  return (value) => from + ((value - low) / span) * (to - from);
}

/** Return the area inside the axes, and the axes themselves. */
export function axis(drawing: Axes, width: number, height: number): { frame: Frame; elements: SVGElement[] } {
  const values = valueTicks(drawing.heights, drawing.fromZero ?? false);
  const labels = tickLabels(values);
  const left = Math.max(...labels.map((label) => label.length)) * LETTER + 12;
  const [right, bottom] = [width - RIGHT, height - BOTTOM];
  const along = scale(dayNumber(drawing.from), dayNumber(drawing.to), left, right);
  const x = (day: Day) => along(dayNumber(day));
  const y = scale(values[0] ?? 0, values.at(-1) ?? 1, bottom, TOP);
  const elements: SVGElement[] = [
    svg("text", { class: "axis-title", x: 0, y: 12 }, drawing.yTitle),
    svg("text", { class: "axis-title", x: right, y: height - 6, "text-anchor": "end" }, drawing.xTitle),
  ];
  values.forEach((value, at) => {
    elements.push(svg("line", { class: "grid", x1: left, x2: right, y1: y(value), y2: y(value) }));
    elements.push(svg("text", { class: "tick", x: left - 8, y: y(value) + 4, "text-anchor": "end" }, labels[at] ?? ""));
  });
  for (const { day, label } of dayTicks(drawing.from, drawing.to, (right - left) / 64)) {
    elements.push(svg("text", { class: "tick", x: x(day), y: bottom + 18, "text-anchor": "middle" }, label));
  }
  return { frame: { x, y, left, right, top: TOP, bottom }, elements };
}

/** Return round values that include all that is drawn. */
export function valueTicks(heights: number[], fromZero: boolean, most = 5): number[] {
  const [low, high] = [Math.min(...heights, fromZero ? 0 : Infinity), Math.max(...heights, fromZero ? 0 : -Infinity)];
  if (!Number.isFinite(low)) return [0, 1];
  const span = high - low || Math.abs(high) || 1;
  const rough = span / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10);
  const first = Math.floor((low - (high === low ? span / 2 : 0)) / step);
  const last = Math.ceil((high + (high === low ? span / 2 : 0)) / step);
  return Array.from({ length: last - first + 1 }, (_, at) => Number(((first + at) * step).toPrecision(12)));
}

/** Write ticks with as many digits as tell them apart. */
export function tickLabels(values: number[]): string[] {
  const largest = Math.max(...values.map(Math.abs));
  const step = Math.abs((values[1] ?? 1) - (values[0] ?? 0)) || 1;
  const digits = Math.min(15, Math.max(1, Math.floor(Math.log10(largest / step || 1)) + 2));
  const compact = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: digits });
  return values.map((value) => compact.format(value));
}

/** Return at most so many beginnings of days, months or years between two days. */
export function dayTicks(from: Day, to: Day, most: number): { day: Day; label: string }[] {
  const days = dayNumber(to) - dayNumber(from);
  if (days < 75) {
    const step = Math.max(1, Math.ceil(days / most));
    return Array.from({ length: Math.floor(days / step) + 1 }, (_, at) => dayOf(dayNumber(from) + at * step)).map((day) => ({ day, label: inShort(day).replace(/ \d+$/, "") }));
  }
  const months = [1, 3, 6, 12, 24, 60, 120, 240].find((step) => days / 30.4 / step <= most) ?? 240;
  const [year = 1970] = from.split("-").map(Number);
  const first = Math.floor(year / Math.max(1, months / 12)) * Math.max(1, months / 12);
  const found: { day: Day; label: string }[] = [];
  for (let month = 0; ; month += months) {
    const date = new Date(Date.UTC(first, month, 1));
    const day = date.toISOString().slice(0, 10);
    if (day > to) return found;
    const label = months >= 12 || date.getUTCMonth() === 0 ? String(date.getUTCFullYear()) : MONTH.format(date);
    if (day >= from) found.push({ day, label });
  }
}
