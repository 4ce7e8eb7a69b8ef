// The panel under each view: the calls that made it, to copy.

import { asCurl, asPython, asTool, type Call } from "./calls.ts";
import { el, fill } from "./dom.ts";
import { isSandbox, sandboxKey } from "./key.ts";

type Form = "curl" | "Python" | "MCP";
const FORMS: Form[] = ["curl", "Python", "MCP"];
let form: Form = "curl";
let shown: Call[] = [];

/** Show the calls behind the view as it stands now. */
export function showBehind(calls: Call[]): void {
  shown = calls;
  render();
}

function render(): void {
  const panel = document.getElementById("behind");
  if (!panel) return;
  if (shown.length === 0) return fill(panel);
  fill(
    panel,
    el("h2", {}, "Behind this view"),
    el(
      "p",
      { class: "hint" },
      "The page asks the same public API that you can ask. These calls give what you see",
      isSandbox() ? ", with the public sandbox key." : "; put your key where it says YOUR_KEY.",
    ),
    el("div", { class: "tabs", role: "group", "aria-label": "Show the calls for" }, FORMS.map(tab)),
    el("div", { class: "calls" }, shown.map(one)),
  );
}

function tab(name: Form): HTMLElement {
  return el(
    "button",
    {
      type: "button",
      "aria-pressed": String(name === form),
      onclick: () => {
        form = name;
        render();
        document.querySelector<HTMLElement>('#behind .tabs [aria-pressed="true"]')?.focus();
      },
    },
    name,
  );
}

function one(call: Call): HTMLElement {
  const written = write(call);
  return el(
    "section",
    { class: "call" },
    el("div", { class: "call-head" }, el("h3", {}, call.says), written !== null && copyButton(written, `Copy: ${call.says}`)),
    written === null
      ? el("p", { class: "hint" }, form === "MCP" ? "No tool answers this; an agent can ask REST for it." : "The client has no method for this; ask REST for it.")
      : el("pre", { tabindex: "0", "aria-label": `${call.says}, as ${form}` }, el("code", {}, written)),
  );
}

function write(call: Call): string | null {
  const key = isSandbox() && sandboxKey() ? sandboxKey() : "YOUR_KEY";
  if (form === "curl") return asCurl(call, location.origin, key);
  if (form === "Python") return asPython(call, location.origin, key);
  return asTool(call);
}

/** Return a button that copies a text and confirms it. A function is called on each click. */
export function copyButton(copied: string | (() => string), label: string, face = "Copy"): HTMLButtonElement {
  const button = el("button", { type: "button", class: "copy", "aria-label": label }, face);
  button.addEventListener("click", async () => {
    button.textContent = (await toClipboard(typeof copied === "string" ? copied : copied())) ? "Copied" : "Press Ctrl+C";
    setTimeout(() => (button.textContent = face), 1600);
  });
  return button;
}

async function toClipboard(copied: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(copied);
    return true;
  } catch {
    // Without https there is no clipboard to write to: select the text for the reader instead.
    const area = el("textarea", { class: "offscreen", "aria-hidden": "true" });
    area.value = copied;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}
