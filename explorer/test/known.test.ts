import assert from "node:assert/strict";
import { test } from "node:test";
import type { Row } from "../src/api.ts";
import { days, figures, latestBy } from "../src/as_of.ts";
import { Known } from "../src/known.ts";

const vintage = (number: number, day: string): Row => ({ vintage: String(number), available_at: day, fact_id: `fact-${number}` });
const TWO = [vintage(1, "2023-03-16"), vintage(2, "2024-03-15")];

test("the last vintage available by a day is the one that counts", () => {
  assert.equal(latestBy(TWO, "2023-03-15"), null);
  assert.equal(latestBy(TWO, "2023-03-16"), TWO[0]);
  assert.equal(latestBy(TWO, "2024-03-14"), TWO[0]);
  assert.equal(latestBy(TWO, "2024-03-15"), TWO[1]);
});

test("rows are put together by line item, period, unit and scope, the oldest vintage first", () => {
  const row = (unit: string, number: number): Row => ({ line_item: "revenue", period_start: null, period_end: "2022-12-31", unit, scope: "consolidated", vintage: String(number), available_at: `202${number}-01-01` });
  const found = figures([row("KES", 2), row("KES", 1), row("USD", 1)]);
  assert.deepEqual(found.map((one) => one.vintages.map((each) => each["vintage"])), [["1", "2"], ["1"]]);
  assert.deepEqual(days(found[0]?.vintages ?? []), ["2021-01-01", "2022-01-01"]);
});

/** A service in which a fact stands from one day until another, both as REST would answer. */
function service(spans: Record<string, [string, string]>) {
  const asked: string[] = [];
  const ask = (day: string) => {
    asked.push(day);
    return Promise.resolve(new Set(Object.entries(spans).filter(([, [from, to]]) => from <= day && day < to).map(([id]) => id)));
  };
  return { asked, ask };
}

test("one question for each vintage settles all days of a figure that was never withdrawn", async () => {
  const { asked, ask } = service({ "fact-1": ["2023-03-16", "2024-03-15"], "fact-2": ["2024-03-15", "9999-12-31"] });
  const known = new Known(TWO, "2026-11-15", ask);
  assert.deepEqual(known.on("2024-03-14"), { row: TWO[0], sure: false });
  await known.settleAll();
  assert.deepEqual(known.on("2023-03-15"), { row: null, sure: true });
  assert.deepEqual(known.on("2024-03-14"), { row: TWO[0], sure: true });
  assert.deepEqual(known.on("2026-11-15"), { row: TWO[1], sure: true });
  await known.settle("2025-01-01");
  assert.deepEqual(asked.sort(), ["2024-03-14", "2026-11-15"]);
});

test("a withdrawn value is never sure on a day that was not asked for", async () => {
  const { ask } = service({ "fact-1": ["2022-03-21", "2023-03-21"] });
  const known = new Known([vintage(1, "2022-03-21")], "2026-11-15", ask);
  await known.settleAll();
  assert.deepEqual(known.on("2026-11-15"), { row: null, sure: true });
  assert.equal(known.on("2023-03-20").sure, false);
  assert.equal((await known.settle("2023-03-20")).row?.["fact_id"], "fact-1");
  assert.deepEqual(await known.settle("2023-03-21"), { row: null, sure: true });
  assert.deepEqual(known.on("2024-01-01"), { row: null, sure: true });
  assert.equal(known.on("2022-06-01").sure, true);
});

test("a value that came back after a withdrawal is missing in between", async () => {
  const { ask } = service({ "fact-1": ["2023-03-16", "2023-09-01"], "fact-2": ["2024-03-15", "9999-12-31"] });
  const known = new Known(TWO, "2026-11-15", ask);
  await known.settleAll();
  assert.deepEqual(known.on("2024-03-14"), { row: null, sure: true });
  assert.deepEqual(await known.settle("2023-10-01"), { row: null, sure: true });
  assert.equal((await known.settle("2023-08-31")).row?.["fact_id"], "fact-1");
});

test("where the API says another vintage than we would, the API is right", async () => {
  const { ask } = service({ "fact-1": ["2023-03-16", "9999-12-31"] });
  const known = new Known(TWO, "2026-11-15", ask);
  assert.deepEqual(await known.settle("2025-01-01"), { row: TWO[0], sure: true });
});
