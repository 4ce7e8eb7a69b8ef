// The filings of a company by the day of the slider, the newest first.

import { actions } from "../actions.ts";
import { api, read, text, type Filing } from "../api.ts";
import { inFull, inShort, type Day } from "../dates.ts";
import { el, fill } from "../dom.ts";
import { grouped } from "../exact.ts";
import { cut, empty } from "../states.ts";
import { table } from "../table.ts";
import type { Context, Tab } from "./company_tab.ts";

const COLUMNS = ["available_at", "form", "filing_id", "facts", "changed_values", "source_url", "source_ref"] as const;

export async function filingsTab({ company, day, name, stops, move }: Context): Promise<Tab> {
  const asked = { service_id: company.id, edition: Number(company.edition) };
  const page = await read(api().filings(asked));
  stops(page.rows.map((row) => row.available_at).sort());
  const body = el("div", { class: "result" });
  const heading = el("h2", { id: "filings-title" });
  const known = (on: Day) => page.rows.filter((row) => row.available_at <= on);
  let shown = day;
  const element = el(
    "section",
    { class: "card", "aria-labelledby": "filings-title" },
    heading,
    body,
    page.truncated && cut(`Read: the newest ${page.rows.length} filings.`),
    actions(() => ({
      title: `${name}: filings by ${inFull(shown)}`,
      calls: calls(shown),
      table: { head: [...COLUMNS], rows: known(shown).map((row) => COLUMNS.map((column) => String(row[column] ?? ""))) },
    })),
  );
  moved(day);
  return { element, moved, calls };

  function moved(to: Day): void {
    shown = to;
    const rows = known(to);
    heading.textContent = `Filed by ${inFull(to)}`;
    fill(body, rows.length === 0 ? empty("Nothing had been filed by this day", "Move the slider to a later day.") : list(rows));
  }

  function list(rows: Filing[]): HTMLElement {
    return table(
      `Filings of ${name}`,
      [
        { head: "Public since", cell: (row) => el("button", { type: "button", class: "link nowrap", onclick: () => move(row.available_at), title: "Show what was known on this day" }, inShort(row.available_at)) },
        { head: "Form", cell: (row) => row.form ?? "–" },
        { head: "Values", number: true, cell: (row) => grouped(String(row.facts)) },
        { head: "Restated", number: true, cell: (row) => (row.changed_values > 0 ? el("strong", { class: "restated" }, grouped(String(row.changed_values))) : "0") },
        { head: "Filing", wide: true, cell: (row) => (row.source_url && /^https?:/.test(row.source_url) ? el("a", { href: row.source_url, rel: "noreferrer" }, row.filing_id) : el("code", { title: text(row.source_ref) }, row.filing_id)) },
      ],
      rows,
    );
  }

  function calls(on: Day) {
    return [{ says: `Filings by ${inShort(on)}`, path: "/v1/filings", params: { service_id: company.id, until: on, edition: company.edition } }];
  }
}
