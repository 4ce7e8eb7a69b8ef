// Where one is: #/view/id?name=value. Each state of a view is an address that can be kept and sent.

import { inFull, isDay, type Day } from "./dates.ts";

export interface Route {
  view: string;
  id: string;
  params: Record<string, string>;
}

/** Former names of views: addresses that were sent to others keep working. */
const RENAMED: Record<string, string> = { issuer: "company", entity: "company" };

/** A part of the address is not valid. `mended` is the address without the fault. */
export class WrongAddress extends Error {
  readonly mended: { href: string; label: string };

  constructor(message: string, mended: { href: string; label: string }) {
    super(message);
    this.mended = mended;
  }
}

export function here(): Route {
  const [path = "", query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  const [view = "", id = ""] = path.split("/").map(decoded);
  return { view: RENAMED[view] ?? view, id, params: Object.fromEntries(new URLSearchParams(query)) };
}

export function href(view: string, id = "", params: Record<string, string | undefined> = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) if (value) query.set(name, value);
  const asked = query.toString().replaceAll("%2F", "/").replaceAll("%3A", ":");
  return `#/${view}${id && `/${encodeURIComponent(id)}`}${asked && `?${asked}`}`;
}

/** Note the state in the address without leaving the view; `step` makes it one to go back to. */
export function note(place: string, { step = false } = {}): void {
  if (location.hash === place) return;
  if (step) history.pushState(null, "", place);
  else history.replaceState(null, "", place);
}

/** Go to a place, as a link would. */
export function go(place: string): void {
  if (location.hash === place) dispatchEvent(new HashChangeEvent("hashchange"));
  else location.hash = place;
}

/**
 * Return the day of a parameter, or undefined if the address has none.
 *
 * A value that is no date, or a day out of range, is refused: showing another day than the address names would be
 * taken for an answer about that day.
 */
export function dayParam(route: Route, name: string, first?: Day, last?: Day): Day | undefined {
  const value = route.params[name];
  if (value === undefined || value === "") return undefined;
  const day = (to: Day) => ({ href: href(route.view, route.id, { ...route.params, [name]: to }), label: `Show ${inFull(to)}` });
  if (!isDay(value)) {
    throw new WrongAddress(`${name}=${value} is not a date. Write a day as YYYY-MM-DD, for example ${name}=2024-03-14.`, without(route, name));
  }
  if (first && value < first) {
    throw new WrongAddress(`${name}=${value} is before the first day of this page, ${inFull(first)}. Nothing shown here was public earlier.`, day(first));
  }
  if (last && value > last) {
    throw new WrongAddress(`${name}=${value} is after ${inFull(last)}, the day of this edition. What becomes public later is not known yet.`, day(last));
  }
  return value;
}

/** Return the value of a parameter that must be one of a list, or undefined if the address has none. */
export function choiceParam<T extends string>(route: Route, name: string, options: readonly T[]): T | undefined {
  const value = route.params[name];
  if (value === undefined || value === "") return undefined;
  const found = options.find((option) => option === value);
  if (found !== undefined) return found;
  const listed = options.slice(0, 12).join(", ");
  throw new WrongAddress(`${name}=${value} is unknown here. Expected one of: ${listed}${options.length > 12 ? ", …" : ""}.`, without(route, name));
}

/** Refuse parameters that a view does not have: a mistyped one would be ignored without a word. */
export function onlyParams(route: Route, known: readonly string[]): void {
  const unknown = Object.keys(route.params).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new WrongAddress(`This page has no parameter ${unknown}. It has ${known.join(", ")}.`, without(route, unknown));
}

function without(route: Route, name: string): { href: string; label: string } {
  const { [name]: _, ...others } = route.params;
  return { href: href(route.view, route.id, others), label: `Open without ${name}` };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
