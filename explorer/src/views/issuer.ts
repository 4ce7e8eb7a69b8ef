// One issuer: a line item, a period, and what was known of it on any day.

import { ask, Problem, text, walk, type Row } from "../api.ts";
import { figures } from "../as_of.ts";
import { showBehind } from "../behind.ts";
import { el, fill } from "../dom.ts";
import { grouped } from "../exact.ts";
import { issuerPicker } from "../issuer_picker.ts";
import { href } from "../route.ts";
import { startIssuer } from "../start.ts";
import { cut, empty } from "../states.ts";
import { timeMachine } from "../time_machine.ts";
import { countryName } from "../words.ts";
import type { Place } from "../view.ts";

const MOST_PAGES = 16;

export async function issuer(place: Place): Promise<void> {
  const { route } = place;
  const id = route.id || (await startIssuer());
  if (!id) {
    return fill(place.root, empty("No issuer is published yet", "Load filings with ", el("code", {}, "sankofa ingest"), ", then publish."));
  }
  const pinned = route.params["edition"];
  const [entity, history] = await Promise.all([
    ask(`/v1/entities/${id}`, { edition: pinned }),
    walk(`/v1/fundamentals/${id}`, { vintages: "all", edition: pinned }, { most: MOST_PAGES }).catch(noReports),
  ]);
  if (!place.alive()) return;
  const who = entity.rows[0] ?? {};
  const known = figures(history?.rows ?? []);
  fill(place.root, heading(who, id, pinned));
  if (!history || known.length === 0) {
    place.root.append(
      empty(
        "This organisation has reported nothing that we hold",
        "It is known to us, but no accounts of it are. ",
        el("a", { href: href("entity", id) }, "See what is known of it"),
        ", or pick an issuer above.",
      ),
    );
    return showBehind([{ says: "Its reported values", path: `/v1/fundamentals/${id}` }]);
  }
  timeMachine(place, id, known, history.edition, history.asOf ?? "", pinned);
  if (history.nextCursor) {
    place.root.append(cut(`Read so far: the newest ${grouped(String(history.rows.length))} reported values. Older periods are not in the lists above.`));
  }
}

// An organisation may be known and report nothing: that is no failure of the view.
function noReports(error: unknown): null {
  if (error instanceof Problem && error.status === 404) return null;
  throw error;
}

function heading(who: Row, id: string, pinned: string | undefined): HTMLElement {
  const facts = [countryName(text(who["jurisdiction"])), text(who["lei"]) && `LEI ${text(who["lei"])}${text(who["lei_status"]) === "retired" ? " (retired)" : ""}`].filter(Boolean);
  return el(
    "header",
    { class: "issuer-head" },
    el(
      "div",
      {},
      el("p", { class: "over" }, "What was known of"),
      el("h1", {}, text(who["legal_name"]) || id),
      el("p", { class: "meta" }, facts.join(" · "), " · ", el("a", { href: href("entity", id) }, "identifiers and evidence")),
      pinned && el("p", { class: "meta" }, `Pinned to edition ${pinned}. `, el("a", { href: href("issuer", id) }, "Show the newest")),
    ),
    issuerPicker(),
  );
}
