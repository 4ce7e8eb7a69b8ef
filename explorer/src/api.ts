// Calls of the REST API, through the TypeScript client. Answers are kept while the page is open, because a sandbox
// key has sixty requests a minute. A limit is waited for, with a countdown.

import { Client, SankofaError, type Json, type Page, type Rows, type Wait } from "../../clients/typescript/src/index.ts";
import { currentKey } from "./key.ts";

export { SankofaError as Problem };
export type { Page };
export type Row = Record<string, Json>;
export type Params = Record<string, string | undefined>;

export interface Answer {
  rows: Row[];
  truncated: boolean;
  nextCursor: string | null;
  edition: string;
  asOf: string | null;
  /** Fields that only some endpoints have beside their rows. */
  extra: Row;
  /** The address that keeps giving this answer. */
  permanent: string;
}

/** Sent to the window before the page waits for a limit. */
export class Waiting extends Event {
  readonly seconds: number;

  constructor({ seconds }: Wait) {
    super("waiting");
    this.seconds = seconds;
  }
}

/** Return a field as text; null and what is not text or a number become "". */
export function text(value: Json | undefined): string {
  return typeof value === "string" ? value : typeof value === "number" ? String(value) : "";
}

const SYNTHETIC = "synthetic";
const kept = new Map<string, Promise<Page<unknown>>>();
let client: Client | undefined;
let synthetic = false;

/** Return the client, with the key of the moment. */
export function api(): Client {
  client ??= new Client(location.origin, {
    key: currentKey(),
    cached: 0,
    waitForLimits: true,
    onWait: (wait) => wait.reason === "limit" && dispatchEvent(new Waiting(wait)),
  });
  return client;
}

/** Forget all answers and the key: another key may get other answers. */
export function forget(): void {
  kept.clear();
  client = undefined;
}

/** Return the first page of a request; the same request is sent once while the page is open. */
export function read<T>(rows: Rows<T>): Promise<Page<T>> {
  let page = kept.get(rows.address) as Promise<Page<T>> | undefined;
  if (!page) {
    page = rows.firstPage();
    kept.set(rows.address, page);
    page.catch(() => kept.delete(rows.address));
  }
  return page.then((answer) => {
    synthetic ||= answer.rows.some((row) => (row as Row)["license_class"] === SYNTHETIC);
    return answer;
  });
}

/** Return whether a row of invented data was read since the last call with `reset`. */
export function readSynthetic({ reset = false } = {}): boolean {
  const found = synthetic;
  if (reset) synthetic = false;
  return found;
}

export function address(path: string, params: Params = {}): string {
  const query = Object.entries(params)
    .filter((pair): pair is [string, string] => pair[1] !== undefined && pair[1] !== "")
    .map(([name, value]) => `${name}=${encodeURIComponent(value).replaceAll("%3A", ":").replaceAll("%2C", ",")}`)
    .join("&");
  return query ? `${path}?${query}` : path;
}

/** Return the first page of any path. */
export async function ask(path: string, params: Params = {}): Promise<Answer> {
  const sent = Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined && value !== ""));
  const page = await read(api().rows<Row>(path, sent));
  return {
    rows: [...page.rows],
    truncated: page.truncated,
    nextCursor: page.nextCursor,
    edition: String(page.edition),
    asOf: page.asOf,
    extra: page.extra,
    permanent: page.permanentAddress ?? address(path, params),
  };
}

export interface Walk {
  rows: Row[];
  edition: string;
  /** The day at which the answers were cut; without `as_of`, the day of the edition. */
  asOf: string | null;
  extra: Row;
  pages: number;
  /** Continues where the walk ended; null if it read everything. */
  nextCursor: string | null;
}

/** Follow the pages of a list until it ends, `enough` returns true, or `most` pages are read. */
export async function walk(
  path: string,
  params: Params,
  { most = 20, enough = () => false }: { most?: number; enough?: (rows: Row[]) => boolean } = {},
): Promise<Walk> {
  let answer = await ask(path, params);
  const rows = [...answer.rows];
  const first = answer;
  let pages = 1;
  while (answer.nextCursor && pages < most && !enough(answer.rows)) {
    answer = await ask(path, { cursor: answer.nextCursor });
    rows.push(...answer.rows);
    pages += 1;
  }
  return { rows, edition: first.edition, asOf: first.asOf, extra: first.extra, pages, nextCursor: answer.nextCursor };
}
