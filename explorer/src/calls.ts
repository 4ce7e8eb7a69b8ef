// How a call is written for curl, for the Python client and for an agent.

import { address, type Params } from "./api.ts";

export interface Call {
  /** What it answers, in words. */
  says: string;
  path: string;
  params?: Params;
  /** The tool that an agent would rather use, where it is not the one of the path. */
  tool?: Tool;
}

export interface Tool {
  name: string;
  arguments: Record<string, string>;
}

// path of REST, method of the client, tool of MCP, and what both call the part of the path that varies.
const TABLE: [RegExp, string, string | null, string][] = [
  [/^\/v1\/fundamentals\/(.+)$/, "fundamentals", "get_fundamentals", "service_id"],
  [/^\/v1\/search$/, "search", null, ""],
  [/^\/v1\/issuers$/, "issuers", "list_issuers", ""],
  [/^\/v1\/panel$/, "panel", "get_panel", ""],
  [/^\/v1\/filings$/, "filings", "list_filings", ""],
  [/^\/v1\/facts\/(.+)$/, "fact", "get_fact", "fact_id"],
  [/^\/v1\/entities\/(.+)$/, "entity", "get_entity", "service_id"],
  [/^\/v1\/crosswalk\/(.+)$/, "crosswalk", null, "service_id"],
  [/^\/v1\/crosswalk$/, "lookup", null, ""],
  [/^\/v1\/macro$/, "macro", "get_macro", ""],
  [/^\/v1\/tenders\/(.+)$/, "tender_process", null, "ocid"],
  [/^\/v1\/tenders$/, "tenders", "search_tenders", ""],
  [/^\/v1\/tender-parties$/, "tender_parties", "get_resolved_parties", ""],
  [/^\/v1\/signals\/(.+)$/, "signal", "get_signal", "signal_key"],
  [/^\/v1\/shared\/facts$/, "shared_facts", null, ""],
  [/^\/v1\/screen$/, "screen", "screen_issuers", ""],
  [/^\/v1\/metrics\/(.+)$/, "metrics", null, "service_id"],
  [/^\/v1\/catalog\/(.+)$/, "catalog", "list_catalogue", "kind"],
  [/^\/v1\/quality-metrics\/(.+)$/, "quality", "get_quality_metrics", "sku"],
  [/^\/v1\/editions$/, "editions", null, ""],
  [/^\/v1\/changes$/, "changes", null, ""],
  [/^\/v1\/diff\/(.+)$/, "diff", "compare_days", "service_id"],
  [/^\/v1\/export$/, "export", null, ""],
];

// `from` is a word of Python, so the client calls it from_.
const PYTHON_NAMES: Record<string, string> = { from: "from_" };
const PYTHON_WORDS: Record<string, string> = { true: "True", false: "False" };
const COUNTED = new Set(["edition", "limit", "years", "max_age_days"]);

export function asCurl(call: Call, origin: string, key: string): string {
  const asked = `curl -s '${origin}${address(call.path, call.params)}'`;
  return call.path === "/v1/status" ? asked : `${asked} \\\n  -H 'X-API-Key: ${key}'`;
}

export function asPython(call: Call, origin: string, key: string): string | null {
  const known = find(call.path);
  if (!known) return null;
  const named = sent(call).map(([name, value]) => `${PYTHON_NAMES[name] ?? name}=${inPython(name, value)}`);
  const given = [...(known.part ? [JSON.stringify(known.part)] : []), ...named].join(", ");
  return (
    "from sankofa_client import Client\n\n" +
    `client = Client(${JSON.stringify(origin)}, key=${JSON.stringify(key)})\n` +
    `rows = client.${known.method}(${given})\n` +
    "print(rows.first_page.rows)"
  );
}

function inPython(name: string, value: string): string {
  if (COUNTED.has(name) || (name === "since" && /^\d+$/.test(value))) return value;
  return PYTHON_WORDS[value] ?? JSON.stringify(value);
}

export function asTool(call: Call): string | null {
  const tool = call.tool ?? toolOf(call);
  return tool && JSON.stringify({ method: "tools/call", params: tool }, null, 2);
}

function toolOf(call: Call): Tool | null {
  const known = find(call.path);
  if (!known?.tool) return null;
  const part = known.part && known.partName ? { [known.partName]: known.part } : {};
  return { name: known.tool, arguments: { ...part, ...Object.fromEntries(sent(call)) } };
}

function sent(call: Call): [string, string][] {
  return Object.entries(call.params ?? {}).filter((pair): pair is [string, string] => Boolean(pair[1]));
}

function find(path: string) {
  for (const [pattern, method, tool, partName] of TABLE) {
    const found = pattern.exec(path);
    if (found) return { method, tool, partName, part: decodeURIComponent(found[1] ?? "") };
  }
  return null;
}
