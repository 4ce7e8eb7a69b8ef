// The views, in the order of the menu.

import type { View } from "../view.ts";
import { coverage } from "./coverage.ts";
import { editions } from "./editions.ts";
import { entity } from "./entity.ts";
import { issuer } from "./issuer.ts";
import { macro } from "./macro.ts";
import { screen } from "./screen.ts";
import { tenders } from "./tenders.ts";

export const START: View = { name: "issuer", short: "Issuer", title: "What was known", reads: "the issuer's reports", show: issuer };

export const VIEWS: View[] = [
  START,
  { name: "screen", short: "Screen", title: "Screen", reads: "the ranking", show: screen },
  { name: "tenders", short: "Tenders", title: "Tenders", reads: "tenders and signals", show: tenders },
  { name: "macro", short: "Macro", title: "Macro", reads: "the series", show: macro },
  { name: "entity", short: "Entity", title: "Entity", reads: "the organisation", show: entity },
  { name: "coverage", short: "Coverage", title: "Coverage and freshness", reads: "what there is", show: coverage },
  { name: "editions", short: "Editions", title: "Editions and changes", reads: "the editions", show: editions },
];
