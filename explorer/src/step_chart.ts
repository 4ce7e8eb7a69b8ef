// Value against availability: each line begins on the day its value became known and steps when it was restated.
// What lies after the as-of day is veiled, as it was to those who lived then.

import { text, type Row } from "./api.ts";
import type { Day } from "./dates.ts";
import { pixelValue } from "./exact.ts";
import { exactly } from "./numbers.ts";
import { plot, reading, type Drawing } from "./plot.ts";
import type { Frame } from "./scales.ts";
import { path, svg } from "./svg.ts";

export interface Line {
  /** Rows with `available_at`, `known_until` and `value_reported`, the oldest first. */
  vintages: Row[];
  chosen: boolean;
  /** Stands where the line begins. */
  name: string;
}

export interface StepChart {
  element: HTMLElement;
  veil: (day: Day) => void;
  show: (lines: Line[]) => void;
}

export function stepChart(options: {
  first: Day;
  last: Day;
  day: Day;
  lines: Line[];
  label?: string;
  yTitle?: string;
  track?: HTMLElement;
  opened: (row: Row) => void;
  scrubbed: (day: Day) => void;
}): StepChart {
  let { lines, day } = options;
  const made = plot({
    label: options.label ?? "The reported value against the day it became public",
    draw,
    scrub: options.scrubbed,
    ...(options.track && { track: options.track }),
  });

  function draw(): Drawing {
    const rows = lines.flatMap((line) => line.vintages.filter(hasValue));
    return {
      from: options.first,
      to: options.last,
      heights: rows.map(height),
      xTitle: "day it was public",
      yTitle: options.yTitle ?? text(rows[0]?.["unit"]),
      points: lines.flatMap((line) => line.vintages.filter(hasValue).map((row) => pointOf(row, line))).sort((a, b) => (a.day < b.day ? -1 : 1)),
      paint,
    };
  }

  function pointOf(row: Row, line: Line) {
    const more = [line.name, `vintage ${text(row["vintage"])}`].filter(Boolean).join(", ");
    return { day: text(row["available_at"]), height: height(row), says: reading(exactly(text(row["value_reported"]), text(row["unit"])), text(row["available_at"]), more), open: () => options.opened(row) };
  }

  function paint(frame: Frame): SVGElement[] {
    const ordered = [...lines].sort((a, b) => Number(a.chosen) - Number(b.chosen));
    return [...ordered.flatMap((line) => drawn(line, frame)), ...curtain(frame)];
  }

  function drawn(line: Line, frame: Frame): SVGElement[] {
    const tone = line.chosen ? "chosen" : "faint";
    const places: ([number, number] | null)[] = [];
    for (const row of line.vintages.filter(hasValue)) {
      const [from, until] = [text(row["available_at"]), text(row["known_until"]) || options.last];
      if (until === from) continue;
      const y = frame.y(height(row));
      const before = places.at(-1);
      if (before && before[0] !== frame.x(from)) places.push(null);
      places.push([frame.x(from), y], [frame.x(until), y]);
    }
    const first = line.vintages.find(hasValue);
    return [
      path(places, `curve ${tone}`),
      ...line.vintages.filter(hasValue).map((row) => svg("circle", { class: `dot ${tone}`, cx: frame.x(text(row["available_at"])), cy: frame.y(height(row)), r: line.chosen ? 5 : 3 })),
      ...(first ? [svg("text", { class: `line-name ${tone}`, x: frame.x(text(first["available_at"])) + 8, y: frame.y(height(first)) - 7 }, line.name)] : []),
    ];
  }

  function curtain(frame: Frame): SVGElement[] {
    const x = Math.max(frame.left, frame.x(day));
    return [
      svg("rect", { class: "curtain", x, y: frame.top, width: Math.max(0, frame.right - x), height: frame.bottom - frame.top }),
      svg("line", { class: "as-of-line", x1: x, x2: x, y1: frame.top, y2: frame.bottom }),
    ];
  }

  return {
    element: made.element,
    veil: (to) => {
      day = to;
      const [old, line] = [made.element.querySelector("rect.curtain"), made.element.querySelector(".as-of-line")];
      const [rect, edge] = curtain(made.frame());
      if (old && rect) old.replaceWith(rect);
      if (line && edge) line.replaceWith(edge);
    },
    show: (next) => {
      lines = next;
      made.redraw();
    },
  };
}

function hasValue(row: Row): boolean {
  return text(row["value_reported"]) !== "";
}

function height(row: Row): number {
  return pixelValue(text(row["value_reported"]));
}
