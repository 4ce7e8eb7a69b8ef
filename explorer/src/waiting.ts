// The countdown while the page waits for a limit of its key.

import { Waiting } from "./api.ts";
import { el, fill } from "./dom.ts";
import { isSandbox } from "./key.ts";
import { openKey } from "./states.ts";

/** Return the strip that shows the countdown; it is empty while nothing is waited for. */
export function countdown(): HTMLElement {
  const strip = el("div", { class: "waiting", role: "status" });
  const left = el("strong");
  let until = 0;
  let timer: ReturnType<typeof setInterval> | undefined;

  function tick(): void {
    const seconds = Math.ceil((until - Date.now()) / 1000);
    left.textContent = `${seconds} s`;
    if (seconds > 0) return;
    clearInterval(timer);
    timer = undefined;
    fill(strip);
  }

  addEventListener("waiting", (event) => {
    until = Math.max(until, Date.now() + (event as Waiting).seconds * 1000);
    if (timer !== undefined) return;
    fill(
      strip,
      el("span", {}, "The request limit of this key is reached. The page continues in ", left, "."),
      isSandbox() && el("button", { type: "button", class: "link", onclick: openKey }, "Use your own key"),
    );
    timer = setInterval(tick, 250);
    tick();
  });
  return strip;
}
