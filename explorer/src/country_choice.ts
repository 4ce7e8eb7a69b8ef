// Choosing a country: the catalogue is read when the list is first used, so a page does not pay for it.

import { ask, type Row } from "./api.ts";
import { choice, el, fill } from "./dom.ts";
import { countryName } from "./words.ts";

export interface CountryChoice {
  /** The catalogue whose countries are offered. */
  kind: "metrics" | "indicators";
  chosen: string;
  /** The face of the choice of no country, where there is one. */
  all?: string;
  edition: string | undefined;
  take: (country: string) => void;
}

export function countryChoice({ kind, chosen, all, edition, take }: CountryChoice): HTMLSelectElement {
  const offer = (codes: string[]) => [
    ...(all ? [{ value: "", label: all }] : []),
    ...codes.map((value) => ({ value, label: countryName(value) })).sort((a, b) => a.label.localeCompare(b.label)),
  ];
  const select = choice(offer(chosen ? [chosen] : []), chosen, take);
  const load = async () => {
    const { rows } = await ask(`/v1/catalog/${kind}`, { edition });
    const codes = new Set([...rows.flatMap((row) => Object.keys((row["coverage"] ?? {}) as Row)), ...(chosen ? [chosen] : [])]);
    codes.delete("none");
    fill(select, offer([...codes]).map(({ value, label }) => el("option", { value, selected: value === chosen }, label)));
  };
  // The list only helps: without an answer the choice stays as it is.
  select.addEventListener("focus", () => void load().catch(() => undefined), { once: true });
  return select;
}
