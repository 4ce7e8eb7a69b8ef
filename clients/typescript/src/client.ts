// The client: one method for each endpoint, a default day and edition, and answers kept by their ETag.

import type { Json } from "./exact.ts";
import { Methods } from "./made/methods.ts";
import { Rows, type Endpoint, type Options, type Parameters } from "./rows.ts";
import { send, type Reply, type Sending, type Wait } from "./send.ts";

export interface ClientOptions {
  /** The API key. Without one, only status, freshness and the open exports answer. */
  key?: string;
  /** Wait for a limit of the minute instead of raising `LimitReached`. */
  waitForLimits?: boolean;
  /** Called before the client waits: for a limit, or before it tries again. */
  onWait?: (wait: Wait) => void;
  /** Milliseconds that one attempt may take. */
  timeout?: number;
  /** How often a request is sent if the service or the network fails. */
  attempts?: number;
  /** How many answers are kept for revalidation by ETag; 0 keeps none. */
  cached?: number;
  fetch?: typeof fetch;
}

/** Sent with each request that takes them and does not name its own. */
export interface Pins {
  as_of?: string;
  edition?: number;
}

export interface Status {
  readonly status: "ok" | "degraded";
  readonly build: string;
  readonly version: string;
  readonly edition: number | null;
  readonly checks: Readonly<Record<string, { readonly ok: boolean; readonly latency_ms: number }>>;
  readonly degraded: readonly string[];
}

export interface SourceFreshness {
  readonly source: string;
  readonly state: string;
  readonly last_good_at: string | null;
  readonly next_due_at: string | null;
  readonly stale_at: string | null;
}

export interface Freshness {
  readonly checked_at: string;
  readonly stale: readonly string[];
  readonly sources: readonly SourceFreshness[];
}

export class Client extends Methods {
  readonly url: string;
  readonly pins: Pins;
  readonly #options: ClientOptions;
  readonly #sending: Sending;
  readonly #kept = new Map<string, Reply>();

  constructor(url: string, options: ClientOptions = {}, pins: Pins = {}) {
    super();
    this.url = url.replace(/\/+$/, "");
    this.pins = pins;
    this.#options = options;
    this.#sending = {
      key: options.key,
      timeout: options.timeout ?? 30_000,
      attempts: options.attempts ?? 4,
      waitForLimits: options.waitForLimits ?? false,
      onWait: options.onWait,
      fetch: options.fetch ?? ((input, init) => fetch(input, init)),
    };
  }

  /** Return a client whose requests are as of a day, of one edition, or both. */
  pinned(pins: Pins): Client {
    return new Client(this.url, this.#options, { ...this.pins, ...pins });
  }

  /** Return the number of the newest edition; pin it to get the same answers again. */
  async currentEdition(): Promise<number> {
    return (await this.editions({ limit: 1 }).firstPage()).edition;
  }

  /** Return the rows of any path: for an endpoint that is newer than this client. */
  rows<T>(path: string, parameters: Parameters = {}, options?: Options): Rows<T> {
    return this.ask({ path, takes: [] }, parameters, options);
  }

  /** Return whether the service and its stores work. */
  async status(): Promise<Status> {
    return (await this.#get("/v1/status")).body as unknown as Status;
  }

  /** Return how fresh each source is. */
  async freshness(): Promise<Freshness> {
    return (await this.#get("/v1/freshness")).body as unknown as Freshness;
  }

  /** Return whether the process of the service runs. */
  async health(): Promise<Json> {
    return (await this.#get("/health")).body;
  }

  protected override ask<T>(endpoint: Endpoint, parameters: Parameters, options?: Options): Rows<T> {
    const pinned = Object.entries(this.pins).filter(([name]) => endpoint.takes.includes(name) && parameters[name] === undefined);
    return new Rows(endpoint, { ...parameters, ...Object.fromEntries(pinned) }, (place, signal) => this.#get(place, signal), options);
  }

  /** Fetch an address. An answer that is kept is revalidated by its ETag, and used again after 304. */
  async #get(place: string, signal?: AbortSignal): Promise<Reply> {
    const held = this.#kept.get(place);
    const etag = held?.headers.get("ETag");
    const reply = await send(this.url + place, etag ? { "If-None-Match": etag } : {}, this.#sending, signal);
    const answer = reply.status === 304 && held ? held : reply;
    const most = this.#options.cached ?? 100;
    this.#kept.delete(place);
    if (most > 0 && answer.headers.has("ETag")) this.#kept.set(place, answer);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= most) break;
      this.#kept.delete(oldest);
    }
    return answer;
  }
}
