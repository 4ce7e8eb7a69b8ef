// Everything that is public.

export { Client, type ClientOptions, type Freshness, type Pins, type SourceFreshness, type Status } from "./client.ts";
export * from "./errors.ts";
export { parse, type Decimal, type Json } from "./exact.ts";
export type * from "./made/about_rows.ts";
export type * from "./made/fact_rows.ts";
export type * from "./made/params.ts";
export type * from "./made/release_rows.ts";
export type * from "./made/signal_rows.ts";
export { address, Rows, type Options, type Page } from "./rows.ts";
export type { Wait } from "./send.ts";
