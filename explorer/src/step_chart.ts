// Value against availability: each period is a line that begins on the day it became known and steps when it was
// restated. What lies after the as-of day is veiled, as it was to those who lived then.

import uPlot from "uplot";
import { text, type Row } from "./api.ts";
import { knownOn } from "./as_of.ts";
import { dayOf, seconds, type Day } from "./dates.ts";
import { el } from "./dom.ts";
import { pixelValue } from "./exact.ts";
import { airy, axes, plot, type Colours } from "./plot.ts";

const stepped = uPlot.paths.stepped?.({ align: 1 });
const NEAR = 22; // px from a point that still mean it

export interface Line {
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
  track: HTMLElement;
  opened: (row: Row) => void;
  scrubbed: (day: Day) => void;
}): StepChart {
  const host = el("div", { class: "chart", "aria-hidden": "true" });
  const curtain = el("div", { class: "curtain" });
  let { lines, day } = options;

  const height = () => (host.clientWidth < 560 ? 220 : 300);
  const made = plot(host, height, build, (drawn) => {
    drawn.over.append(curtain);
    drawn.over.onpointerdown = press;
    place(drawn);
  });

  function build(colour: Colours) {
    const turns = lines.flatMap((line) => line.vintages.flatMap((row) => [text(row["available_at"]), text(row["known_until"])]));
    const moments = [...new Set([...turns, options.last])].filter((day) => day !== "").sort();
    const series = lines.map((line) => styled(line, moments, colour));
    const data = [moments.map(seconds), ...lines.map((line) => known(line.vintages, moments))] as uPlot.AlignedData;
    return {
      options: {
        scales: { x: { range: (): [number, number] => [seconds(options.first), seconds(options.last)] }, y: { range: airy } },
        axes: axes(colour, { grid: false }),
        hooks: { draw: [(drawn: uPlot) => label(drawn, lines, colour)] },
        series: [{}, ...series],
        cursor: { show: false },
        padding: [10, 14, 0, 0] as [number, number, number, number],
      },
      data,
    };
  }

  function place(drawn: uPlot): void {
    const edge = drawn.valToPos(seconds(day), "x");
    curtain.style.left = `${Math.max(0, edge)}px`;
    const left = drawn.over.offsetLeft;
    options.track.style.marginLeft = `${left}px`;
    options.track.style.width = `${drawn.over.clientWidth}px`;
  }

  function press(event: PointerEvent): void {
    const drawn = made.current();
    const row = nearest(drawn, event.offsetX, event.offsetY);
    if (row) return options.opened(row);
    const scrub = (moved: PointerEvent) => {
      const box = drawn.over.getBoundingClientRect();
      options.scrubbed(dayOf(Math.round(drawn.posToVal(moved.clientX - box.left, "x") / 86_400)));
    };
    drawn.over.setPointerCapture(event.pointerId);
    drawn.over.onpointermove = scrub;
    drawn.over.onpointerup = drawn.over.onpointercancel = () => (drawn.over.onpointermove = null);
    scrub(event);
  }

  function nearest(drawn: uPlot, x: number, y: number): Row | null {
    const rows = [...lines].sort((a, b) => Number(b.chosen) - Number(a.chosen)).flatMap((line) => line.vintages);
    for (const row of rows) {
      const away = Math.hypot(
        drawn.valToPos(seconds(text(row["available_at"])), "x") - x,
        drawn.valToPos(pixelValue(text(row["value_reported"])), "y") - y,
      );
      if (away < NEAR) return row;
    }
    return null;
  }

  return {
    element: host,
    veil: (to) => {
      day = to;
      place(made.current());
    },
    show: (next) => {
      lines = next;
      made.rebuild();
    },
  };
}

/** The value that stood at each moment: it holds until it is replaced or withdrawn, and is nothing before the first. */
function known(vintages: Row[], moments: Day[]): (number | null)[] {
  return moments.map((moment) => {
    const row = knownOn(vintages, moment);
    return row && text(row["value_reported"]) ? pixelValue(text(row["value_reported"])) : null;
  });
}

function label(drawn: uPlot, lines: Line[], colour: Colours): void {
  const { ctx } = drawn;
  ctx.save();
  ctx.textAlign = "left";
  ctx.textBaseline = "bottom";
  for (const line of lines) {
    const row = line.vintages[0];
    if (!row || !text(row["value_reported"])) continue;
    ctx.font = `${line.chosen ? "600 " : ""}${11 * devicePixelRatio}px ${getComputedStyle(document.body).fontFamily}`;
    ctx.fillStyle = line.chosen ? colour.accent : colour.quiet;
    const x = drawn.valToPos(seconds(text(row["available_at"])), "x", true);
    const y = drawn.valToPos(pixelValue(text(row["value_reported"])), "y", true);
    ctx.fillText(line.name, x + 8 * devicePixelRatio, y - 3 * devicePixelRatio);
  }
  ctx.restore();
}

function styled(line: Line, moments: Day[], colour: Colours): uPlot.Series {
  const stood = line.vintages.filter((row) => text(row["known_until"]) !== text(row["available_at"]));
  const own = new Set(stood.map((row) => moments.indexOf(text(row["available_at"]))));
  const stroke = line.chosen ? colour.accent : colour.faint;
  return {
    stroke,
    width: line.chosen ? 3 : 1.5,
    ...(stepped && { paths: stepped }),
    points: {
      show: true,
      size: line.chosen ? 11 : 6,
      width: line.chosen ? 3 : 1.5,
      stroke,
      fill: line.chosen ? colour.paper : stroke,
      filter: (_plot, _series, show) => (show ? [...own] : null),
    },
  };
}
