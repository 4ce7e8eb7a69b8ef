import assert from "node:assert/strict";
import { test } from "node:test";
import type { Row } from "../src/api.ts";
import { figures } from "../src/as_of.ts";
import { inWords, nearest, restatements } from "../src/restatements.ts";

const row = (item: string, vintage: number, value: string, day: string): Row => ({
  line_item: item, period_start: "2022-01-01", period_end: "2022-12-31", unit: "KES", scope: "consolidated",
  fiscal_year: 2022, vintage, value_reported: value, available_at: day,
});
const all = restatements(
  figures([
    row("revenue", 1, "1150000000", "2023-03-16"),
    row("revenue", 2, "1100000000", "2024-03-15"),
    row("net_income", 1, "151000000", "2023-03-16"),
    row("net_income", 2, "101000000", "2024-03-15"),
    row("net_income", 3, "102000000", "2025-03-15"),
    row("equity", 1, "5", "2023-03-16"),
  ]),
);
const read = (at: number) => inWords(all[at]!).replaceAll("\u00a0", " ");

test("values that a later report replaced are put together by day", () => {
  assert.deepEqual(all.map((one) => [one.day, one.changes.length]), [["2024-03-15", 2], ["2025-03-15", 1]]);
});

test("a restatement is told with both values, in the order of the statements", () => {
  assert.equal(read(0), "revenue for 2022 from 1.15 billion to 1.1 billion KES and net income for 2022 from 151 million to 101 million KES");
  assert.equal(read(1), "net income for 2022 from 101 million to 102 million KES");
});

test("the last restatement by the day is told, or else the first one to come", () => {
  assert.equal(nearest(all, "2024-03-14")?.day, "2024-03-15");
  assert.equal(nearest(all, "2024-12-31")?.day, "2024-03-15");
  assert.equal(nearest(all, "2025-03-15")?.day, "2025-03-15");
  assert.equal(nearest([], "2025-03-15"), undefined);
});
