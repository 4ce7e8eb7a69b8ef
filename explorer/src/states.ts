// What a view shows when it has nothing yet, nothing at all, or no answer.

import { Problem } from "./api.ts";
import { el, type Child } from "./dom.ts";
import { isSandbox } from "./key.ts";
import { WrongAddress } from "./route.ts";

export function reading(what: string): HTMLElement {
  return el("p", { class: "reading", role: "status" }, `Reading ${what}…`);
}

/** Nothing matched: why that can be, and what to do. */
export function empty(title: string, ...help: Child[]): HTMLElement {
  return el("section", { class: "state empty" }, el("h2", {}, title), el("div", { class: "help" }, ...help));
}

/** A list that goes on, and how to see the rest. */
export function cut(shown: string, more?: { label: string; act: () => void }): HTMLElement {
  return el(
    "div",
    { class: "cut" },
    el(
      "p",
      {},
      shown,
      isSandbox() && [
        " The sandbox key gets 25 rows a page. ",
        el("button", { type: "button", class: "link", onclick: openKey }, "Use your own key"),
        " to see more at once.",
      ],
    ),
    more && el("button", { type: "button", onclick: more.act }, more.label),
  );
}

/** Show an error: what is wrong, what helps, and the id of the request. */
export function problem(error: unknown, again: () => void): HTMLElement {
  if (error instanceof WrongAddress) return wrongAddress(error);
  const known = error instanceof Problem ? error : new Problem({ status: 0, title: "The page failed", detail: String(error) });
  const { document, status, requestId, upgradeUrl } = known;
  return el(
    "section",
    { class: "state problem", role: "alert" },
    el("h2", {}, document.title),
    el("p", {}, document.parameter && el("code", {}, document.parameter), document.parameter && ": ", document.detail),
    el("p", { class: "help" }, advice(status, known.retryAfter)),
    el(
      "p",
      { class: "actions" },
      status === 401 && el("button", { type: "button", class: "primary", onclick: openKey }, "Change the key"),
      upgradeUrl && el("a", { class: "button", href: upgradeUrl }, "See what other tiers offer"),
      el("button", { type: "button", onclick: again }, "Try again"),
      el("a", { class: "button", href: "#/" }, "Go to the start"),
    ),
    requestId && el("p", { class: "hint" }, "Request ", el("code", {}, requestId), status > 0 && ` · status ${status}`),
  );
}

/** A part of the address is wrong: say which, and lead to the address without the fault. */
function wrongAddress({ message, mended }: WrongAddress): HTMLElement {
  return el(
    "section",
    { class: "state problem", role: "alert" },
    el("h2", {}, "This address is not valid"),
    el("p", {}, message),
    el(
      "p",
      { class: "actions" },
      el("a", { class: "button primary", href: mended.href }, mended.label),
      el("a", { class: "button", href: "#/" }, "Go to the start"),
    ),
  );
}

function advice(status: number, wait: number | undefined): string {
  if (status === 401) {
    return isSandbox()
      ? "This installation has no sandbox key, or it was changed. Enter a key of your own."
      : "The key you entered is unknown here. Check it for a missing letter, or use the sandbox key again.";
  }
  if (status === 402) return "The key is of the sample tier. Use a key of a paid tier, or request fewer rows.";
  if (status === 404) return "Nothing here has this identifier. Search for the company by name, ticker or LEI.";
  if (status === 429) return `The request limit of this key is reached${wait === undefined ? "" : ` for ${wait} seconds`}. A key of your own has its own limit.`;
  if (status === 503) return "A part of the service does not answer. Try again in a moment.";
  if (status === 400) return "Correct this part of the address, or go to the start.";
  if (status === 0) return "Try again. If it stays, check your connection.";
  return "If it stays, report the request id to the operator.";
}

export function openKey(): void {
  document.getElementById("key-dialog")?.dispatchEvent(new Event("ask"));
}
