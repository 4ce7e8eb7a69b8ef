// What all charts share: colours from the style sheet, a size that follows the page, days in UTC.

import uPlot from "uplot";

export interface Colours {
  ink: string;
  quiet: string;
  faint: string;
  line: string;
  accent: string;
  then: string;
  paper: string;
}

function colours(): Colours {
  const style = getComputedStyle(document.documentElement);
  const read = (name: string) => style.getPropertyValue(`--${name}`).trim();
  return {
    ink: read("ink"),
    quiet: read("quiet"),
    faint: read("faint"),
    line: read("line"),
    accent: read("accent"),
    then: read("then"),
    paper: read("paper"),
  };
}

const COMPACT = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 4 });
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** Axes of time and value; ticks are for orientation, and exact values stand in the text beside the chart. */
export function axes(colour: Colours, { grid = true } = {}): uPlot.Axis[] {
  const font = `12px ${getComputedStyle(document.body).fontFamily}`;
  const common = { stroke: colour.quiet, font, ticks: { show: false }, border: { show: false } };
  return [
    {
      ...common,
      grid: { show: false },
      space: 46,
      size: 44,
      values: (_plot, splits, _axis, _space, step) => splits.map((split, at) => tick(split, step, splits[at - 1])),
    },
    {
      ...common,
      grid: { show: grid, stroke: colour.line, width: 1 },
      size: 56,
      values: (_plot, splits) => splits.map((split) => COMPACT.format(split)),
    },
  ];
}

/** Name a tick by its year, or by its month with the year below where that begins. */
function tick(split: number, step: number, before: number | undefined): string {
  const date = new Date(split * 1000);
  const year = date.getUTCFullYear();
  if (step >= 365 * 86_400) return String(year);
  const month = MONTHS[date.getUTCMonth()] ?? "";
  const named = step >= 28 * 86_400 ? month : `${date.getUTCDate()} ${month}`;
  return before === undefined || new Date(before * 1000).getUTCFullYear() !== year ? `${named}\n${year}` : named;
}

export interface Built {
  options: Omit<uPlot.Options, "width" | "height">;
  data: uPlot.AlignedData;
}

export interface Plot {
  current: () => uPlot;
  rebuild: () => void;
}

/** Draw a chart into a host, and again whenever its width or the colours of the page change. */
export function plot(host: HTMLElement, height: () => number, build: (colour: Colours) => Built, drawn: (made: uPlot) => void): Plot {
  let made: uPlot | undefined;
  const rebuild = () => {
    made?.destroy();
    const { options, data } = build(colours());
    made = new uPlot(
      {
        ...options,
        tzDate: (moment) => uPlot.tzDate(new Date(moment * 1e3), "Etc/UTC"),
        width: host.clientWidth || 320,
        height: height(),
        legend: { show: false },
      },
      data,
      host,
    );
    placed();
  };
  // uPlot gives its parts their sizes in a microtask of its own, which comes before this one.
  const placed = () => queueMicrotask(() => made && drawn(made));
  rebuild();
  const follow = new ResizeObserver(() => {
    if (!made || !host.isConnected || host.clientWidth === made.width) return;
    made.setSize({ width: host.clientWidth, height: height() });
    placed();
  });
  follow.observe(host);
  const repaint = () => (host.isConnected ? rebuild() : removeEventListener("themechange", repaint));
  addEventListener("themechange", repaint);
  return { current: () => made as uPlot, rebuild };
}

/** Range of values with some air above and below. */
export function airy(_plot: uPlot, low: number | null, high: number | null): [number, number] {
  if (low === null || high === null) return [0, 1];
  const air = (high - low || Math.abs(high) || 1) * 0.12;
  return [low - air, high + air];
}
