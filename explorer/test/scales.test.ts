import assert from "node:assert/strict";
import { test } from "node:test";
import { dayTicks, tickLabels, valueTicks } from "../src/scales.ts";

test("ticks of values are round and include everything", () => {
  assert.deepEqual(valueTicks([103, 121], false), [100, 105, 110, 115, 120, 125]);
  assert.deepEqual(valueTicks([3, 29], true), [0, 10, 20, 30]);
  assert.deepEqual(valueTicks([-4, 6], true), [-4, -2, 0, 2, 4, 6]);
});

test("one value alone, and none, have an axis", () => {
  const ticks = valueTicks([115.8], false);
  assert.ok((ticks[0] ?? 0) < 115.8 && (ticks.at(-1) ?? 0) > 115.8);
  assert.deepEqual(valueTicks([], false), [0, 1]);
});

test("labels of ticks differ from each other", () => {
  for (const heights of [[115.65, 115.8], [1_150_000_000, 1_100_000_000], [0.02, 0.021], [-1e12, 3e12]]) {
    const labels = tickLabels(valueTicks(heights, false));
    assert.equal(new Set(labels).size, labels.length, labels.join(" "));
  }
});

test("ticks of days are beginnings of months or years within the axis", () => {
  assert.deepEqual(dayTicks("2022-03-01", "2026-02-01", 5).map((tick) => tick.label), ["2023", "2024", "2025", "2026"]);
  assert.deepEqual(dayTicks("2024-01-20", "2024-05-10", 8).map((tick) => tick.day), ["2024-02-01", "2024-03-01", "2024-04-01", "2024-05-01"]);
  assert.ok(dayTicks("2024-01-01", "2024-01-20", 5).length <= 6);
});
