// The frame around the views: where one is, which view shows it, and what stands above and below.

import { problem, reading } from "./states.ts";
import { showBehind } from "./behind.ts";
import { el, fill } from "./dom.ts";
import { keyTools } from "./key_dialog.ts";
import { here, href } from "./route.ts";
import { themeTool } from "./theme.ts";
import { VIEWS, START } from "./views/index.ts";

const main = document.querySelector<HTMLElement>("main")!;
const nav = document.querySelector<HTMLElement>("nav.views")!;
const links = VIEWS.map((one) => el("a", { href: href(one.name) }, one.short));
let turn = 0;
let last = "";

async function show(): Promise<void> {
  const route = here();
  const view = VIEWS.find((one) => one.name === route.view) ?? START;
  const mine = ++turn;
  document.title = `${view.title} · Sankofa`;
  VIEWS.forEach((one, at) => mark(links[at], one === view));
  const place = `${view.name}/${route.id}`;
  const held = place === last ? hold() : undefined;
  last = place;
  showBehind([]);
  const root = el("div", { class: `view view-${view.name}` }, reading(view.reads));
  fill(main, root);
  main.setAttribute("aria-busy", "true");
  try {
    await view.show({ root, route, alive: () => mine === turn, title: (name) => mine === turn && (document.title = `${name} · Sankofa`) });
    if (mine === turn) held?.();
  } catch (error) {
    if (mine === turn) fill(root, problem(error, show));
  } finally {
    if (mine === turn) main.removeAttribute("aria-busy");
  }
}

function mark(link: HTMLElement | undefined, current: boolean): void {
  if (!current) return link?.removeAttribute("aria-current");
  link?.setAttribute("aria-current", "page");
  link?.scrollIntoView({ block: "nearest", inline: "nearest" });
}

/** Remember where the reader is in a view that is about to be drawn anew; what is returned leads back there. */
function hold(): () => void {
  const [height, focused] = [scrollY, document.activeElement];
  const name = focused && main.contains(focused) ? nameOf(focused) : "";
  return () => {
    scrollTo({ top: height, behavior: "instant" });
    const same = name && [...main.querySelectorAll<HTMLElement>("select, input, button")].find((one) => nameOf(one) === name);
    if (same) same.focus({ preventScroll: true });
  };
}

function nameOf(control: Element): string {
  const labelled = control instanceof HTMLSelectElement || control instanceof HTMLInputElement;
  return (labelled ? control.labels?.[0]?.textContent : control.textContent) ?? "";
}

fill(nav, links);
fill(document.querySelector(".tools")!, keyTools(show), themeTool());
fill(
  document.querySelector(".foot")!,
  el(
    "p",
    {},
    "For research and information; not a regulated benchmark. A metric or a rank is not a rating. Some real firms are withheld, because a party is shown only once evidence says that it is an organisation.",
  ),
  el("p", {}, el("a", { href: "/docs/" }, "Guide"), el("a", { href: "/openapi.json" }, "OpenAPI"), el("a", { href: href("coverage") }, "Coverage and status")),
);
addEventListener("hashchange", () => {
  // The skip link is an address too, and no place.
  if (location.hash === "#view") main.focus();
  else void show();
});
void show();
