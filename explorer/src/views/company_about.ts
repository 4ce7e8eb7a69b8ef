// Identifiers of an organisation, its names, and the evidence that it is one.

import { actions } from "../actions.ts";
import { ask, text, type Row } from "../api.ts";
import { inFull, inShort } from "../dates.ts";
import { el } from "../dom.ts";
import { isSandbox } from "../key.ts";
import { openKey } from "../states.ts";
import { pairs, table } from "../table.ts";
import { countryName, EVIDENCE, IDENTIFIERS, readable } from "../words.ts";
import type { Context, Tab } from "./company_tab.ts";

const COLUMNS = ["id_type", "id_value", "issuer", "valid_from", "available_at", "source_ref"];

export async function aboutTab({ company, name }: Context): Promise<Tab> {
  const { id, who, edition } = company;
  const identifiers = await ask(`/v1/crosswalk/${id}`, { edition });
  const withheld = ((identifiers.extra["withheld_id_types"] ?? []) as string[]).map((type) => IDENTIFIERS[type] ?? type);
  const former = (who["former_names"] ?? []) as Row[];
  const calls = () => [
    { says: "The organisation", path: `/v1/entities/${id}`, params: { edition } },
    { says: "Its identifiers", path: `/v1/crosswalk/${id}`, params: { edition } },
  ];
  const element = el(
    "div",
    { class: "pair" },
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
        [{ id_type: "Sankofa id", id_value: id, valid_from: null } as Row, ...identifiers.rows],
      ),
      withheld.length > 0 &&
        el(
          "p",
          { class: "cut" },
          `Also held, for the starter tier and above: ${withheld.join(", ")}. `,
          isSandbox() && el("button", { type: "button", class: "link", onclick: openKey }, "Use your own key"),
        ),
      actions({ title: `${name}: identifiers`, calls: calls(), table: { head: COLUMNS, rows: identifiers.rows.map((row) => COLUMNS.map((column) => text(row[column]))) } }),
    ),
    el(
      "section",
      { class: "card" },
      el("h2", {}, "Why it is shown"),
      el("p", { class: "hint" }, "A party is shown only if evidence shows that it is an organisation and not a natural person. For this one:"),
      el("ul", { class: "evidence" }, ((who["established_by"] ?? []) as string[]).map((kind) => el("li", {}, el("strong", {}, readable(kind)), ` ${EVIDENCE[kind] ?? ""}`))),
      pairs([
        ["Country", countryName(text(who["jurisdiction"]) || "none")],
        ["Status", readable(text(who["status"]))],
        ...former.map((one): [string, string] => ["Former name", `${text(one["name"])}, until ${inFull(text(one["until"]))}`]),
        ["Source", el("code", {}, text(who["source_ref"]))],
        ["Licence", text(who["license_class"])],
      ]),
    ),
  );
  return { element, calls };
}
