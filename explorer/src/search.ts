// Search as you type: organisations by name, former name, ticker or LEI. A combobox as ARIA describes it.

import { api, Problem, read, type NamedOrganisation } from "./api.ts";
import { inShort } from "./dates.ts";
import { el, fill } from "./dom.ts";
import { go, href } from "./route.ts";
import { countryName } from "./words.ts";

const PAUSE = 220; // ms without a key before the API is called
const SHORTEST = 3; // as the API requires
const SHOWN = 8;

export function searchBox(): HTMLElement {
  const list = el("ul", { id: "found", role: "listbox", "aria-label": "Companies found" });
  const message = el("p", { class: "found-message", role: "status" });
  const panel = el("div", { class: "found" }, list, message);
  const input = el("input", {
    type: "search",
    role: "combobox",
    "aria-label": "Find a company",
    "aria-expanded": "false",
    "aria-controls": "found",
    "aria-autocomplete": "list",
    placeholder: "Find a company",
    autocomplete: "off",
    spellcheck: "false",
    enterkeyhint: "search",
    oninput: typed,
    onkeydown: keys,
    onfocus: () => input.value.trim().length >= SHORTEST && typed(),
    onblur: () => setTimeout(close, 150), // a click on the list comes first
  });
  let found: readonly NamedOrganisation[] = [];
  let active = -1;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running: AbortController | undefined;

  function typed(): void {
    clearTimeout(timer);
    running?.abort();
    const sought = input.value.trim();
    if (sought.length < SHORTEST) return close();
    timer = setTimeout(() => void find(sought), PAUSE);
  }

  async function find(sought: string): Promise<void> {
    const own = (running = new AbortController());
    try {
      const page = await read(api().search({ q: sought, limit: SHOWN }, { signal: own.signal }));
      if (!own.signal.aborted) show(page.rows, sought);
    } catch (error) {
      if (own.signal.aborted) return;
      show([], sought);
      message.textContent = error instanceof Problem ? error.message : "The search failed. Try again.";
    }
  }

  function show(rows: readonly NamedOrganisation[], sought: string): void {
    found = rows;
    fill(list, rows.map(option));
    message.textContent = rows.length > 0 ? "" : `No company matches “${sought}”. Try part of the name, a ticker (XNAI:NYAL) or an LEI.`;
    panel.classList.add("open");
    input.setAttribute("aria-expanded", String(rows.length > 0));
    choose(rows.length > 0 ? 0 : -1);
  }

  function option(row: NamedOrganisation, at: number): HTMLElement {
    return el(
      "li",
      { id: `found-${at}`, role: "option", "aria-selected": "false", onpointerdown: () => open(at), onpointermove: () => choose(at) },
      el("span", { class: "found-name" }, row.legal_name ?? row.service_id),
      el("span", { class: "found-why" }, [row.jurisdiction && countryName(row.jurisdiction), why(row)].filter(Boolean).join(" · ")),
    );
  }

  function choose(at: number): void {
    active = at;
    [...list.children].forEach((one, index) => one.setAttribute("aria-selected", String(index === at)));
    if (at >= 0) input.setAttribute("aria-activedescendant", `found-${at}`);
    else input.removeAttribute("aria-activedescendant");
    list.children[at]?.scrollIntoView({ block: "nearest" });
  }

  function keys(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && found.length > 0) {
      event.preventDefault();
      choose((active + step + found.length) % found.length);
    } else if (event.key === "Enter") {
      event.preventDefault();
      if (active >= 0) open(active);
    } else if (event.key === "Escape") {
      if (panel.classList.contains("open")) close();
      else input.blur();
    }
  }

  function open(at: number): void {
    const row = found[at];
    if (!row) return;
    input.value = "";
    close();
    input.blur();
    go(href("company", row.service_id));
  }

  function close(): void {
    clearTimeout(timer);
    running?.abort();
    found = [];
    fill(list);
    message.textContent = "";
    panel.classList.remove("open");
    input.setAttribute("aria-expanded", "false");
    choose(-1);
  }

  addEventListener("keydown", (event) => {
    const inField = event.target instanceof HTMLElement && event.target.matches("input:not([type=range]), select, textarea");
    const asked = (event.key === "/" && !inField && !event.ctrlKey && !event.metaKey) || (event.key === "k" && (event.ctrlKey || event.metaKey));
    if (!asked || document.querySelector("dialog[open]")) return;
    event.preventDefault();
    input.focus();
    input.select();
  });
  return el("div", { class: "search", role: "search" }, input, el("kbd", { "aria-hidden": "true" }, "/"), panel);
}

/** Say why an organisation was found, where its name does not show it. */
function why(row: NamedOrganisation): string {
  if (row.matched === "former_name") return `formerly ${row.matched_text}${row.until ? `, until ${inShort(row.until)}` : ""}`;
  if (row.matched === "identifier") return row.matched_text;
  if (row.matched === "former_identifier") return `formerly ${row.matched_text}`;
  return row.kind === "issuer" ? "" : "no accounts";
}
