// The big figure: what was known, of what, on which day.

import { text, type Row } from "./api.ts";
import { inFull, type Day } from "./dates.ts";
import { el, fill } from "./dom.ts";
import { grouped, inWords } from "./exact.ts";

export interface BigFigure {
  element: HTMLElement;
  show: (row: Row | null, day: Day, of: number, withdrawn: boolean) => void;
}

export function bigFigure(): BigFigure {
  const value = el("output", { class: "value", "data-value": "" });
  const unit = el("span", { class: "unit" });
  const words = el("p", { class: "in-words" });
  const said = el("p", { class: "said", "aria-live": "polite" });
  const element = el("div", { class: "figure" }, el("p", { class: "amount" }, value, " ", unit), words, said);

  return {
    element,
    show(row, day, of, withdrawn) {
      const digits = row ? text(row["value_reported"]) : "";
      value.textContent = digits ? grouped(digits) : "Not known";
      value.dataset["value"] = digits;
      value.classList.toggle("none", !digits);
      value.classList.toggle("long", digits.length > 12);
      unit.textContent = digits ? text(row?.["unit"]) : "";
      const spoken = digits && inWords(digits);
      words.textContent = spoken ? `${spoken} ${text(row?.["unit"])}` : "\u00a0";
      fill(said, el("strong", {}, `As known on ${inFull(day)}. `), explain(row, of, withdrawn));
    },
  };
}

function explain(row: Row | null, of: number, withdrawn: boolean): string {
  if (row) {
    const vintage = of > 1 ? `Vintage ${text(row["vintage"])} of ${of}, public` : "Public";
    return `${vintage} since ${inFull(text(row["available_at"]))}.`;
  }
  if (withdrawn) return "It had been reported before, and was withdrawn by this day.";
  return "It had not been reported yet. Nothing is estimated in its place.";
}
