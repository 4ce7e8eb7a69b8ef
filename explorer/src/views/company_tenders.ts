// Public tenders of an organisation as known on the day: the contracts it won, and what it bought.

import { actions } from "../actions.ts";
import { ask, text, type Row } from "../api.ts";
import { inFull, inShort, type Day } from "../dates.ts";
import { el, fill } from "../dom.ts";
import { releaseTable } from "../releases.ts";
import { cut, problem, reading } from "../states.ts";
import type { Context, Tab } from "./company_tab.ts";

const COLUMNS = ["date", "ocid", "id", "country", "available_at"];
const BUYERS = new Set(["buyer_role", "public_body", "public_body_words"]);

interface List {
  role: "supplier" | "buyer";
  title: string;
  body: HTMLElement;
  details: HTMLDetailsElement;
  /** The day of what is shown. */
  day?: Day;
  rows: Row[];
}

export function tendersTab({ place, company, day, name, note }: Context): Tab {
  const { id, edition, who } = company;
  const buys = ((who["established_by"] ?? []) as string[]).some((kind) => BUYERS.has(kind));
  const heading = el("h2", { id: "tenders-title" });
  const lists = [list("supplier", "Contracts won"), list("buyer", "Tenders as the buyer")];
  let shown = day;
  const element = el(
    "section",
    { class: "card", "aria-labelledby": "tenders-title" },
    heading,
    el("p", { class: "hint" }, "Each list is read when it is opened. Releases that became public after the day are left out."),
    lists.map((one) => one.details),
    actions(() => ({
      title: `${name}: public tenders by ${inFull(shown)}`,
      calls: calls(shown),
      table: { head: ["list", ...COLUMNS], rows: lists.flatMap((one) => one.rows.map((row) => [one.title, ...COLUMNS.map((column) => text(row[column]))])) },
    })),
  );
  return { element, moved: (to) => (heading.textContent = `Public tenders by ${inFull(to)}`), settled, calls };

  function list(role: List["role"], title: string): List {
    const body = el("div", { class: "result" });
    const details = el("details", { class: "more", open: (role === "buyer") === buys, ontoggle: () => (note({}), void load(made)) }, el("summary", {}, title), body);
    const made: List = { role, title, body, details, rows: [] };
    return made;
  }

  function settled(to: Day): void {
    shown = to;
    for (const one of lists) void load(one);
  }

  async function load(one: List): Promise<void> {
    const on = shown;
    if (!one.details.open || one.day === on) return;
    one.day = on;
    fill(one.body, reading("the releases"));
    try {
      const answer = await ask("/v1/tenders", { [one.role]: id, as_of: on, edition });
      if (!place.alive() || one.day !== on) return;
      one.rows = answer.rows;
      fill(
        one.body,
        answer.rows.length > 0 ? releaseTable(answer.rows, { years: true }) : el("p", { class: "hint" }, "No release by this day."),
        answer.truncated && cut(`Shown: the newest ${answer.rows.length} releases.`),
      );
    } catch (error) {
      delete one.day;
      fill(one.body, problem(error, () => void load(one)));
    }
  }

  function calls(on: Day) {
    const opened = lists.filter((one) => one.details.open);
    return opened.map(({ role, title }) => ({ says: `${title} by ${inShort(on)}`, path: "/v1/tenders", params: { [role]: id, as_of: on, edition } }));
  }
}
