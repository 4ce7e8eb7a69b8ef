// The views, in the order of the menu.

import type { View } from "../view.ts";
import { company } from "./company.ts";
import { country } from "./country.ts";
import { coverage } from "./coverage.ts";
import { editions } from "./editions.ts";
import { macro } from "./macro.ts";
import { screen } from "./screen.ts";
import { signals } from "./signals.ts";
import { sources } from "./sources.ts";
import { tender } from "./tender.ts";
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
  { name: "screen", short: "Screen", title: "Screen", reads: "the ranking", takes: ["metric", "country", "order", "basis", "age", "as_of", "edition"], show: screen },
  { name: "tenders", short: "Tenders", title: "Tenders", reads: "tenders and signals", takes: ["country", "category", "q", "buyer", "supplier", "month", "as_of", "edition"], show: tenders },
  { name: "tender", short: "", hidden: true, title: "Tender", reads: "the process", takes: ["as_of", "edition"], show: tender },
  { name: "signals", short: "", hidden: true, title: "Procurement signals", reads: "the signal", takes: ["signal", "country", "category", "currency", "measure", "edition"], show: signals },
  { name: "macro", short: "Macro", title: "Macro", reads: "the series", takes: ["series", "vintages", "date", "as_of", "edition"], show: macro },
  { name: "country", short: "Countries", title: "Country", reads: "the country", takes: ["as_of", "edition"], show: country },
  { name: "sources", short: "Sources", title: "Sources", reads: "the sources", takes: ["edition"], show: sources },
  { name: "coverage", short: "Coverage", hidden: true, title: "Coverage and quality", reads: "what there is", takes: ["kind", "dataset"], show: coverage },
  { name: "editions", short: "Editions", hidden: true, title: "Editions and changes", reads: "the editions", takes: ["dataset", "reason", "since"], show: editions },
];
