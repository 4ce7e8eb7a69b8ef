// A company: what it had reported by any day, with ratios, filings, tenders and identifiers.

import { text } from "../api.ts";
import { showBehind } from "../behind.ts";
import { inFull, shifted, type Day } from "../dates.ts";
import { el, fill } from "../dom.ts";
import { inWords, nearest, restatements } from "../restatements.ts";
import { choiceParam, dayParam, href, note } from "../route.ts";
import { asOfControl } from "../slider.ts";
import { startCompany } from "../start.ts";
import { empty, reading } from "../states.ts";
import type { Place } from "../view.ts";
import { countryName } from "../words.ts";
import { aboutTab } from "./company_about.ts";
import { nameOn, readCompany, type Company } from "./company_data.ts";
import { filingsTab } from "./company_filings.ts";
import { ratiosTab } from "./company_ratios.ts";
import { statementsTab } from "./company_statements.ts";
import { TABS, type Context, type Tab, type TabName } from "./company_tab.ts";
import { tendersTab } from "./company_tenders.ts";
import { newestFilings } from "./newest_filings.ts";

const REPORTS = "What this company had reported by the day you choose, with the source of every value. Reports that came later are left out.";
const TENDERS = "No accounts of this organisation are held. See its public tenders by the day you choose, and its identifiers.";

const PARTS: Record<TabName, (context: Context) => Tab | Promise<Tab>> = {
  statements: statementsTab,
  ratios: ratiosTab,
  filings: filingsTab,
  tenders: tendersTab,
  about: aboutTab,
};

export async function company(place: Place): Promise<void> {
  const { route } = place;
  const wanted = choiceParam(route, "tab", Object.keys(TABS) as TabName[]);
  dayParam(route, "as_of");
  const id = route.id || (route.view === "" ? await startCompany() : "");
  if (!id) return newestFilings(place);
  const read = await readCompany(route, id, (wanted ?? "statements") === "statements");
  if (!place.alive()) return;
  const tab = wanted ?? (read.figures.length > 0 ? "statements" : "tenders");
  const name = text(read.who["legal_name"]) || id;
  place.title(tab === "statements" ? name : `${name}: ${TABS[tab].toLowerCase()}`);
  if (read.figures.length === 0 && tab === "statements") return withoutReports(place, read, name);
  await page(place, read, name, tab);
}

async function page(place: Place, read: Company, name: string, tab: TabName): Promise<void> {
  const { route } = place;
  const { first, last } = read;
  let day = dayParam(route, "as_of", first, last) ?? last;
  let params: Record<string, string | undefined> = { tab: tab === "statements" || (!route.params["tab"] && read.figures.length === 0) ? undefined : tab, lines: route.params["lines"], edition: route.params["edition"] };
  let part: Tab | undefined;

  const then = el("span", { class: "then-named" });
  const known = el("output", { class: "as-known" });
  const story = el("p", { class: "story" });
  const told = restatements(read.figures);
  const control = asOfControl({ first, last, day, label: "As of: the day whose knowledge is shown", moved, settled });
  const body = el("div", { class: "company-part" }, reading(TABS[tab].toLowerCase()));
  fill(
    place.root,
    heading(read, name, route.params["edition"], then),
    el("section", { class: "card time-card", "aria-label": "As of" }, known, control.element),
    story,
    tabs(read, tab),
    body,
  );
  moved(day);
  const context: Context = { place, company: read, day, name, move: control.move, stops: control.stops, note: noted };
  part = await PARTS[tab](context);
  if (!place.alive()) return;
  fill(body, part.element);
  moved(day);
  settled();

  function moved(to: Day): void {
    day = to;
    known.textContent = `As known on ${inFull(day)}`;
    const named = nameOn(read.who, day);
    then.textContent = named && named !== name ? `Named ${named} on this day. ` : "";
    tell();
    part?.moved?.(day);
  }

  function settled(): void {
    noted({});
    part?.settled?.(day);
  }

  function noted(changed: Record<string, string | undefined>, step = false): void {
    params = { ...params, ...changed };
    note(href("company", read.id, { ...params, as_of: day === last ? undefined : day }), { step });
    if (part) showBehind(part.calls(day));
    for (const link of place.root.querySelectorAll<HTMLAnchorElement>(".company-tabs a")) {
      link.href = href("company", read.id, { tab: link.dataset["tab"], as_of: day === last ? undefined : day, edition: params["edition"] });
    }
  }

  /** Tell the restatement nearest to the day, and lead to the other side of it. */
  function tell(): void {
    const one = nearest(told, day);
    if (!one) return fill(story, !read.partial.years && !read.partial.lines && read.figures.length > 0 && "No figure of this company was ever restated.");
    const future = one.day > day;
    const sentence = future
      ? `Not public yet on this day: on ${inFull(one.day)} the company restated ${inWords(one)}. `
      : `On ${inFull(one.day)} the company restated ${inWords(one)}. `;
    const label = future ? "Go to that day" : "Go to the day before";
    if (story.dataset["told"] === sentence) return;
    story.dataset["told"] = sentence;
    fill(story, sentence, el("button", { type: "button", class: "link", onclick: () => control.move(future ? one.day : shifted(one.day, -1)) }, label));
  }
}

function heading(read: Company, name: string, pinned: string | undefined, then: HTMLElement): HTMLElement {
  const { who, id } = read;
  const facts = [countryName(text(who["jurisdiction"]) || "none"), text(who["lei"]) && `LEI ${text(who["lei"])}${text(who["lei_status"]) === "retired" ? " (retired)" : ""}`, !["active", "unknown"].includes(text(who["status"])) && text(who["status"])].filter(Boolean);
  return el(
    "header",
    { class: "company-head" },
    el("h1", {}, name),
    el("p", { class: "meta" }, facts.join(" · ")),
    el("p", { class: "lead" }, then, read.figures.length > 0 ? REPORTS : TENDERS),
    pinned && el("p", { class: "meta" }, `Pinned to edition ${pinned}. `, el("a", { href: href("company", id) }, "Show the newest edition")),
  );
}

function tabs({ id, figures }: Company, current: TabName): HTMLElement {
  const listed = (Object.keys(TABS) as TabName[]).filter((tab) => figures.length > 0 || tab === "tenders" || tab === "about");
  return el(
    "nav",
    { class: "company-tabs", "aria-label": "Parts of this page" },
    listed.map((tab) => el("a", { href: href("company", id, { tab }), "data-tab": tab, "aria-current": tab === current ? "true" : null }, TABS[tab])),
  );
}

function withoutReports(place: Place, read: Company, name: string): void {
  fill(
    place.root,
    heading(read, name, place.route.params["edition"], el("span")),
    tabs(read, "statements"),
    empty("No accounts of this organisation are held", "It may take part in tenders, and it has identifiers: see the parts above."),
  );
  showBehind([{ says: "The organisation", path: `/v1/entities/${read.id}` }]);
}
