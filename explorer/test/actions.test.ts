import assert from "node:assert/strict";
import { test } from "node:test";
import { citation, csv, fileName } from "../src/actions.ts";

Object.assign(globalThis, { location: { origin: "http://sankofa.example", href: "http://sankofa.example/#/company" } });

test("a table becomes CSV with exact values and quoted text", () => {
  const table = { head: ["item", "FY 2022"], rows: [['Sales, "net"', "1150000000"], ["Total\nassets", ""]] };
  assert.equal(csv(table), 'item,FY 2022\r\n"Sales, ""net""",1150000000\r\n"Total\nassets",\r\n');
});

test("a citation names title, edition, address and day", () => {
  const calls = [{ says: "Its values", path: "/v1/fundamentals/DC1", params: { as_of: "2024-03-14", edition: "2" } }];
  assert.equal(
    citation({ title: "Nyalumera Foods, as known on 14 March 2024", calls }, "2026-01-05"),
    "Nyalumera Foods, as known on 14 March 2024. Sankofa, edition 2. " +
      "http://sankofa.example/v1/fundamentals/DC1?as_of=2024-03-14&edition=2 (accessed 2026-01-05).",
  );
});

test("a file is named for its title", () => {
  assert.equal(fileName("Société Générale: revenue, 2022", "csv"), "societe-generale-revenue-2022.csv");
  assert.equal(fileName("…", "png"), "sankofa.png");
});
