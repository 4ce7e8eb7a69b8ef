// Values by date as lines or bars: what is known now, what was known on a day, and every vintage between.

import { dayNumber, dayOf, type Day } from "./dates.ts";
import { pixelValue, type Digits } from "./exact.ts";
import { exactly } from "./numbers.ts";
import { plot, reading, type Drawing, type Plot, type Point } from "./plot.ts";
import type { Frame } from "./scales.ts";
import { path, svg } from "./svg.ts";

const BAR = 22; // px at most

export interface Dot {
  day: Day;
  digits: Digits;
}

export interface Curve {
  dots: Dot[];
  /** `now` and `then` are read off; the lines of other vintages stand behind them. */
  tone: "now" | "then" | "faint";
  name: string;
}

export interface LineChartOptions {
  label: string;
  xTitle: string;
  yTitle: string;
  unit?: string;
  bars?: boolean;
  from?: Day;
  to?: Day;
  /** The as-of day, marked by a line. */
  day?: Day;
  /** The day of the bar or point that is chosen. */
  chosen?: Day;
  /** Names a date in the reader: a bar is a month. */
  called?: (day: Day) => string;
  picked?: (day: Day) => void;
  track?: HTMLElement;
}

export interface LineChart {
  element: HTMLElement;
  show: (curves: Curve[], changed?: Partial<LineChartOptions>) => void;
}

export function lineChart(curves: Curve[], options: LineChartOptions): LineChart {
  let shown = curves;
  let told = options;
  const made: Plot = plot({ label: options.label, draw, ...(options.track && { track: options.track }) });

  function draw(): Drawing {
    const all = shown.flatMap((curve) => curve.dots);
    const days = all.map((dot) => dot.day).sort();
    const air = told.bars ? 16 : 0;
    const [first, last] = [days[0] ?? "2000-01-01", days.at(-1) ?? "2001-01-01"];
    return {
      from: told.from ?? dayOf(dayNumber(first) - air),
      to: told.to ?? dayOf(dayNumber(last) + air),
      heights: all.map((dot) => pixelValue(dot.digits)),
      fromZero: told.bars ?? false,
      xTitle: told.xTitle,
      yTitle: told.yTitle,
      points: shown.filter((curve) => curve.tone !== "faint").flatMap(pointsOf).sort((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0)),
      paint: (frame) => [...shown.flatMap((curve) => (told.bars ? bars(curve, frame) : lines(curve, frame))), ...mark(frame)],
    };
  }

  function pointsOf(curve: Curve): Point[] {
    const several = shown.filter((one) => one.tone !== "faint").length > 1;
    const { called, picked, unit } = told;
    return curve.dots.map(({ day, digits }) => ({
      day,
      height: pixelValue(digits),
      says: called ? `${called(day)}: ${exactly(digits, unit)}` : reading(exactly(digits, unit), day, several ? curve.name : ""),
      open: picked && (() => picked(day)),
    }));
  }

  function bars({ dots }: Curve, frame: Frame): SVGElement[] {
    const wide = Math.min(BAR, Math.max(2, ((frame.right - frame.left) / Math.max(dots.length, 1)) * 0.7));
    return dots.map(({ day, digits }) => {
      const [foot, head] = [frame.y(0), frame.y(pixelValue(digits))];
      const chosen = day === told.chosen ? "bar-mark chosen" : "bar-mark";
      return svg("rect", { class: chosen, x: frame.x(day) - wide / 2, y: Math.min(foot, head), width: wide, height: Math.max(1, Math.abs(foot - head)), rx: 2 });
    });
  }

  function lines({ dots, tone }: Curve, frame: Frame): SVGElement[] {
    const places = [...dots].sort((a, b) => (a.day < b.day ? -1 : 1)).map(({ day, digits }): [number, number] => [frame.x(day), frame.y(pixelValue(digits))]);
    const dotted = tone !== "faint" && dots.length < 80 ? places.map(([cx, cy]) => svg("circle", { class: `dot ${tone}`, cx, cy, r: 3 })) : [];
    return [path(places, `curve ${tone}`), ...dotted];
  }

  function mark(frame: Frame): SVGElement[] {
    if (!told.day) return [];
    const x = frame.x(told.day);
    return [svg("line", { class: "as-of-line", x1: x, x2: x, y1: frame.top, y2: frame.bottom })];
  }

  return {
    element: made.element,
    show: (next, changed = {}) => {
      shown = next;
      told = { ...told, ...changed };
      made.redraw();
    },
  };
}
