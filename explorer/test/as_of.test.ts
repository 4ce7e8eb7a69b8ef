import assert from "node:assert/strict";
import { test } from "node:test";
import type { Row } from "../src/api.ts";
import { days, figures, knownOn } from "../src/as_of.ts";

const vintage = (number: number, day: string, until: string | null): Row => ({ vintage: String(number), available_at: day, known_until: until });

test("a vintage stands from its own day until the day it was replaced", () => {
  const two = [vintage(1, "2023-03-16", "2024-03-15"), vintage(2, "2024-03-15", null)];
  assert.equal(knownOn(two, "2023-03-15"), null);
  assert.equal(knownOn(two, "2023-03-16"), two[0]);
  assert.equal(knownOn(two, "2024-03-14"), two[0]);
  assert.equal(knownOn(two, "2024-03-15"), two[1]);
});

test("nothing stands between a withdrawal and the next report", () => {
  const back = [vintage(1, "2023-03-16", "2023-09-01"), vintage(2, "2024-03-15", null)];
  assert.equal(knownOn(back, "2023-08-31"), back[0]);
  assert.equal(knownOn(back, "2023-09-01"), null);
  assert.equal(knownOn(back, "2024-03-14"), null);
  assert.equal(knownOn(back, "2024-03-15"), back[1]);
});

test("a vintage that was the latest on no day never stands", () => {
  const rounded = [vintage(1, "2023-03-16", null), vintage(2, "2024-03-15", "2024-03-15")];
  assert.equal(knownOn(rounded, "2025-01-01"), rounded[0]);
});

test("rows are put together by line item, period, unit and scope, the oldest vintage first", () => {
  const row = (unit: string, number: number): Row => ({ line_item: "revenue", period_start: null, period_end: "2022-12-31", unit, scope: "consolidated", vintage: String(number), available_at: `202${number}-01-01` });
  const found = figures([row("KES", 2), row("KES", 1), row("USD", 1)]);
  assert.deepEqual(found.map((one) => one.vintages.map((each) => each["vintage"])), [["1", "2"], ["1"]]);
  assert.deepEqual(days(found[0]?.vintages ?? []), ["2021-01-01", "2022-01-01"]);
});
