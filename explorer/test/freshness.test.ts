import assert from "node:assert/strict";
import { test } from "node:test";
import { sentence, type Feed } from "../src/freshness.ts";

const feed = (changed: Partial<Feed>): Feed => ({
  source: "portal",
  state: "fresh",
  last_good_at: "2024-03-14T06:05:11Z",
  next_due_at: "2024-03-15T06:00:00Z",
  stale_at: "2024-03-16T06:00:00Z",
  ...changed,
});

test("a source on time names its last fetch and its next one", () => {
  assert.equal(sentence(feed({})), "Last fetched in full on 14 March 2024, 06:05 UTC. Next due on 15 March 2024, 06:00 UTC.");
});

test("a late source says since when", () => {
  assert.match(sentence(feed({ state: "stale" })), /It is late since 16 March 2024, 06:00 UTC/);
});

test("a source that was never fetched, one without a schedule and a closed one say so", () => {
  assert.equal(sentence(feed({ state: "new", last_good_at: null })), "Nothing has been fetched yet. Next due on 15 March 2024, 06:00 UTC.");
  assert.match(sentence(feed({ state: "on_request", next_due_at: null, stale_at: null })), /no schedule: the operator fetches it on request/);
  assert.match(sentence(feed({ state: "frozen", next_due_at: null, stale_at: null })), /adds nothing any more/);
});
