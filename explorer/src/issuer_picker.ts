// Choosing an issuer: by ticker, LEI or our own id, or from a list of those that can be ranked.

import { ask, text, walk, type Row } from "./api.ts";
import { el, field, fill } from "./dom.ts";
import { go, href } from "./route.ts";
import { problem } from "./states.ts";
import { countryName } from "./words.ts";

// The ratio that most kinds of issuer have, banks included.
const COMMON_METRIC = "liabilities_to_assets";

// What an identifier looks like; the API says whether it is one.
const IDENTIFIERS: [RegExp, string][] = [
  [/:/, "ticker"],
  [/^[A-Z0-9]{20}$/i, "lei"],
  [/^[A-Z]{2}[A-Z0-9]{9}[0-9]$/i, "isin"],
];

export function issuerPicker(view = "issuer", label = "Another issuer"): HTMLElement {
  const input = el("input", { type: "search", list: "issuers", placeholder: "XNAI:NYAL, an LEI, or a name", autocomplete: "off", spellcheck: "false" });
  const listed = el("datalist", { id: "issuers" });
  const said = el("div", { class: "hint", role: "status" });
  let issuers: Row[] = [];
  input.addEventListener("focus", () => void offer(), { once: true });
  input.addEventListener("input", () => {
    // A choice from the list is whole at once; typing goes on until Enter.
    const chosen = issuers.find((row) => nameOf(row) === input.value);
    if (chosen) go(href(view, text(chosen["service_id"])));
  });

  async function offer(): Promise<void> {
    try {
      issuers = (await walk("/v1/screen", { metric: COMMON_METRIC }, { most: 2 })).rows;
      fill(listed, issuers.map((row) => el("option", { value: nameOf(row) })));
    } catch {
      // The list only helps; identifiers work without it.
    }
  }

  async function find(): Promise<void> {
    const asked = input.value.trim();
    if (!asked) return;
    said.textContent = "Looking…";
    const found = await look(asked, issuers);
    if (found.length === 1) return go(href(view, found[0]));
    said.textContent = found.length
      ? "Several organisations match. Be more precise."
      : "No company matches. Write a ticker as EXCHANGE:TICKER, an LEI in full, or choose a name from the list.";
  }

  const form = el(
    "form",
    {
      class: "picker",
      role: "search",
      onsubmit: (event: Event) => {
        event.preventDefault();
        find().catch((error: unknown) => fill(said, problem(error, () => void find())));
      },
    },
    field(label, input, undefined, el("button", { type: "submit" }, "Find")),
    listed,
    said,
  );
  return form;
}

function nameOf(row: Row): string {
  return `${text(row["legal_name"])} (${countryName(text(row["country"]))})`;
}

async function look(asked: string, issuers: Row[]): Promise<string[]> {
  if (/^DC[0-9A-Z]{12,}$/.test(asked)) return [asked];
  const type = IDENTIFIERS.find(([pattern]) => pattern.test(asked))?.[1];
  if (type) {
    const answer = await ask("/v1/crosswalk", { id_type: type, id_value: asked });
    return [...new Set(answer.rows.map((row) => text(row["service_id"])))];
  }
  const wanted = asked.toLowerCase();
  return issuers.filter((row) => nameOf(row).toLowerCase().includes(wanted)).map((row) => text(row["service_id"]));
}
