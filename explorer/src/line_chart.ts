// Values by date, as one or two lines: what was known then, and what is known now.

import uPlot from "uplot";
import { seconds, type Day } from "./dates.ts";
import { el } from "./dom.ts";
import { pixelValue, type Digits } from "./exact.ts";
import { airy, axes, plot, type Colours } from "./plot.ts";

const HALF_MONTH = 16 * 86_400; // so that the first and the last bar are whole

export interface Dot {
  day: Day;
  digits: Digits;
}

export interface Curve {
  dots: Dot[];
  tone: "now" | "then";
}

export interface LineChart {
  element: HTMLElement;
  show: (curves: Curve[]) => void;
}

export function lineChart(curves: Curve[], { bars = false, picked }: { bars?: boolean; picked?: (day: Day) => void } = {}): LineChart {
  const host = el("div", { class: "chart", "aria-hidden": "true" });
  let shown = curves;
  let days: Day[] = [];
  const drawn = plot(host, () => (host.clientWidth < 560 ? 200 : 280), build, (made) => {
    made.over.onclick = () => {
      const at = made.cursor.idx;
      const day = at === null || at === undefined ? undefined : days[at];
      if (day !== undefined) picked?.(day);
    };
  });

  function build(colour: Colours) {
    days = [...new Set(shown.flatMap((curve) => curve.dots.map((dot) => dot.day)))].sort();
    const columns = shown.map((curve) => {
      const by = new Map(curve.dots.map((dot) => [dot.day, pixelValue(dot.digits)]));
      return days.map((day) => by.get(day) ?? null);
    });
    const range = bars ? (p: uPlot, low: number | null, high: number | null): [number, number] => [Math.min(0, low ?? 0), airy(p, Math.min(0, low ?? 0), high)[1]] : airy;
    return {
      options: {
        scales: { y: { range }, ...(bars && { x: { range: (_plot: uPlot, low: number, high: number): [number, number] => [low - HALF_MONTH, high + HALF_MONTH] } }) },
        axes: axes(colour),
        series: [{}, ...shown.map((curve) => styled(curve, colour, bars))],
        cursor: { y: false, drag: { x: false, y: false }, points: { size: 9 } },
        padding: [10, 14, 0, 0] as [number, number, number, number],
      },
      data: [days.map(seconds), ...columns] as uPlot.AlignedData,
    };
  }

  return {
    element: host,
    show: (next) => {
      shown = next;
      drawn.rebuild();
    },
  };
}

function styled(curve: Curve, colour: Colours, bars: boolean): uPlot.Series {
  const stroke = curve.tone === "now" ? colour.accent : colour.then;
  const paths = bars ? uPlot.paths.bars?.({ size: [0.7, 28] }) : undefined;
  return {
    stroke,
    width: bars ? 0 : 2,
    ...(bars && { fill: stroke }),
    ...(curve.tone === "then" && !bars && { dash: [6, 4] }),
    ...(paths && { paths }),
    points: { show: !bars && curve.dots.length < 80, size: 5, fill: stroke },
    spanGaps: false,
  };
}
