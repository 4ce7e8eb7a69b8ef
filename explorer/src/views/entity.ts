// One organisation: its name, by what evidence it is one, its identifiers, and its part in tenders.

import { ask, text, type Row } from "../api.ts";
import { showBehind } from "../behind.ts";
import { inShort } from "../dates.ts";
import { el, fill } from "../dom.ts";
import { grouped } from "../exact.ts";
import { issuerPicker } from "../issuer_picker.ts";
import { isSandbox } from "../key.ts";
import { href } from "../route.ts";
import { startIssuer } from "../start.ts";
import { cut, openKey } from "../states.ts";
import { pairs, table } from "../table.ts";
import { countryName, EVIDENCE, IDENTIFIERS, readable } from "../words.ts";
import type { Place } from "../view.ts";

export async function entity(place: Place): Promise<void> {
  const id = place.route.id || (await startIssuer());
  const { edition } = place.route.params;
  const awardsAsked = { entity_id: id, dataset: "AF-TENDER", edition };
  const [found, identifiers, roles, awards] = await Promise.all([
    ask(`/v1/entities/${id}`, { edition }),
    ask(`/v1/crosswalk/${id}`, { edition }),
    ask("/v1/tender-parties", { service_id: id, edition }),
    ask("/v1/shared/facts", awardsAsked),
  ]);
  if (!place.alive()) return;
  const who = found.rows[0] ?? {};
  const withheld = ((identifiers.extra["withheld_id_types"] ?? []) as string[]).map((type) => IDENTIFIERS[type] ?? type);
  fill(
    place.root,
    el(
      "header",
      { class: "issuer-head" },
      el(
        "div",
        {},
        el("p", { class: "over" }, "Organisation"),
        el("h1", {}, text(who["legal_name"]) || id),
        el("p", { class: "meta" }, countryName(text(who["jurisdiction"]) || "none"), " · ", text(who["status"]), " · ", el("a", { href: href("issuer", id) }, "what it reported")),
      ),
      issuerPicker("entity", "Another organisation"),
    ),
    el(
      "div",
      { class: "pair" },
      el("section", { class: "card" }, el("h2", {}, "Why it is shown"), evidence(who)),
      el(
        "section",
        { class: "card" },
        el("h2", {}, "Identifiers"),
        table(
          "Identifiers",
          [
            { head: "Kind", cell: (row) => IDENTIFIERS[text(row["id_type"])] ?? text(row["id_type"]) },
            { head: "Value", cell: (row) => el("code", {}, text(row["id_value"])) },
            { head: "Since", wide: true, cell: (row) => (text(row["valid_from"]) ? inShort(text(row["valid_from"])) : "–") },
          ],
          [{ id_type: "Our id", id_value: id, valid_from: null } as Row, ...identifiers.rows],
        ),
        withheld.length > 0 &&
          el(
            "p",
            { class: "cut" },
            `Also held, and shown from the starter tier on: ${withheld.join(", ")}. `,
            isSandbox() && el("button", { type: "button", class: "link", onclick: openKey }, "Use your own key"),
          ),
      ),
    ),
    el("section", { class: "card" }, el("h2", {}, "In public tenders"), tenderRoles(roles.rows), awardList(awards.rows, awards.truncated)),
    el("section", { class: "card" }, el("h2", {}, "Source"), provenance(who)),
  );
  showBehind([
    { says: "The organisation", path: `/v1/entities/${id}`, params: { edition } },
    { says: "Its identifiers", path: `/v1/crosswalk/${id}`, params: { edition } },
    { says: "Its part in tenders", path: "/v1/tender-parties", params: { service_id: id, edition } },
    { says: "What it was awarded", path: "/v1/shared/facts", params: awardsAsked },
  ]);
}

function evidence(who: Row): HTMLElement {
  const kinds = (who["established_by"] ?? []) as string[];
  return el(
    "div",
    { class: "stack" },
    el("p", { class: "hint" }, "A party is shown only once evidence says that it is an organisation and no natural person. For this one:"),
    el("ul", { class: "evidence" }, kinds.map((kind) => el("li", {}, el("strong", {}, readable(kind)), ` ${EVIDENCE[kind] ?? ""}`))),
    el("p", { class: "hint" }, "By the rules ", el("code", {}, text(who["rule_version"])), ", which withhold some real firms too."),
  );
}

function tenderRoles(rows: Row[]): HTMLElement {
  if (rows.length === 0) return el("p", { class: "hint" }, "It appears in no release of a tender that we hold.");
  return table(
    "Its part in tenders",
    [
      { head: "As", cell: (row) => readable(text(row["role"])) },
      { head: "In", cell: (row) => countryName(text(row["country"])) },
      { head: "Releases", number: true, cell: (row) => grouped(text(row["releases"])) },
      { head: "First", wide: true, cell: (row) => inShort(text(row["first_release"])) },
      { head: "Last", wide: true, cell: (row) => inShort(text(row["last_release"])) },
    ],
    rows,
  );
}

function awardList(rows: Row[], truncated: boolean): HTMLElement | null {
  if (rows.length === 0) return null;
  return el(
    "div",
    { class: "stack" },
    el("h3", {}, "Contracts it was awarded"),
    table(
      "Contracts it was awarded",
      [
        { head: "Date", cell: (row) => inShort(text(row["period_end"])) },
        { head: "Value", number: true, cell: (row) => `${grouped(text(row["value"]))} ${text(row["unit"])}` },
        { head: "Known since", wide: true, cell: (row) => inShort(text(row["available_at"])) },
        { head: "Release", wide: true, cell: (row) => el("code", {}, text(row["source_ref"]).split("#")[1]?.split("/")[0] ?? "") },
      ],
      rows,
    ),
    truncated ? cut(`These are the newest ${rows.length} awards.`) : null,
  );
}

function provenance(who: Row): HTMLElement {
  return pairs([
    ["Source", el("code", {}, text(who["source_ref"]))],
    ["Licence", text(who["license_class"])],
    ["Fetched by us", text(who["observed_at"])],
  ]);
}
