// One contracting process: what its releases say together on a day, who takes part, and when each became known.

import { actions } from "../actions.ts";
import { ask, Problem, text, type Answer, type Row } from "../api.ts";
import { copyButton, showBehind } from "../behind.ts";
import { inFull, inShort, isDay, shifted, type Day } from "../dates.ts";
import { el, fill, type Child } from "../dom.ts";
import { number } from "../numbers.ts";
import { dayOfRelease, list, part, stageOf, statedTitle, untitled } from "../processes.ts";
import { dayParam, href, note } from "../route.ts";
import { asOfControl } from "../slider.ts";
import { empty, problem } from "../states.ts";
import { pairs, table } from "../table.ts";
import { countryName, readable } from "../words.ts";
import type { Place } from "../view.ts";

const LEAD_DAYS = 30; // before the first release, so that the slider shows a day without it

export async function tender(place: Place): Promise<void> {
  const { id: ocid, params } = place.route;
  const { edition } = params;
  if (!ocid) return fill(place.root, empty("No process is named", "Choose one from the ", el("a", { href: href("tenders") }, "list of tenders"), "."));
  const path = `/v1/tenders/${encodeURIComponent(ocid)}`;
  const newest = await ask(path, { edition });
  if (!place.alive()) return;
  const whole = newest.rows[0] ?? {};
  const known = list(whole, "timeline").map((release) => text(release["available_at"])).sort();
  const last = newest.asOf ?? "";
  const first = shifted(known[0] ?? last, -LEAD_DAYS);
  let day = dayParam(place.route, "as_of", first, last) ?? last;
  const title = statedTitle(whole) || untitled(whole);
  place.title(title);

  const said = el("p", { class: "said", "aria-live": "polite" });
  const body = el("div", { class: "stack process" });
  const control = asOfControl({ first, last, day, label: "As of: the day whose knowledge is shown", moved: tell, settled: (to) => void settle(to) });
  control.stops([...new Set(known)]);
  fill(
    place.root,
    el("p", { class: "over" }, `Tender, ${countryName(text(whole["country"]))}`),
    el("h1", {}, title),
    el("p", { class: "lead" }, "One public contract from call to award, as it was known on any day. Move the slider to a day before the award to see what bidders knew."),
    el("section", { class: "card", "aria-label": "As of" }, said, control.element),
    body,
    actions(() => ({ title: `${title}, as known on ${inFull(day)}`, calls: calls(), table: timelineTable(whole) })),
  );
  tell(day);
  await settle(day);

  function calls() {
    return [{ says: `The process as known on ${inShort(day)}`, path, params: { as_of: day, edition: newest.edition } }];
  }

  function tell(to: Day): void {
    day = to;
    const by = known.filter((one) => one <= day).length;
    fill(said, el("strong", {}, `As known on ${inFull(day)}. `), by === 0 ? "Nothing was public yet." : `${by} of ${known.length} ${known.length === 1 ? "release was" : "releases were"} public.`);
  }

  async function settle(to: Day): Promise<void> {
    note(href("tender", ocid, { as_of: day === last ? "" : day, edition }));
    showBehind(calls());
    try {
      const answer = day === last ? newest : await ask(path, { as_of: day, edition: newest.edition }).catch(nothing);
      if (place.alive() && day === to) fill(body, ...(answer ? shown(answer.rows) : [empty("Nothing was public on this day", `The first release of this process became public on ${inFull(known[0] ?? last)}.`)]), timeline(whole, day, title));
    } catch (error) {
      fill(body, problem(error, () => void settle(to)));
    }
  }

  function shown(rows: Row[]): HTMLElement[] {
    return rows.map((record) => el("div", { class: "stack" }, facts(record), awards(record), parties(record, day === last ? "" : day)));
  }
}

// Before its first release a process is unknown: that is no failure of the view.
function nothing(error: unknown): Answer | null {
  if (error instanceof Problem && error.status === 404) return null;
  throw error;
}

function facts(record: Row): HTMLElement {
  const asked = part(record, "tender");
  const [period, buyer] = [part(asked, "tenderPeriod"), part(record, "buyer")];
  const items = list(asked, "items").map((item) => text(part(item, "classification")["description"])).filter(Boolean);
  return el(
    "section",
    { class: "card" },
    el("h2", {}, "What was asked for"),
    text(asked["description"]) && el("p", {}, text(asked["description"])),
    record["text_withheld"] === true && el("p", { class: "notice" }, "The titles and descriptions of this process are withheld, because they mention a person or a contact."),
    el(
      "div",
      { class: "facts" },
      pairs([
        ["Buyer", organisation(buyer)],
        ["Estimated value", amount(part(asked, "value"))],
        ["Status", text(asked["status"]) && readable(text(asked["status"]))],
        ["Category", text(asked["category"]) && readable(text(asked["category"]))],
        ["Method", text(asked["procurementMethod"]) && readable(text(asked["procurementMethod"]))],
        ["Open from", day(period["startDate"])],
        ["Deadline", day(period["endDate"])],
        ["Bidders", text(asked["numberOfTenderers"])],
        ["Items", [...new Set(items)].join("; ")],
        ["Process number (OCID)", el("code", {}, text(record["ocid"]))],
      ]),
    ),
  );
}

function awards(record: Row): HTMLElement | false {
  const won = list(record, "awards");
  const contracts = list(record, "contracts");
  if (won.length + contracts.length === 0) return el("section", { class: "card" }, el("h2", {}, "Awards"), el("p", { class: "hint" }, "No award was public on this day."));
  return el(
    "section",
    { class: "card" },
    el("h2", {}, "Awards and contracts"),
    table(
      "Awards and contracts",
      [
        { head: "What", cell: (row: Row) => (row["awardID"] ? "Contract" : row["joint"] === true ? "Joint award" : "Award") },
        { head: "Supplier", cell: (row) => joined(list(row["awardID"] ? won.find((one) => one["id"] === row["awardID"]) ?? {} : row, "suppliers").map((one) => organisation(one))) },
        { head: "Value", number: true, cell: (row) => amount(part(row, "value")) || "–" },
        { head: "Date", cell: (row) => day(row["date"] ?? row["dateSigned"]) || "–" },
        { head: "Status", wide: true, cell: (row) => readable(text(row["status"])) || "–" },
      ],
      [...won, ...contracts],
    ),
  );
}

function parties(record: Row, asOf: string): HTMLElement {
  const withheld = text(record["withheld_parties"]);
  return el(
    "section",
    { class: "card" },
    el("h2", {}, "Who takes part"),
    table(
      "Parties",
      [
        { head: "Organisation", cell: (row: Row) => organisation(row, asOf) },
        { head: "Role", cell: (row) => ((row["roles"] ?? []) as string[]).map((role) => readable(role.replace(/([A-Z])/g, " $1").toLowerCase())).join(", ") },
      ],
      list(record, "parties"),
    ),
    withheld !== "0" && withheld !== "" && el("p", { class: "hint" }, `${withheld} more ${withheld === "1" ? "party is" : "parties are"} withheld: there is no evidence that they are organisations, so they could be persons.`),
  );
}

/** List every release that is held; those that became public after the day are marked. */
function timeline(whole: Row, on: Day, title: string): HTMLElement {
  const releases = list(whole, "timeline");
  return el(
    "section",
    { class: "card" },
    el("h2", {}, "Timeline and documents"),
    el(
      "ol",
      { class: "timeline" },
      releases.map((release) => {
        const [dated, known, source] = [dayOfRelease(release), text(release["available_at"]), text(release["source_ref"])];
        return el(
          "li",
          { class: known > on ? "future" : null },
          el("p", { class: "timeline-day" }, inFull(dated)),
          el("p", {}, el("strong", {}, stageOf({ ...release, tender: whole["tender"] ?? null })), known === dated ? "" : `, public since ${inFull(known)}`, known > on && " · not known yet"),
          el("p", { class: "digest" }, el("code", {}, source), copyButton(source, `Copy the source of the release of ${inFull(dated)}`)),
        );
      }),
    ),
    whole["is_complete"] === false && el("p", { class: "hint" }, "Only the newest 1,000 releases are listed."),
    el("p", { class: "hint" }, `Each release cites the document it was read from, by its hash. Attachments of “${title}” stay with the publisher: they can name persons.`),
  );
}

function timelineTable(whole: Row) {
  const columns = ["id", "date", "tag", "available_at", "vintage", "source_ref"];
  return { head: columns, rows: list(whole, "timeline").map((row) => columns.map((name) => (name === "tag" ? (row[name] as string[]).join(" ") : text(row[name])))) };
}

function organisation(party: Row, asOf = ""): Child {
  const id = text(party["service_id"]);
  return id ? el("a", { href: href("company", id, { as_of: asOf }) }, text(party["name"]) || id) : text(party["name"]);
}

function joined(parts: Child[]): Child {
  return parts.length === 0 ? "withheld or not stated" : parts.flatMap((one, at) => (at === 0 ? [one] : [", ", one]));
}

function amount(value: Row): Child {
  return text(value["amount"]) ? number(text(value["amount"]), text(value["currency"])) : "";
}

function day(moment: Row[string] | undefined): string {
  const stated = text(moment).slice(0, 10);
  return isDay(stated) ? inFull(stated) : "";
}
