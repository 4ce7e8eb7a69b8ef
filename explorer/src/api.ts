// Asking the REST API. Answers are kept while the page is open: a sandbox key has sixty requests a minute.

import { parseExact, type Json } from "./exact.ts";
import { currentKey } from "./key.ts";

export type Row = Record<string, Json>;
export type Params = Record<string, string | undefined>;

export interface Answer {
  rows: Row[];
  truncated: boolean;
  nextCursor: string | null;
  edition: string;
  asOf: string | null;
  /** What only some endpoints say beside their rows. */
  extra: Row;
  /** The address that gives this answer for ever. */
  permanent: string;
}

/** An answer that is a problem document, or no answer at all. */
export class Problem extends Error {
  readonly status: number;
  readonly document: Row;

  constructor(status: number, document: Row) {
    super(text(document["title"]) || "No answer");
    this.status = status;
    this.document = document;
  }
}

export function text(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

const kept = new Map<string, Promise<Answer>>();

/** Forget what was answered, as another key may get other answers. */
export function forget(): void {
  kept.clear();
}

export function address(path: string, params: Params = {}): string {
  const query = Object.entries(params)
    .filter((pair): pair is [string, string] => pair[1] !== undefined && pair[1] !== "")
    .map(([name, value]) => `${name}=${encodeURIComponent(value).replaceAll("%3A", ":")}`)
    .join("&");
  return query ? `${path}?${query}` : path;
}

export function ask(path: string, params: Params = {}): Promise<Answer> {
  const place = address(path, params);
  let answer = kept.get(place);
  if (!answer) {
    answer = read(place);
    kept.set(place, answer);
    answer.catch(() => kept.delete(place));
  }
  return answer;
}

export interface Walk {
  rows: Row[];
  edition: string;
  /** The day at which the answers were cut, which without one is that of the edition. */
  asOf: string | null;
  extra: Row;
  pages: number;
  /** Goes on where the walk ended; null if it read everything. */
  nextCursor: string | null;
}

/** Follow the pages of a list until it ends, `enough` says so, or so many pages are read. */
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

async function read(place: string): Promise<Answer> {
  const key = currentKey();
  let response: Response;
  try {
    response = await fetch(place, { headers: { Accept: "application/json", ...(key && { "X-API-Key": key }) } });
  } catch {
    throw new Problem(0, {
      title: "The service cannot be reached",
      detail: "Your browser got no answer from it. Check your connection, then try again.",
    });
  }
  const body = await bodyOf(response);
  if (!response.ok) throw new Problem(response.status, body);
  const { data, observations, count, truncated, next_cursor, edition, as_of, _license, ...extra } = body;
  return {
    rows: (data ?? observations ?? []) as Row[],
    truncated: truncated === true,
    nextCursor: text(next_cursor) || null,
    edition: text(edition),
    asOf: text(as_of) || null,
    extra,
    permanent: response.headers.get("Content-Location") ?? place,
  };
}

async function bodyOf(response: Response): Promise<Row> {
  try {
    return parseExact(await response.text()) as Row;
  } catch {
    return { title: `The service answered with status ${response.status}`, detail: "The answer could not be read. Try again." };
  }
}
