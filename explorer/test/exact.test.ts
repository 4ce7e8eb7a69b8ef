import assert from "node:assert/strict";
import { test } from "node:test";
import { grouped, inWords, percent, total } from "../src/exact.ts";

test("digits are grouped and nothing is rounded", () => {
  assert.equal(grouped("12345678901234567.8900"), "12,345,678,901,234,567.8900");
  assert.equal(grouped("-1150"), "−1,150");
  assert.equal(grouped("1.01"), "1.01");
  assert.equal(grouped("999"), "999");
});

test("a value is told in words only if the words say all of it", () => {
  assert.equal(inWords("1150000000"), "1.15 billion");
  assert.equal(inWords("-2000000"), "−2 million");
  assert.equal(inWords("1234567"), null);
  assert.equal(inWords("123456"), null);
  assert.equal(inWords("1500000.5"), null);
  assert.equal(inWords("4000000000000000"), "4,000 trillion");
});

test("a share becomes a percentage by moving its point", () => {
  assert.equal(percent("0.537724708"), "53.7724708\u00a0%");
  assert.equal(percent("1"), "100\u00a0%");
  assert.equal(percent("0"), "0\u00a0%");
  assert.equal(percent("0.005"), "0.5\u00a0%");
  assert.equal(percent("-0.5"), "−50\u00a0%");
});

test("counts are added up beyond what a float can count", () => {
  assert.equal(total(["9007199254740993", "1"]), "9007199254740994");
});
