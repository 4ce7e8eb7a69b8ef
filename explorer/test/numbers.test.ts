import assert from "node:assert/strict";
import { test } from "node:test";
import { exactly, forPeople, metricUnit } from "../src/numbers.ts";

const read = (value: string, unit?: string) => forPeople(value, unit).replaceAll("\u00a0", " ");

test("a large value is written in words with three significant digits", () => {
  assert.equal(read("1100000000", "KES"), "1.1 billion KES");
  assert.equal(read("1150000000", "KES"), "1.15 billion KES");
  assert.equal(read("-23456789", "ZAR"), "−23.5 million ZAR");
  assert.equal(read("123456789012345", "NGN"), "123 trillion NGN");
  assert.equal(read("12345678901234567.89", "NGN"), "12,346 trillion NGN");
  assert.equal(read("999999999"), "1 billion");
  assert.equal(read("-999999999", "KES"), "−1 billion KES");
});

test("a small value keeps two places", () => {
  assert.equal(read("1.234567", "KES/shares"), "1.23 KES/shares");
  assert.equal(read("0.004"), "0");
  assert.equal(read("-0.004"), "0");
  assert.equal(read("9999.5"), "9,999.5");
  assert.equal(read("12345.67", "USD"), "12,346 USD");
  assert.equal(read("999999"), "999,999");
});

test("a share becomes a percentage, a percentage stays one, and a multiple is marked", () => {
  assert.equal(read("0.2070007514", "share"), "20.7 %");
  assert.equal(read("-0.0449", "share"), "−4.5 %");
  assert.equal(read("2", "share"), "200 %");
  assert.equal(read("5.25", "percent"), "5.3 %");
  assert.equal(read("1.8499", "times"), "1.85×");
});

test("half is rounded away from zero, on digits and not on floats", () => {
  assert.equal(read("1.005", "USD"), "1.01 USD");
  assert.equal(read("-2.675", "USD"), "−2.68 USD");
});

test("the exact form keeps all digits", () => {
  assert.equal(exactly("1234567890.10", "KES"), "1,234,567,890.10\u00a0KES");
  assert.equal(exactly("0.2070007514", "share"), "20.70007514\u00a0%");
});

test("text that is no number is left alone", () => {
  assert.equal(read("UNMEASURED"), "UNMEASURED");
  assert.equal(read("1e5", "KES"), "1e5 KES");
});

test("metrics are read as percentages or as multiples", () => {
  const times = ["current_ratio", "cash_ratio", "debt_to_equity", "interest_coverage", "asset_turnover", "net_debt_to_ebitda"];
  const shares = ["net_margin", "revenue_growth", "equity_ratio", "claims_ratio", "return_on_equity", "liabilities_to_assets"];
  assert.deepEqual([...new Set(times.map(metricUnit))], ["times"]);
  assert.deepEqual([...new Set(shares.map(metricUnit))], ["share"]);
});
