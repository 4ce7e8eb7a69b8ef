// A figure through time: the slider moves, and the figure, the chart and the list of vintages follow.

import { address, text, type Row } from "./api.ts";
import { days, knownOn, type Figure } from "./as_of.ts";
import { showBehind } from "./behind.ts";
import { clamped, inFull, inShort, isDay, shifted, type Day } from "./dates.ts";
import { choice, el, field, fill } from "./dom.ts";
import { grouped } from "./exact.ts";
import { bigFigure } from "./figure.ts";
import { definitionOf } from "./line_items.ts";
import { kind, option, periodName, pick, start } from "./periods.ts";
import { href, note } from "./route.ts";
import { asOfControl } from "./slider.ts";
import { stepChart } from "./step_chart.ts";
import type { Place } from "./view.ts";
import { vintageList } from "./vintages.ts";
import { readable } from "./words.ts";

export function timeMachine(place: Place, id: string, all: Figure[], edition: string, last: Day, pinned: string | undefined): void {
  const params = place.route.params;
  const items = [...new Set(all.map((figure) => figure.lineItem))].sort();
  let item = pick(items, params["item"], items.includes("revenue") ? "revenue" : items[0] ?? "");
  let figure = start(ofItem(), params["period"]);
  const first = shifted(all.flatMap((one) => days(one.vintages)).sort()[0] ?? last, -45);
  let day = clamped(isDay(params["as_of"]) ? params["as_of"] : last, first, last);

  const big = bigFigure();
  const list = vintageList();
  const story = el("p", { class: "story" });
  const restated = el("span");
  const beyond = el("button", { type: "button", class: "link" });
  const title = el("h2", { class: "figure-title" });
  const definition = el("p", { class: "definition" });
  const control = asOfControl({ first, last, day, label: "As of: the day whose knowledge is shown", moved, settled });
  const chart = stepChart({
    first,
    last,
    day,
    lines: [],
    track: control.track,
    opened: (row) => (figure.vintages.includes(row) ? list.open(row) : open(row)),
    scrubbed: control.move,
  });
  const periods = el("div", { class: "field" });
  const controls = el("div", { class: "controls" }, field("Line item", choice(items.map((one) => ({ value: one, label: readable(one) })), item, takeItem)), periods);
  place.root.append(
    controls,
    el(
      "div",
      { class: "machine" },
      el("section", { class: "card time-card", "aria-label": "The figure through time" }, title, definition, big.element, story, chart.element, control.element),
      el(
        "section",
        { class: "side", "aria-label": "Every vintage" },
        el("h2", {}, "Every vintage"),
        el("p", { class: "hint" }, "Each time the value changed, and where it was said. Open one for its source."),
        list.element,
      ),
    ),
  );
  choose();

  function ofItem(): Figure[] {
    return all.filter((one) => one.lineItem === item);
  }

  function takeItem(chosen: string): void {
    item = chosen;
    const same = ofItem().find((one) => one.period === figure.period);
    figure = same ?? start(ofItem());
    choose(true);
  }

  function takePeriod(period: string): void {
    figure = ofItem().find((one) => one.period === period) ?? figure;
    choose(true);
  }

  // The list stays while the line item does: whoever is choosing by keys is not thrown out of it.
  function offerPeriods(): void {
    const offered = periods.querySelector("select");
    if (offered && periods.dataset["item"] === item) offered.value = figure.period;
    else fill(periods, field("Period", choice(ofItem().map(option), figure.period, takePeriod)));
    periods.dataset["item"] = item;
  }

  function open(row: Row): void {
    const other = ofItem().find((one) => one.vintages.includes(row));
    if (!other) return;
    figure = other;
    choose(true);
  }

  function question(measure: string, on: Day) {
    return { entity_id: id, measure, as_of: on, edition };
  }

  /** Another figure is looked at. */
  function choose(step = false): void {
    offerPeriods();
    const newest = figure.vintages.at(-1) ?? {};
    title.textContent = `${readable(item)}, ${periodName(newest)}`;
    definition.textContent = "\u00a0";
    const asked = item;
    void definitionOf(asked, pinned).then((said) => asked === item && (definition.textContent = said || "\u00a0"), () => undefined);
    chart.show(ofItem().filter((one) => kind(one) === kind(figure)).map((one) => ({ vintages: one.vintages, chosen: one === figure, name: text(one.vintages[0]?.["fiscal_year"]) })));
    control.stops(days(figure.vintages));
    list.show(figure.vintages, links);
    moved(day);
    note(state(), { step });
    behind();
  }

  function moved(to: Day): void {
    day = to;
    chart.veil(day);
    const { vintages } = figure;
    const standing = knownOn(vintages, day);
    big.show(standing, day, vintages.length, !standing && text(vintages[0]?.["available_at"]) <= day);
    list.mark(day, standing);
    tell();
  }

  function settled(): void {
    note(state());
    behind();
  }

  /** Tell the last restatement as a story, and lead to the other side of it. */
  function tell(): void {
    const [before, after] = figure.vintages.slice(-2);
    if (!before || !after) {
      return fill(story, figure.vintages.length === 1 && "Reported once, and never restated. Drag back to the days before it was public.");
    }
    const on = text(after["available_at"]);
    restated.textContent = `Restated on ${inFull(on)}: ${grouped(text(before["value_reported"]))} became ${grouped(text(after["value_reported"]))}. `;
    beyond.textContent = day < on ? "Go to that day" : "Go to the day before";
    beyond.onclick = () => control.move(day < on ? on : shifted(on, -1));
    if (!story.contains(beyond)) fill(story, restated, beyond);
  }

  function state(): string {
    return href("issuer", id, { item, period: figure.period, as_of: day === last ? undefined : day, edition: pinned });
  }

  function links(row: Row): { page: string; rest: string } {
    const on = text(row["available_at"]);
    return {
      page: href("issuer", id, { item, period: figure.period, as_of: on, edition }),
      rest: address("/v1/shared/facts", question(item, on)),
    };
  }

  function behind(): void {
    const type = text(figure.vintages[0]?.["period_type"]) || undefined;
    const told = { service_id: id, as_of: day, edition, ...(type && { period_type: type }) };
    showBehind([
      {
        says: `${readable(item)} as known on ${inShort(day)}`,
        path: "/v1/shared/facts",
        params: question(item, day),
        tool: { name: "get_fundamentals", arguments: told },
      },
      { says: "Every vintage of every value", path: `/v1/fundamentals/${id}`, params: { vintages: "all", edition } },
    ]);
  }
}
