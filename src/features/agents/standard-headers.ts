import type { IncomingHttpHeaders } from "node:http";
import { isJsonObject, type JsonObject } from "../../base/json/json.ts";

/** The member of the parameters that `Mcp-Name` repeats, by method. */
const NAMED_BY: Readonly<Record<string, string>> = {
  "tools/call": "name",
  "resources/read": "uri",
  "prompts/get": "name",
};
const ENCODED = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/;

/**
 * Why the headers of a request do not fit its body; undefined if they do. Proxies route by the headers, so revision
 * 2026-07-28 requires them. The SDK checks `MCP-Protocol-Version` and `Mcp-Method` where they are given.
 */
export function headerProblem({ method, params }: JsonObject, headers: IncomingHttpHeaders): string | undefined {
  for (const name of ["mcp-protocol-version", "mcp-method"]) {
    if (headers[name] === undefined) return `The header ${name} is missing.`;
  }
  const member = NAMED_BY[String(method)];
  const expected = member !== undefined && isJsonObject(params) ? params[member] : undefined;
  if (typeof expected !== "string") return undefined;
  const given = headers["mcp-name"];
  if (given === undefined) return `The header mcp-name is missing: the body names ${JSON.stringify(expected)}.`;
  return decoded(String(given)) === expected
    ? undefined
    : `The header mcp-name is ${JSON.stringify(given)}, but the body names ${JSON.stringify(expected)}.`;
}

function decoded(text: string): string {
  const [, encoded] = ENCODED.exec(text.trim()) ?? [];
  return encoded === undefined ? text.trim() : Buffer.from(encoded, "base64").toString();
}
