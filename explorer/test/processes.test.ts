import assert from "node:assert/strict";
import { test } from "node:test";
import { processes } from "../src/processes.ts";

const buyer = { name: "Ministry of Roads", service_id: "DCB" };
const opened = { ocid: "a", date: "2024-01-05T00:00:00Z", tag: ["tender"], buyer, tender: { id: "T-1", title: "Grading of roads", category: "works", value: { amount: "100", currency: "KES" } } };
const awarded = { ocid: "a", date: "2024-03-01T00:00:00Z", tag: ["award"], buyer, tender: { id: "T-1" }, awards: [{ id: "A", value: { amount: "90", currency: "KES" }, suppliers: [{ name: "S Ltd", service_id: "DCS" }] }] };

test("releases of one process are one row with the title, the newest stage and the awarded value", () => {
  const [one, ...more] = processes([awarded, opened]);
  assert.equal(more.length, 0);
  assert.deepEqual([one?.title, one?.stage, one?.date, one?.category], ["Grading of roads", "Awarded", "2024-03-01", "works"]);
  assert.deepEqual([one?.value["amount"], one?.suppliers.map((each) => each["name"])], ["90", ["S Ltd"]]);
});

test("the title of the process is that of its newest release, be it stated there or not", () => {
  assert.equal(processes([{ ...awarded, process_title: "Grading of two roads" }, opened])[0]?.title, "Grading of two roads");
});

test("a process whose title was not read is named by its number and its buyer", () => {
  assert.equal(processes([awarded])[0]?.title, "Tender T-1 of Ministry of Roads");
});
