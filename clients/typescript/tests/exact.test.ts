import assert from "node:assert/strict";
import { test } from "node:test";
import { parse } from "../src/index.ts";

test("decimal fields keep all digits, and whole numbers stay numbers", () => {
  const sent = '{"value":12345678901234567.89,"vintage":2,"amount": -0.1000000000000000000001,"coverage":{"KE":12},"floor":null}';
  assert.deepEqual(parse(sent), {
    value: "12345678901234567.89",
    vintage: 2,
    amount: "-0.1000000000000000000001",
    coverage: { KE: 12 },
    floor: null,
  });
});

test("digits inside of text stay text", () => {
  const sent = { value: 'a "value": 7 \\ 8', "2": "9,10", source_ref: "\u2028 11", count: 3 };
  assert.deepEqual(parse(JSON.stringify(sent)), sent);
});

test("text that is not JSON is refused", () => {
  assert.throws(() => parse("{1:2"));
});
