// What each part of the company page gets, and what it answers.

import type { Call } from "../calls.ts";
import type { Day } from "../dates.ts";
import type { Place } from "../view.ts";
import type { Company } from "./company_data.ts";

export const TABS = { statements: "Statements", ratios: "Ratios", filings: "Filings", tenders: "Tenders", about: "Identifiers" } as const;
export type TabName = keyof typeof TABS;

export interface Context {
  place: Place;
  company: Company;
  /** The day of the slider when the part is made. */
  day: Day;
  /** The name of the company for titles. */
  name: string;
  /** Move the slider. */
  move: (day: Day) => void;
  /** Set the days on which something changes, for the steps of the slider. */
  stops: (days: Day[]) => void;
  /** Note parameters of the part in the address; `step` makes it one to go back to. */
  note: (params: Record<string, string | undefined>, step?: boolean) => void;
}

export interface Tab {
  element: HTMLElement;
  /** The slider moves: show the day from what was read. */
  moved?: (day: Day) => void;
  /** The slider rests: what needs a call is read now. */
  settled?: (day: Day) => void;
  /** The calls behind the part, for the day. */
  calls: (day: Day) => Call[];
}
