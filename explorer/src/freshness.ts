// How fresh a source is, in plain sentences.

import { inFull } from "./dates.ts";

export interface Freshness {
  checked_at: string;
  stale: string[];
  sources: Feed[];
}

export interface Feed {
  source: string;
  state: "fresh" | "stale" | "new" | "frozen" | "on_request";
  last_good_at: string | null;
  next_due_at: string | null;
  stale_at: string | null;
}

/** Say when a source last brought something, and when it is due. */
export function sentence(feed: Feed): string {
  const last = feed.last_good_at ? `Last fetched in full on ${moment(feed.last_good_at)}.` : "Nothing has been fetched yet.";
  const due = feed.next_due_at ? ` Next due on ${moment(feed.next_due_at)}.` : "";
  if (feed.state === "frozen") return `${last} Its publisher adds nothing any more, so it is not fetched again.`;
  if (feed.state === "on_request") return `${last} It has no schedule: the operator fetches it on request.`;
  if (feed.state === "stale") return `${last}${due} It is late since ${moment(feed.stale_at ?? "")}: answers are right for what had been fetched by then.`;
  return `${last}${due}`;
}

/** Write a moment in UTC: 5 January 2026, 06:00 UTC. */
export function moment(stated: string): string {
  return stated ? `${inFull(stated.slice(0, 10))}, ${stated.slice(11, 16)} UTC` : "an unknown time";
}

