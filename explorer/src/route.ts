// Where one is: #/view/id?name=value. Each state of a view is an address that can be kept and sent.

export interface Route {
  view: string;
  id: string;
  params: Record<string, string>;
}

export function here(): Route {
  const [path = "", query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  const [view = "", id = ""] = path.split("/").map(decodeURIComponent);
  return { view, id, params: Object.fromEntries(new URLSearchParams(query)) };
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
