// Which key is in use, and the dialog to enter another.

import { forget } from "./api.ts";
import { el, field } from "./dom.ts";
import { isSandbox, ownKey, useOwnKey } from "./key.ts";

export function keyTools(changed: () => void): HTMLElement {
  const button = el("button", { type: "button", class: "key", onclick: open });
  const inUse = el("p");
  const input = el("input", { type: "password", autocomplete: "off", spellcheck: "false", placeholder: "snk_…" });
  const dialog = el(
    "dialog",
    { id: "key-dialog", "aria-labelledby": "key-title", onask: open },
    el(
      "form",
      { method: "dialog", onsubmit: () => take(input.value.trim()) },
      el("h2", { id: "key-title" }, "Your key"),
      inUse,
      field("API key", input, "It stays in this tab and is gone when you close it. It is sent only to this service."),
      el(
        "div",
        { class: "actions" },
        el("button", { type: "submit", class: "primary" }, "Use this key"),
        el("button", { type: "button", onclick: () => take("") }, "Use the sandbox key"),
        el("button", { type: "button", onclick: () => dialog.close() }, "Cancel"),
      ),
    ),
  );

  function open(): void {
    input.value = ownKey();
    inUse.textContent = isSandbox()
      ? "In use: the public sandbox key. It has the same data, 25 rows a page and 60 requests a minute. A key of your own gets whole answers."
      : "In use: your own key. The public sandbox key has the same data, 25 rows a page and 60 requests a minute.";
    dialog.showModal();
    input.select();
  }

  function take(key: string): void {
    useOwnKey(key);
    forget();
    name();
    dialog.close();
    changed();
  }

  function name(): void {
    button.textContent = isSandbox() ? "Sandbox key" : "Your key";
    button.classList.toggle("own", !isSandbox());
  }

  name();
  return el("div", { class: "key-tools" }, button, dialog);
}
