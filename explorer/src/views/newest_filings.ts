// The companies, by their newest filings: who filed what, and who restated earlier figures.

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
  const { as_of, edition } = place.route.params;
  const page = await read(api().filings({ as_of, edition: edition ? Number(edition) : undefined }));
  if (!place.alive()) return;
  if (page.rows.length === 0) {
    return fill(place.root, empty("No company is published yet", "Load filings with ", el("code", {}, "sankofa ingest"), ", then publish."));
  }
  fill(
    place.root,
    el("h1", {}, "Companies"),
    el("p", { class: "lead" }, "The newest filings, and how many earlier figures each one restated. Open a company to see what it had reported by any day, or search by name, ticker or LEI."),
    table(
      "The newest filings",
      [
        { head: "Filed", cell: (row) => inShort(row.available_at) },
        { head: "Company", cell: (row) => el("a", { href: href("company", row.service_id, { edition }) }, row.legal_name ?? row.service_id) },
        { head: "Country", wide: true, cell: (row) => countryName(row.country ?? "none") },
        { head: "Form", cell: (row) => row.form ?? "–" },
        { head: "Figures restated", number: true, cell: (row) => String(row.changed_values) },
      ],
      [...page.rows],
    ),
  );
  showBehind([{ says: "The newest filings", path: "/v1/filings", params: { as_of, edition } }]);
}
