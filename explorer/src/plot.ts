// What all charts share: an SVG with titled axes, and a reader of values for mouse, touch and keys.

import { dayNumber, dayOf, inShort, type Day } from "./dates.ts";
import { el } from "./dom.ts";
import { axis, type Axes, type Frame } from "./scales.ts";
import { svg } from "./svg.ts";

const NEAR = 28; // px: a point that is further away from a press is not meant by it

/** A value that can be read off a chart. */
export interface Point {
  day: Day;
  /** Where it stands; a float places a pixel and is never shown. */
  height: number;
  /** The exact value in words. */
  says: string;
  /** What a click or the Enter key does. */
  open?: (() => void) | undefined;
}

export interface Drawing extends Axes {
  points: Point[];
  paint: (frame: Frame) => SVGElement[];
}

export interface Plot {
  element: HTMLElement;
  redraw: () => void;
  frame: () => Frame;
}

export interface PlotOptions {
  label: string;
  draw: () => Drawing;
  /** A slider's track that is kept as wide as the time axis. */
  track?: HTMLElement;
  /** Gets the day under the pointer while it is pressed beside every point. */
  scrub?: (day: Day) => void;
}

/** Return a chart that follows the width of the page. */
export function plot({ label, draw, track, scrub }: PlotOptions): Plot {
  const canvas = svg("svg", { role: "img", "aria-label": label });
  const tip = el("div", { class: "tip", "aria-hidden": "true" });
  const spoken = el("p", { class: "offscreen", "aria-live": "polite" });
  const element = el(
    "div",
    { class: "chart", tabindex: "0", role: "group", "aria-label": `${label}. Arrow keys read the values.` },
    tip,
    spoken,
  );
  element.prepend(canvas);
  let drawing = draw();
  let frame: Frame;
  let at = -1;

  function redraw(): void {
    drawing = draw();
    const width = Math.max(element.clientWidth, 280);
    const height = width < 560 ? 240 : 320;
    const made = axis(drawing, width, height);
    frame = made.frame;
    canvas.setAttribute("viewBox", `0 0 ${width} ${height}`);
    canvas.setAttribute("width", String(width));
    canvas.setAttribute("height", String(height));
    const focus = svg("circle", { class: "focus", r: 6, visibility: "hidden" });
    canvas.replaceChildren(...made.elements, ...drawing.paint(frame), focus);
    if (track) {
      track.style.marginLeft = `${frame.left}px`;
      track.style.width = `${frame.right - frame.left}px`;
    }
    hide();
  }

  function show(index: number, aloud: boolean): void {
    const point = drawing.points[index];
    if (!point) return hide();
    at = index;
    const [x, y] = [frame.x(point.day), frame.y(point.height)];
    const focus = canvas.querySelector(".focus");
    focus?.setAttribute("cx", String(x));
    focus?.setAttribute("cy", String(y));
    focus?.setAttribute("visibility", "visible");
    tip.textContent = point.says;
    tip.classList.add("on");
    const half = tip.offsetWidth / 2;
    tip.style.left = `${Math.min(Math.max(x, half), element.clientWidth - half)}px`;
    tip.style.top = `${y < tip.offsetHeight + 14 ? y + 14 : y - tip.offsetHeight - 14}px`;
    if (aloud) spoken.textContent = point.says;
  }

  function hide(): void {
    at = -1;
    tip.classList.remove("on");
    canvas.querySelector(".focus")?.setAttribute("visibility", "hidden");
  }

  /** Return the point nearest to a pointer: by time first, then by value. */
  function nearest(event: PointerEvent, most = Infinity): number {
    const box = canvas.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    let [best, found] = [Infinity, -1];
    drawing.points.forEach((point, index) => {
      const [aside, above] = [frame.x(point.day) - x, frame.y(point.height) - y];
      const away = Math.hypot(aside * 2, above);
      if (away < best && Math.hypot(aside, above) < most) [best, found] = [away, index];
    });
    return found;
  }

  function dayAt(event: PointerEvent): Day {
    const share = (event.clientX - canvas.getBoundingClientRect().left - frame.left) / (frame.right - frame.left);
    const [first, last] = [dayNumber(drawing.from), dayNumber(drawing.to)];
    return dayOf(Math.round(first + Math.min(Math.max(share, 0), 1) * (last - first)));
  }

  element.addEventListener("pointermove", (event) => show(nearest(event), false));
  // A finger that is lifted leaves the value shown.
  element.addEventListener("pointerleave", (event) => event.pointerType !== "touch" && hide());
  element.addEventListener("blur", hide);
  element.addEventListener("pointerdown", (event) => {
    const index = nearest(event, scrub ? NEAR : Infinity);
    // A click opens a point; a finger reads it first, and opens it with a second tap.
    const opens = event.pointerType !== "touch" || index === at;
    if (index >= 0) show(index, false);
    if (index >= 0 && opens) return drawing.points[index]?.open?.();
    if (!scrub || index >= 0) return;
    element.setPointerCapture(event.pointerId);
    const follow = (moved: PointerEvent) => scrub(dayAt(moved));
    element.addEventListener("pointermove", follow);
    const end = () => element.removeEventListener("pointermove", follow);
    element.addEventListener("pointerup", end, { once: true });
    element.addEventListener("pointercancel", end, { once: true });
    follow(event);
  });
  element.addEventListener("keydown", (event) => {
    const last = drawing.points.length - 1;
    const step = { ArrowRight: at + 1, ArrowLeft: at < 0 ? last : at - 1, Home: 0, End: last }[event.key];
    if (event.key === "Escape") return hide();
    if (event.key === "Enter") {
      event.preventDefault(); // what is opened takes the focus, and would be activated by the same key
      return drawing.points[at]?.open?.();
    }
    if (step === undefined) return;
    event.preventDefault();
    show(Math.min(Math.max(step, 0), last), true);
  });

  let width = 0;
  new ResizeObserver(() => {
    if (!element.isConnected || element.clientWidth === width) return;
    width = element.clientWidth;
    redraw();
  }).observe(element);
  redraw();
  return { element, redraw, frame: () => frame };
}

/** Describe a value and its day for the reader of a chart. */
export function reading(value: string, day: Day, more = ""): string {
  return `${inShort(day)}: ${value}${more && `, ${more}`}`;
}

