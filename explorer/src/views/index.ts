// The views, in the order of the menu.

import type { View } from "../view.ts";
import { country } from "./country.ts";
import { coverage } from "./coverage.ts";
import { editions } from "./editions.ts";
import { entity } from "./entity.ts";
import { issuer } from "./issuer.ts";
import { macro } from "./macro.ts";
import { screen } from "./screen.ts";
import { signals } from "./signals.ts";
import { sources } from "./sources.ts";
import { tender } from "./tender.ts";
import { tenders } from "./tenders.ts";

export const START: View = { name: "issuer", short: "Issuer", title: "What was known", reads: "the issuer's reports", show: issuer };

export const VIEWS: View[] = [
  START,
  { name: "screen", short: "Screen", title: "Screen", reads: "the ranking", show: screen },
  { name: "tenders", short: "Tenders", title: "Tenders", reads: "tenders and signals", show: tenders },
  { name: "tender", short: "", hidden: true, title: "Tender", reads: "the process", show: tender },
  { name: "signals", short: "", hidden: true, title: "Procurement signals", reads: "the signal", show: signals },
  { name: "macro", short: "Macro", title: "Macro", reads: "the series", show: macro },
  { name: "country", short: "Countries", title: "Country", reads: "the country", show: country },
  { name: "entity", short: "Entity", title: "Entity", reads: "the organisation", show: entity },
  { name: "sources", short: "Sources", title: "Sources", reads: "the sources", show: sources },
  { name: "coverage", short: "Coverage", title: "Coverage and quality", reads: "what there is", show: coverage },
  { name: "editions", short: "Editions", title: "Editions and changes", reads: "the editions", show: editions },
];
