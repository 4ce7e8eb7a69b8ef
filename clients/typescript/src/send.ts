// Sending one request: the deadline, what is tried again, and how long a limit is waited for.

import { ConnectionFailed, DeadlineExceeded, problem, UnsafeRedirect } from "./errors.ts";
import { parse, type Json } from "./exact.ts";

/** Why the next attempt is delayed, and for how long. */
export interface Wait {
  reason: "limit" | "failure";
  seconds: number;
}

export interface Sending {
  key: string | undefined;
  /** Milliseconds that one attempt may take. */
  timeout: number;
  /** How often a request is sent if the service or the network fails. */
  attempts: number;
  /** Whether a limit of the minute is waited for instead of being raised. */
  waitForLimits: boolean;
  /** Called before each wait, for example to show a countdown. */
  onWait: ((wait: Wait) => void) | undefined;
  fetch: typeof fetch;
}

export interface Reply {
  status: number;
  body: Json;
  headers: Headers;
}

const PASSING = new Set([502, 503, 504]);
const LIMITED = 429;
const LONGEST_LIMIT = 90; // seconds: the longest that a limit of the minute lasts, and some more
const LONGEST_PAUSE = 30;
const FIRST_PAUSE = 0.2;

/** Send a GET request until it is answered; a refusal is raised as its class of error. */
export async function send(url: string, headers: Record<string, string>, sending: Sending, signal?: AbortSignal): Promise<Reply> {
  for (let attempt = 1; ; ) {
    try {
      return await once(url, headers, sending, signal);
    } catch (error) {
      const wait = pause(error, attempt, sending);
      if (wait === null || signal?.aborted) throw error;
      if (wait.reason === "failure") attempt += 1;
      sending.onWait?.(wait);
      await sleep(wait.seconds * 1000, signal);
    }
  }
}

/** Return how long to wait before the next attempt, or null if the error is final. */
export function pause(error: unknown, attempt: number, { attempts, waitForLimits }: Pick<Sending, "attempts" | "waitForLimits">): Wait | null {
  const status = error instanceof Error && "status" in error ? error.status : undefined;
  const named = error instanceof Error && "retryAfter" in error ? (error.retryAfter as number | undefined) : undefined;
  if (status === LIMITED) {
    return waitForLimits && named !== undefined && named <= LONGEST_LIMIT ? { reason: "limit", seconds: named } : null;
  }
  const passes = error instanceof ConnectionFailed || PASSING.has(Number(status));
  if (!passes || attempt >= attempts) return null;
  const seconds = named ?? FIRST_PAUSE * 2 ** (attempt - 1) * (0.5 + Math.random() / 2);
  return seconds <= LONGEST_PAUSE ? { reason: "failure", seconds } : null;
}

/** Return the seconds of a Retry-After header, which holds seconds or a date. */
export function retryAfter(headers: Headers, now = Date.now()): number | undefined {
  const text = headers.get("Retry-After")?.trim() ?? "";
  if (/^\d+$/.test(text)) return Number(text);
  const moment = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(moment) ? undefined : Math.max(0, (moment - now) / 1000);
}

async function once(url: string, headers: Record<string, string>, sending: Sending, signal?: AbortSignal): Promise<Reply> {
  const deadline = AbortSignal.timeout(sending.timeout);
  const ends = signal ? AbortSignal.any([deadline, signal]) : deadline;
  const sent = { Accept: "application/json", ...headers, ...(sending.key && { "X-API-Key": sending.key }) };
  let response: Response;
  let text: string;
  try {
    response = await sending.fetch(url, { headers: sent, redirect: "manual", signal: ends });
    text = await response.text();
  } catch (error) {
    if (signal?.aborted) throw error;
    if (deadline.aborted) throw new DeadlineExceeded({ status: 0, title: "No answer in time", detail: `Waited ${sending.timeout} ms.` });
    const detail = "Check the address and your connection, then try again.";
    throw new ConnectionFailed({ status: 0, title: "The service cannot be reached", detail });
  }
  if (response.status === 304) return { status: 304, body: null, headers: response.headers };
  if (response.type === "opaqueredirect" || (response.status >= 300 && response.status < 400)) {
    throw new UnsafeRedirect({ status: response.status, title: "The answer redirects", detail: "It was not followed, to keep the key here." });
  }
  const body = read(text);
  if (!response.ok) throw problem(response.status, body, response.headers, retryAfter(response.headers));
  if (body === undefined) throw problem(response.status, undefined, response.headers, undefined);
  return { status: response.status, body, headers: response.headers };
}

function read(text: string): Json | undefined {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener("abort", () => (clearTimeout(timer), reject(signal.reason as Error)), { once: true });
  });
}

