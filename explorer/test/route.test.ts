import assert from "node:assert/strict";
import { test } from "node:test";
import { choiceParam, dayParam, onlyParams, WrongAddress, type Route } from "../src/route.ts";

const route = (params: Record<string, string>): Route => ({ view: "company", id: "DC1", params });
const refused = (act: () => unknown, message: RegExp, href: string) =>
  assert.throws(act, (error) => error instanceof WrongAddress && message.test(error.message) && error.mended.href === href);

test("a day is taken as it is or refused, never changed", () => {
  assert.equal(dayParam(route({ as_of: "2024-03-14" }), "as_of", "2018-01-30", "2026-01-05"), "2024-03-14");
  assert.equal(dayParam(route({}), "as_of"), undefined);
  refused(() => dayParam(route({ as_of: "banana" }), "as_of"), /not a date/, "#/company/DC1");
  refused(() => dayParam(route({ as_of: "2023-02-30" }), "as_of"), /not a date/, "#/company/DC1");
  refused(() => dayParam(route({ as_of: "2023-13-45" }), "as_of"), /not a date/, "#/company/DC1");
  refused(() => dayParam(route({ as_of: "2010-01-01" }), "as_of", "2018-01-30"), /before the first/, "#/company/DC1?as_of=2018-01-30");
  refused(() => dayParam(route({ as_of: "2199-01-01" }), "as_of", "2018-01-30", "2026-01-05"), /after/, "#/company/DC1?as_of=2026-01-05");
});

test("an unknown choice is refused with those that exist", () => {
  assert.equal(choiceParam(route({ tab: "ratios" }), "tab", ["statements", "ratios"]), "ratios");
  refused(() => choiceParam(route({ tab: "x", as_of: "2024-03-14" }), "tab", ["statements", "ratios"]), /statements, ratios/, "#/company/DC1?as_of=2024-03-14");
});

test("an unknown parameter is refused", () => {
  onlyParams(route({ as_of: "2024-03-14" }), ["as_of"]);
  refused(() => onlyParams(route({ asof: "2024-03-14" }), ["as_of"]), /no parameter asof/, "#/company/DC1");
});
