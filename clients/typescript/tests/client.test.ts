import assert from "node:assert/strict";
import { test } from "node:test";
import { Client, InvalidKey, InvalidParameter, NotFound, UpgradeRequired, type FundamentalsFact } from "../src/index.ts";

const URL = process.env["SANKOFA_URL"] ?? "";
const client = new Client(URL, { key: process.env["SANKOFA_KEY"] ?? "" });
const sample = new Client(URL, { key: process.env["SANKOFA_SAMPLE_KEY"] ?? "", waitForLimits: true });
const NYALUMERA = "DCHFPV9ZRN9Z1AW";

async function revenue2022(on: string): Promise<FundamentalsFact | undefined> {
  return client.fundamentals(NYALUMERA, { as_of: on, line_item: "revenue", fiscal_year: "2022", period_type: "FY" }).first();
}

test("a restatement is not visible before its day", async () => {
  const [before, after] = [await revenue2022("2024-03-14"), await revenue2022("2024-03-15")];
  assert.deepEqual([before?.value_reported, before?.vintage], ["1150000000", 1]);
  assert.deepEqual([after?.value_reported, after?.vintage, after?.fiscal_year], ["1100000000", 2, 2022]);
});

test("decimals are the digits that were sent", async () => {
  const [row] = (await client.macro({ series: "CPI.KEN", as_of: "2024-06-30", limit: 1 }).firstPage()).rows;
  const response = await fetch(`${URL}/v1/macro?series=CPI.KEN&as_of=2024-06-30&limit=1`, { headers: { "X-API-Key": process.env["SANKOFA_KEY"] ?? "" } });
  assert.match(await response.text(), new RegExp(`"value":${String(row?.value)}[,}]`));
});

test("iteration follows the cursors and finds the rows of one large page", async () => {
  const asked = { vintages: "all", period_type: "FY" } as const;
  const whole = await client.fundamentals(NYALUMERA, asked).all();
  const pages = [];
  for await (const page of sample.fundamentals(NYALUMERA, asked).pages()) pages.push(page);
  assert.ok(pages.length > 1);
  assert.ok(pages.slice(0, -1).every((page) => page.truncated && page.rows.length === 25));
  assert.deepEqual(pages.flatMap((page) => page.rows.map((row) => row.fact_id)), whole.map((row) => row.fact_id));
});

test("a pinned client sends day and edition where they are taken", async () => {
  const edition = await client.currentEdition();
  const then = client.pinned({ as_of: "2024-03-14", edition });
  assert.equal(then.entity(NYALUMERA).address, `/v1/entities/${NYALUMERA}?edition=${edition}`);
  const page = await then.fundamentals(NYALUMERA, { line_item: ["revenue", "net_income"] }).firstPage();
  assert.deepEqual([page.asOf, page.edition], ["2024-03-14", edition]);
  assert.ok(page.permanentAddress?.includes(`edition=${edition}`));
});

test("every problem is an error of its own class", async () => {
  await assert.rejects(client.fundamentals(NYALUMERA, { as_of: "banana" }).first(), (error) => {
    assert.ok(error instanceof InvalidParameter);
    assert.deepEqual([error.status, error.code, error.parameter], [400, "invalid-parameter", "as_of"]);
    assert.ok(error.requestId);
    return true;
  });
  await assert.rejects(client.entity("DC000000000000X").first(), NotFound);
  await assert.rejects(new Client(URL, { key: "snk_no" }).editions().first(), InvalidKey);
  await assert.rejects(sample.editions({ limit: 26 }).first(), (error) => error instanceof UpgradeRequired && Boolean(error.upgradeUrl));
});

test("what needs no key is answered without one", async () => {
  const nobody = new Client(URL);
  assert.equal((await nobody.status()).status, "ok");
  assert.ok((await nobody.freshness()).checked_at);
  assert.ok((await nobody.exportOpen().all()).length > 0);
});

test("a request can be given up", async () => {
  const signal = AbortSignal.abort();
  await assert.rejects(client.search({ q: "nyalumera" }, { signal }).first(), { name: "AbortError" });
});

test("an organisation is found by half its name", async () => {
  const found = await client.search({ q: "nyalum", limit: 3 }).all();
  assert.ok(found.some((row) => row.service_id === NYALUMERA));
});
