// The views, in the order of the menu.

import type { View } from "../view.ts";
import { company } from "./company.ts";
import { coverage } from "./coverage.ts";
import { editions } from "./editions.ts";
import { macro } from "./macro.ts";
import { screen } from "./screen.ts";
import { tenders } from "./tenders.ts";

export const START: View = {
  name: "company",
  short: "Companies",
  title: "Companies",
  reads: "the company",
  takes: ["tab", "item", "period", "as_of", "lines", "edition"],
  show: company,
};

export const VIEWS: View[] = [
  START,
  { name: "screen", short: "Screen", title: "Screen", reads: "the ranking", show: screen },
  { name: "tenders", short: "Tenders", title: "Tenders", reads: "tenders and signals", show: tenders },
  { name: "macro", short: "Macro", title: "Macro", reads: "the series", show: macro },
  { name: "coverage", short: "Coverage", title: "Coverage and freshness", reads: "what there is", show: coverage },
  { name: "editions", short: "Editions", title: "Editions and changes", reads: "the editions", show: editions },
];
