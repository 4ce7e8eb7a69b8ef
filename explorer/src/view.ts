// What a view is, and what the frame hands to it.

import type { Route } from "./route.ts";

export interface Place {
  root: HTMLElement;
  route: Route;
  /** False once another view has taken the page. */
  alive: () => boolean;
  /** Name the page in the title of the document: "Nyalumera Foods · Sankofa". */
  title: (name: string) => void;
}

export interface View {
  name: string;
  short: string;
  title: string;
  /** What is being read while nothing can be shown. */
  reads: string;
  show: (place: Place) => Promise<void>;
  /** Whether the menu lists it; a page that others link to need not be there. */
  hidden?: boolean;
}
