// Where to start if the address names no company: the newest filings, each with a link to its company.

import { api, read } from "../api.ts";
import { showBehind } from "../behind.ts";
import { inShort } from "../dates.ts";
import { el, fill } from "../dom.ts";
import { href } from "../route.ts";
import { empty } from "../states.ts";
import { table } from "../table.ts";
import type { Place } from "../view.ts";
import { countryName } from "../words.ts";

export async function newestFilings(place: Place): Promise<void> {
  const page = await read(api().filings());
  if (!place.alive()) return;
  if (page.rows.length === 0) {
    return fill(place.root, empty("No company is published yet", "Load filings with ", el("code", {}, "sankofa ingest"), ", then publish."));
  }
  fill(
    place.root,
    el("h1", {}, "Companies"),
    el("p", { class: "lead" }, "See what a company had reported by any day. Search by name, ticker or LEI, or start with one that filed recently."),
    table(
      "The newest filings",
      [
        { head: "Filed", cell: (row) => inShort(row.available_at) },
        { head: "Company", cell: (row) => el("a", { href: href("company", row.service_id) }, row.legal_name ?? row.service_id) },
        { head: "Country", wide: true, cell: (row) => countryName(row.country ?? "none") },
        { head: "Form", cell: (row) => row.form ?? "–" },
        { head: "Restated", number: true, cell: (row) => String(row.changed_values) },
      ],
      [...page.rows],
    ),
  );
  showBehind([{ says: "The newest filings", path: "/v1/filings" }]);
}
