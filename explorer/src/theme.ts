// Light and dark: as the system says, or as chosen here.

import { el } from "./dom.ts";

const PLACE = "sankofa-theme";
const SCHEMES = ["auto", "light", "dark"] as const;
const FACES = { auto: "◐", light: "☀", dark: "☾" };
type Scheme = (typeof SCHEMES)[number];

function chosen(): Scheme {
  return SCHEMES.find((scheme) => scheme === localStorage.getItem(PLACE)) ?? "auto";
}

function apply(scheme: Scheme): void {
  if (scheme === "auto") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = scheme;
  dispatchEvent(new Event("themechange"));
}

export function themeTool(): HTMLElement {
  const face = () => el("span", { "aria-hidden": "true" }, FACES[chosen()]);
  const button = el("button", { type: "button", class: "icon", title: "Light or dark" }, face());
  const name = () => button.setAttribute("aria-label", `Colours: ${chosen() === "auto" ? "as the system says" : chosen()}. Change`);
  button.addEventListener("click", () => {
    const next = SCHEMES[(SCHEMES.indexOf(chosen()) + 1) % SCHEMES.length] ?? "auto";
    localStorage.setItem(PLACE, next);
    apply(next);
    button.replaceChildren(face());
    name();
  });
  name();
  apply(chosen());
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => dispatchEvent(new Event("themechange")));
  return button;
}
