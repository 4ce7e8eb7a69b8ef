// JSON with exact decimals. A reported value may have 38 digits and a binary float keeps 15, so decimal fields
// are read as the text that was sent. Whole numbers such as counts and years stay numbers.

import { DECIMALS } from "./made/decimals.ts";

/** The digits of a decimal number, as the service sent them. */
export type Decimal = string;

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Parse JSON and return each number of a decimal field as text. */
export function parse(text: string): Json {
  let name = "";
  const quoted = text.replace(TOKEN, (token: string, string?: string, colon?: string) => {
    if (string === undefined) return DECIMALS.has(name) ? `"${token}"` : token;
    if (colon !== undefined) name = string.slice(1, -1);
    return token;
  });
  return JSON.parse(quoted) as Json;
}
