// Contracting processes: releases grouped by process, with a title, a stage and a value for each.

import { text, type Row } from "./api.ts";
import { readable } from "./words.ts";

export interface Process {
  ocid: string;
  title: string;
  /** Whether the process has a title, or a release that was read states one. */
  titled: boolean;
  buyer: Row;
  suppliers: Row[];
  category: string;
  /** The stage of the newest release. */
  stage: string;
  /** What was awarded, or else what was tendered. */
  value: Row;
  awarded: boolean;
  /** The day of the newest release. */
  date: string;
  releases: Row[];
}

const STAGES: Record<string, string> = {
  planning: "Planned",
  tender: "Tender opened",
  tenderAmendment: "Tender amended",
  tenderUpdate: "Tender updated",
  tenderCancellation: "Tender cancelled",
  award: "Awarded",
  awardUpdate: "Award updated",
  awardCancellation: "Award cancelled",
  contract: "Contract signed",
  contractUpdate: "Contract updated",
  contractAmendment: "Contract amended",
  implementation: "In progress",
  contractTermination: "Contract ended",
};

/** Group releases by process; the process whose newest release is newest comes first, as in the API. */
export function processes(releases: Row[]): Process[] {
  const groups = new Map<string, Row[]>();
  for (const release of releases) {
    const ocid = text(release["ocid"]);
    groups.set(ocid, [...(groups.get(ocid) ?? []), release]);
  }
  return [...groups].map(([ocid, found]) => processOf(ocid, found));
}

function processOf(ocid: string, releases: Row[]): Process {
  const first = <T>(read: (row: Row) => T | undefined): T | undefined => releases.map(read).find((value) => value !== undefined);
  const newest = releases[0] ?? {};
  const awards = first((row) => (list(row, "awards").length > 0 ? list(row, "awards") : undefined)) ?? [];
  const won = awards.map((award) => part(award, "value")).find((value) => text(value["amount"]));
  const stated = (text(newest["process_title"]) || undefined) ?? first((row) => statedTitle(row) || undefined);
  return {
    ocid,
    title: stated ?? untitled(newest),
    titled: stated !== undefined,
    buyer: first((row) => (row["buyer"] ? part(row, "buyer") : undefined)) ?? {},
    suppliers: suppliersOf(awards),
    category: first((row) => text(part(row, "tender")["category"]) || text(part(row, "tender")["mainProcurementCategory"]) || undefined) ?? "",
    stage: stageOf(newest),
    value: won ?? first((row) => (part(row, "tender")["value"] ? part(part(row, "tender"), "value") : undefined)) ?? {},
    awarded: won !== undefined,
    date: dayOfRelease(newest),
    releases,
  };
}

/** Return the title that a record or release states, of its tender, its awards or its contracts. */
export function statedTitle(record: Row): string {
  const parts = [part(record, "tender"), ...list(record, "awards"), ...list(record, "contracts")];
  return parts.map((one) => text(one["title"])).find((title) => title !== "") ?? "";
}

/** Name a process that has no title: by the number of its tender and its buyer. */
export function untitled(record: Row): string {
  const number = text(part(record, "tender")["id"]) || text(record["ocid"]);
  const buyer = text(part(record, "buyer")["name"]);
  return `Tender ${number}${buyer && ` of ${buyer}`}`;
}

export function suppliersOf(awards: Row[]): Row[] {
  const found = new Map<string, Row>();
  for (const award of awards) for (const supplier of list(award, "suppliers")) found.set(text(supplier["service_id"]), supplier);
  return [...found.values()];
}

/** Name the stage of a release. One that a portal compiled itself has the status of its tender instead. */
export function stageOf(release: Row): string {
  const tags = (release["tag"] ?? []) as string[];
  const named = tags.map((tag) => STAGES[tag]).filter((stage) => stage !== undefined);
  if (named.length > 0) return named.join(", ");
  if (list(release, "awards").length > 0) return "Awarded";
  const status = text(part(release, "tender")["status"]);
  return status ? readable(status) : "Published";
}

export function dayOfRelease(release: Row): string {
  return text(release["date"]).slice(0, 10) || text(release["available_at"]);
}

export function part(row: Row, name: string): Row {
  return (row[name] ?? {}) as Row;
}

export function list(row: Row, name: string): Row[] {
  return (row[name] ?? []) as Row[];
}
