// What the company page reads: the organisation, and every vintage of its reported values.

import { ask, Problem, text, walk, type Row, type Walk } from "../api.ts";
import { days, figures, type Figure } from "../as_of.ts";
import { shifted, type Day } from "../dates.ts";
import { isSandbox } from "../key.ts";
import { KEY_ITEMS } from "../line_items.ts";
import { choiceParam, type Route } from "../route.ts";

const SMALL_PAGES = 2; // with the call for the organisation, three
const MOST_PAGES = 12;
const MARGIN = 45; // days before the first report, in which nothing is public yet
const TENDER_DAYS = 3653; // the slider of an organisation without accounts covers ten years
const MOST_ITEMS = 20; // that the API takes at once

export interface Company {
  id: string;
  who: Row;
  figures: Figure[];
  /** The parameters of the request for the figures. */
  asked: Record<string, string>;
  edition: string;
  first: Day;
  last: Day;
  /** Whether only key figures were read, or older years were left out. */
  partial: { lines: boolean; years: boolean };
}

// Set once a page with a key of one's own turns out to be small: then key figures are read first, as with the sandbox.
let smallPages = false;

/** Read a company with few calls: all of it with large pages, key figures of recent years with small ones. */
export async function readCompany(route: Route, id: string, needsTable: boolean): Promise<Company> {
  const { edition, item } = route.params;
  const wanted = choiceParam(route, "lines", ["key", "all"]);
  const path = `/v1/fundamentals/${encodeURIComponent(id)}`;
  const every = { vintages: "all", ...(edition && { edition }) };
  const some = { ...every, period_type: "FY", line_item: [...new Set([...(item ? [item] : []), ...KEY_ITEMS])].slice(0, MOST_ITEMS).join(",") };
  let lines = wanted ?? (isSandbox() || smallPages ? "key" : "all");
  let most = lines === "key" ? (needsTable ? SMALL_PAGES : 1) : wanted ? MOST_PAGES : 1;
  const [entity, first] = await Promise.all([
    ask(`/v1/entities/${encodeURIComponent(id)}`, { edition }),
    walk(path, lines === "key" ? some : every, { most }).catch(noReports),
  ]);
  let history = first;
  if (lines === "all" && !wanted && history?.nextCursor) {
    [smallPages, lines, most] = [true, "key", 1];
    history = await walk(path, some, { most });
  }
  let found = history ? whole(history) : [];
  if (needsTable && history?.nextCursor && lacks(found, route)) {
    history = await walk(path, lines === "key" ? some : every, { most: MOST_PAGES });
    found = whole(history);
  }
  const last = history?.asOf ?? new Date().toISOString().slice(0, 10);
  // Without the table, older years need not be read: the slider then begins at the day of the address, if that is earlier.
  const began = found.length > 0 ? shifted(firstDay(found, last), -MARGIN) : shifted(last, -TENDER_DAYS);
  const day = needsTable || (found.length > 0 && !history?.nextCursor) ? undefined : route.params["as_of"];
  return {
    id,
    who: entity.rows[0] ?? {},
    figures: found,
    asked: lines === "key" ? some : every,
    edition: history?.edition ?? entity.edition,
    first: day && day < began ? day : began,
    last,
    partial: { lines: lines === "key", years: Boolean(history?.nextCursor) },
  };
}

/** Return whether the address names a day or a period that was not read. */
function lacks(found: Figure[], { params: { as_of, period } }: Route): boolean {
  return (as_of !== undefined && as_of < firstDay(found, as_of)) || (period !== undefined && !found.some((one) => one.period === period));
}

/** Return the figures; the last period of a list that goes on may lack some of its rows, so it is left out. */
function whole({ rows, nextCursor }: Walk): Figure[] {
  const end = nextCursor !== null ? text(rows.at(-1)?.["period_end"]) : "";
  return figures(rows.filter((row) => text(row["period_end"]) !== end));
}

function firstDay(found: Figure[], otherwise: Day): Day {
  return found.flatMap((one) => days(one.vintages)).sort()[0] ?? otherwise;
}

// An organisation may be known and have no accounts: the page shows the rest.
function noReports(error: unknown): null {
  if (error instanceof Problem && error.status === 404) return null;
  throw error;
}

/** Return the name that the organisation had on a day. */
export function nameOn(who: Row, day: Day): string {
  const former = ((who["former_names"] ?? []) as Row[]).find((one) => text(one["since"]) <= day && day < text(one["until"]));
  return former ? text(former["name"]) : text(who["legal_name"]);
}
