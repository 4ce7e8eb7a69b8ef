// What line items mean, from the catalogue.

import { text, walk } from "./api.ts";

export async function definitionOf(key: string, edition?: string): Promise<string> {
  const listed = await walk("/v1/catalog/line-items", { edition }, { enough: (rows) => text(rows.at(-1)?.["key"]) >= key });
  return text(listed.rows.find((row) => text(row["key"]) === key)?.["definition"]);
}
