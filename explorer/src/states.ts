// What a view shows when it has nothing yet, nothing at all, or no answer.

import { Problem, text } from "./api.ts";
import { el, type Child } from "./dom.ts";
import { isSandbox } from "./key.ts";

export function reading(what: string): HTMLElement {
  return el("p", { class: "reading", role: "status" }, `Reading ${what}…`);
}

/** Nothing matched: say why that can be, and what to do. */
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

/** Show a problem document: what happened, what helps, and the id to quote. */
export function problem(error: unknown, again: () => void): HTMLElement {
  const known = error instanceof Problem ? error : new Problem({ status: 0, title: "The page failed", detail: String(error) });
  const { document: told, status } = known;
  const upgrade = text(told["upgrade_url"]);
  const requestId = text(told["request_id"]);
  return el(
    "section",
    { class: "state problem", role: "alert" },
    el("h2", {}, text(told["title"]) || "No answer"),
    el("p", {}, text(told["detail"])),
    el("p", { class: "help" }, advice(status, told)),
    el(
      "p",
      { class: "actions" },
      status === 401 && el("button", { type: "button", class: "primary", onclick: openKey }, "Change the key"),
      upgrade && el("a", { class: "button", href: upgrade }, "See what other tiers offer"),
      el("button", { type: "button", onclick: again }, "Try again"),
      el("a", { class: "button", href: "#/issuer" }, "Go to the start"),
    ),
    requestId && el("p", { class: "hint" }, "Request ", el("code", {}, requestId), status > 0 && ` · status ${status}`),
  );
}

function advice(status: number, told: Problem["document"]): string {
  const wait = text(told["retry_after"]);
  if (status === 401) {
    return isSandbox()
      ? "This installation has no sandbox key, or it was changed. Enter a key of your own."
      : "The key you entered is not known here. Check it for a missing letter, or go back to the sandbox key.";
  }
  if (status === 402) return "The key that asks is of the sample tier. A paid tier, or a smaller question, gets an answer.";
  if (status === 404) return "Nothing here has this identifier. Look it up by ticker or LEI, or pick an issuer from the screen.";
  if (status === 429) return `The limit of this key is reached${wait && `; in ${wait} seconds it can ask again`}. A key of your own has a limit of its own.`;
  if (status === 503) return "A part of the service is silent, and it gives no answer rather than a wrong one. Try again in a moment.";
  if (status === 400) return "A part of the address is not valid. Change it, or begin at the start.";
  return "If it stays, tell the operator the request id.";
}

export function openKey(): void {
  document.getElementById("key-dialog")?.dispatchEvent(new Event("ask"));
}
