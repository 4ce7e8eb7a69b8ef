// The answer of an endpoint that returns rows: one page, or all pages in turn.

import { UnexpectedAnswer } from "./errors.ts";
import type { Json } from "./exact.ts";
import type { Reply } from "./send.ts";

/** An endpoint as the OpenAPI page describes it. */
export interface Endpoint {
  readonly path: string;
  /** The parameters, of path and query. */
  readonly takes: readonly string[];
}

export type Parameters = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

/** The rows of one answer, with its envelope. */
export interface Page<T> {
  readonly rows: readonly T[];
  readonly count: number;
  /** Whether more rows matched than the page holds. */
  readonly truncated: boolean;
  readonly nextCursor: string | null;
  readonly edition: number;
  readonly asOf: string | null;
  readonly license: string;
  /** Fields that only some endpoints have, such as `resolved_from` or `absent`. */
  readonly extra: Readonly<Record<string, Json>>;
  /** Names the content: the same ETag, the same bytes. */
  readonly etag: string | null;
  /** The address with the edition in it, which keeps giving this answer. */
  readonly permanentAddress: string | null;
  readonly requestId: string | null;
}

export interface Options {
  readonly signal?: AbortSignal;
}

type Fetch = (address: string, signal?: AbortSignal) => Promise<Reply>;

/** The rows of a request. Nothing is sent before rows are read; iteration follows `next_cursor`. */
export class Rows<T> implements AsyncIterable<T> {
  /** Path and query, relative to the service. */
  readonly address: string;
  readonly #fetch: Fetch;
  readonly #options: Options;

  constructor(endpoint: Endpoint, parameters: Parameters, fetch: Fetch, options: Options = {}) {
    this.address = address(endpoint.path, parameters);
    this.#fetch = fetch;
    this.#options = options;
  }

  /** Return the first page. */
  firstPage(): Promise<Page<T>> {
    return this.#page(this.address);
  }

  /** Iterate over the pages. */
  async *pages(): AsyncGenerator<Page<T>, void, undefined> {
    const path = this.address.split("?", 1)[0] ?? "";
    let place = this.address;
    while (place) {
      const page = await this.#page(place);
      yield page;
      place = page.nextCursor ? address(path, { cursor: page.nextCursor }) : "";
    }
  }

  /** Iterate over all rows, page by page. */
  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const page of this.pages()) yield* page.rows;
  }

  /** Return all rows. */
  async all(): Promise<T[]> {
    const rows: T[] = [];
    for await (const row of this) rows.push(row);
    return rows;
  }

  /** Return the first row, or undefined if there is none. */
  async first(): Promise<T | undefined> {
    return (await this.firstPage()).rows[0];
  }

  async #page(place: string): Promise<Page<T>> {
    const { body, headers } = await this.#fetch(place, this.#options.signal);
    const { data, observations, count, truncated, next_cursor, edition, as_of, _license, ...extra } = body as Record<string, Json>;
    const rows = data ?? observations; // signals have observations
    if (!Array.isArray(rows)) {
      throw new UnexpectedAnswer({ status: 200, title: "The answer holds no rows", detail: "A proxy may have answered." });
    }
    return {
      rows: rows as T[],
      count: count as number,
      truncated: truncated as boolean,
      nextCursor: next_cursor as string | null,
      edition: edition as number,
      asOf: as_of as string | null,
      license: _license as string,
      extra,
      etag: headers.get("ETag"),
      permanentAddress: headers.get("Content-Location"),
      requestId: headers.get("X-Request-Id"),
    };
  }
}

/** Write path and query; parameters that are undefined are left out, lists are joined by commas. */
export function address(path: string, parameters: Parameters = {}): string {
  const query = new URLSearchParams();
  let filled = path;
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined) continue;
    const text = Array.isArray(value) ? value.join(",") : String(value);
    if (path.includes(`{${name}}`)) filled = filled.replace(`{${name}}`, () => encodeURIComponent(text));
    else query.append(name, text);
  }
  const sent = query.toString().replaceAll("%3A", ":").replaceAll("%2C", ",");
  return sent ? `${filled}?${sent}` : filled;
}
