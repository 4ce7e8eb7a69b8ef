// The frame around the views: which view the address names, and what stands above and below it.

import { readSynthetic } from "./api.ts";
import { showBehind } from "./behind.ts";
import { el, fill } from "./dom.ts";
import { keyTools } from "./key_dialog.ts";
import { copyExactDigits } from "./numbers.ts";
import { here, href, onlyParams, WrongAddress } from "./route.ts";
import { searchBox } from "./search.ts";
import { problem, reading } from "./states.ts";
import { themeTool } from "./theme.ts";
import { VIEWS, START } from "./views/index.ts";
import { countdown } from "./waiting.ts";

const main = document.querySelector<HTMLElement>("main")!;
const nav = document.querySelector<HTMLElement>("nav.views")!;
const banner = document.querySelector<HTMLElement>(".banner")!;
const listed = VIEWS.filter((one) => !one.hidden);
const links = listed.map((one) => el("a", { href: href(one.name) }, one.short));
let turn = 0;
let last = "";

async function show(): Promise<void> {
  const route = here();
  const view = route.view === "" ? START : VIEWS.find((one) => one.name === route.view);
  const mine = ++turn;
  document.title = `${view?.title ?? "No such page"} · Sankofa`;
  listed.forEach((one, at) => mark(links[at], one === view));
  const place = `${route.view}/${route.id}`;
  const held = place === last ? hold() : undefined;
  last = place;
  showBehind([]);
  readSynthetic({ reset: true });
  const root = el("div", { class: `view view-${view?.name ?? "none"}` }, reading(view?.reads ?? ""));
  fill(main, root);
  main.setAttribute("aria-busy", "true");
  try {
    if (!view) throw new WrongAddress(`There is no page “${route.view}”.`, { href: href(START.name), label: "Go to the companies" });
    if (view.takes) onlyParams(route, view.takes);
    await view.show({ root, route, alive: () => mine === turn, title: (name) => mine === turn && (document.title = `${name} · Sankofa`) });
    if (mine === turn) held?.();
  } catch (error) {
    if (mine === turn) fill(root, problem(error, show));
  } finally {
    if (mine === turn) {
      main.removeAttribute("aria-busy");
      showBanner();
    }
  }
}

/** Say that the data is invented, if a row of this page is under the licence class `synthetic`. */
function showBanner(): void {
  fill(banner, readSynthetic() && el("p", {}, el("strong", {}, "Fictional demo data."), " The companies, figures and tenders on this page are invented."));
}

function mark(link: HTMLElement | undefined, current: boolean): void {
  if (!current) return link?.removeAttribute("aria-current");
  link?.setAttribute("aria-current", "page");
  link?.scrollIntoView({ block: "nearest", inline: "nearest" });
}

/** Remember where the reader is in a view that is about to be drawn again; call the result to return there. */
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

fill(nav, links, el("a", { href: "/docs/" }, "Docs"));
fill(document.querySelector(".tools")!, searchBox(), keyTools(show), themeTool());
document.body.append(countdown());
copyExactDigits();
fill(
  document.querySelector(".foot")!,
  el(
    "p",
    {},
    "For research and information; not a regulated benchmark. A metric or a rank is not a rating. A party is shown only if evidence shows that it is an organisation, so some real firms are withheld.",
  ),
  el("p", {}, el("a", { href: "/docs/" }, "Guide"), el("a", { href: "/openapi.json" }, "OpenAPI"), el("a", { href: href("coverage") }, "Coverage and status"), el("a", { href: href("editions") }, "Editions and changes")),
);
addEventListener("hashchange", () => {
  // The skip link is an address too, and no page.
  if (location.hash === "#view") main.focus();
  else void show();
});
void show();
