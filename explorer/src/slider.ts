// The as-of control: a slider over days, a date to type, and steps to the days on which something changed.

import { clamped, dayNumber, dayOf, inFull, isDay, type Day } from "./dates.ts";
import { el } from "./dom.ts";

const SETTLED_AFTER = 160; // ms without a move

export interface AsOfControl {
  element: HTMLElement;
  track: HTMLElement;
  day: () => Day;
  /** Move to a day, as if a hand had done it. */
  move: (day: Day) => void;
  /** Say on which days something changed, in order. */
  stops: (days: Day[]) => void;
}

export function asOfControl(options: {
  first: Day;
  last: Day;
  day: Day;
  label: string;
  moved: (day: Day) => void;
  settled: (day: Day) => void;
}): AsOfControl {
  const { first, last } = options;
  let day = clamped(options.day, first, last);
  let changes: Day[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;

  const range = el("input", {
    type: "range",
    class: "time",
    min: dayNumber(first),
    max: dayNumber(last),
    step: 1,
    "aria-label": options.label,
    oninput: () => move(dayOf(Number(range.value))),
    onkeydown: steps,
  });
  const date = el("input", { type: "date", min: first, max: last, "aria-label": "As of, as a date" });
  date.addEventListener("change", () => isDay(date.value) && move(date.value));
  const back = el("button", { type: "button", class: "icon", "aria-label": "Change before", title: "The day before the last change", onclick: () => jump(-1) }, "‹");
  const on = el("button", { type: "button", class: "icon", "aria-label": "Change after", title: "The next change", onclick: () => jump(1) }, "›");
  const end = el("button", { type: "button", onclick: () => move(last) }, "Newest");
  const track = el("div", { class: "track" }, range);
  const element = el(
    "div",
    { class: "as-of" },
    el("div", { class: "as-of-steps" }, el("label", { class: "as-of-date" }, el("span", { class: "as-of-word" }, "As of "), date), back, on, end),
    track,
    el("p", { class: "hint offscreen" }, "Arrow keys move a day, Page Up and Page Down a month."),
  );
  back.hidden = on.hidden = true;

  function move(to: Day): void {
    day = clamped(to, first, last);
    show();
    options.moved(day);
    clearTimeout(timer);
    timer = setTimeout(() => options.settled(day), SETTLED_AFTER);
  }

  function show(): void {
    range.value = String(dayNumber(day));
    range.setAttribute("aria-valuetext", inFull(day));
    date.value = day;
    back.disabled = before() === undefined;
    on.disabled = after() === undefined;
    end.disabled = day === last;
  }

  // The day before a change is where the older value is seen; the day itself is where the newer one is.
  function before(): Day | undefined {
    const change = changes.findLast((stop) => stop <= day);
    return change === undefined || change <= first ? undefined : dayOf(dayNumber(change) - 1);
  }

  function after(): Day | undefined {
    return changes.find((stop) => stop > day && stop <= last);
  }

  function jump(direction: number): void {
    const to = direction < 0 ? before() : after();
    if (to !== undefined) move(to);
  }

  // Arrows move a day, as the browser does by itself; pages move a month, with Shift a year.
  function steps(event: KeyboardEvent): void {
    const direction = { PageUp: 1, PageDown: -1 }[event.key];
    if (direction === undefined) return;
    event.preventDefault();
    move(dayOf(dayNumber(day) + direction * (event.shiftKey ? 365 : 30)));
  }

  show();
  return {
    element,
    track,
    day: () => day,
    move,
    stops: (stops) => {
      changes = stops;
      back.hidden = on.hidden = stops.length === 0;
      show();
    },
  };
}
