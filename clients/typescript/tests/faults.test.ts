import assert from "node:assert/strict";
import { test } from "node:test";
import { Client, ConnectionFailed, LimitReached, UnexpectedAnswer, UnsafeRedirect, type Wait } from "../src/index.ts";
import { pause, retryAfter } from "../src/send.ts";
import { DROP, faulty } from "./faulty.ts";

const URL = process.env["SANKOFA_URL"] ?? "";
const key = process.env["SANKOFA_KEY"] ?? "";
const LIMIT = { status: 429, headers: { "Retry-After": "1" }, body: '{"status":429,"title":"Limit reached","code":"limit-reached","policy":"burst","retry_after":1}' };

test("a limit of the minute is waited for, and the wait is announced", async () => {
  await using server = await faulty(URL, LIMIT, LIMIT);
  const waits: Wait[] = [];
  const client = new Client(server.url, { key, waitForLimits: true, attempts: 1, onWait: (wait) => waits.push(wait) });
  assert.ok(await client.editions().first());
  assert.deepEqual(waits, [{ reason: "limit", seconds: 1 }, { reason: "limit", seconds: 1 }]);
  assert.equal(server.requests.length, 3);
});

test("a limit is raised if it is not to be waited for, and one of the month always", async () => {
  await using server = await faulty(URL, LIMIT, { ...LIMIT, body: LIMIT.body.replace('"retry_after":1', '"retry_after":86400') });
  await assert.rejects(new Client(server.url, { key }).editions().first(), (error) => error instanceof LimitReached && error.retryAfter === 1);
  await assert.rejects(new Client(server.url, { key, waitForLimits: true }).editions().first(), LimitReached);
});

test("a failure that passes is not noticed", async () => {
  await using server = await faulty(URL, DROP, { status: 503, headers: { "Retry-After": "0" } }, { status: 502 });
  assert.ok(await new Client(server.url, { key }).editions().first());
  assert.equal(server.requests.length, 4);
});

test("attempts end", async () => {
  await using server = await faulty(URL, ...Array(4).fill({ status: 503, headers: { "Retry-After": "0" } }));
  await assert.rejects(new Client(server.url, { key }).editions().first(), UnexpectedAnswer);
  assert.equal(server.requests.length, 4);
  await assert.rejects(new Client("http://127.0.0.1:1", { attempts: 1 }).status(), ConnectionFailed);
});

test("what is not an answer of the service is told apart, and sent once", async () => {
  await using server = await faulty(URL, { status: 200, body: "<html>a portal</html>" }, { status: 404, body: "<html>a proxy</html>" });
  const client = new Client(server.url, { key });
  await assert.rejects(client.editions().first(), UnexpectedAnswer);
  await assert.rejects(client.editions().first(), UnexpectedAnswer);
  assert.equal(server.requests.length, 2);
});

test("a redirect is not followed, so that the key stays here", async () => {
  await using elsewhere = await faulty(URL);
  await using server = await faulty(URL, { status: 307, headers: { Location: `${elsewhere.url}/v1/editions` } });
  await assert.rejects(new Client(server.url, { key }).editions().first(), UnsafeRedirect);
  assert.equal(elsewhere.requests.length, 0);
});

test("an answer that is held is revalidated by its ETag and not sent again", async () => {
  await using server = await faulty(URL);
  const client = new Client(server.url, { key });
  const first = await client.editions().firstPage();
  const second = await client.editions().firstPage();
  assert.deepEqual(second, first);
  assert.equal(server.requests[1]?.headers["if-none-match"], first.etag);
});

test("pauses follow Retry-After, or grow", () => {
  const failure = new ConnectionFailed({ status: 0, title: "" });
  const seconds = [1, 2, 3].map((attempt) => pause(failure, attempt, { attempts: 4, waitForLimits: false })?.seconds ?? 0);
  seconds.forEach((one, at) => assert.ok(one >= 0.1 * 2 ** at && one <= 0.2 * 2 ** at));
  assert.equal(pause(failure, 4, { attempts: 4, waitForLimits: false }), null);
  const now = Date.parse("2024-03-15T12:00:00Z");
  const named = (text: string) => retryAfter(new Headers({ "Retry-After": text }), now);
  assert.deepEqual(["7", "Fri, 15 Mar 2024 12:00:05 GMT", "soon", "1.5", "-1"].map(named), [7, 5, undefined, undefined, undefined]);
});
