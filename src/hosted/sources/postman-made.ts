import JSON5 from "json5";
import { isJsonObject, type Json, type JsonObject, stringifyJson } from "../../base/json/json.ts";
import { createSampler } from "../../openapi/sample/sampler.ts";
import { schemaReferences } from "../../schema/references.ts";
import type { ExampleResponse } from "../example.ts";
import type { SavedRequest } from "./postman-requests.ts";

/** Bodies of these requests are records that the response to them usually shows. */
const SENDING = ["POST", "PUT", "PATCH"];
/** `const schema = {`, `let userSchema = {`. */
const SCHEMA = /\b\w*schema\w*\s*=\s*(?=\{)/gi;
/** `pm.response.to.have.status(201)`. */
const STATUS = /\.to\.have\.status\(\s*([2-5]\d\d)\s*\)/;
/** Texts and brackets, of which the former may contain the latter. */
const BRACKET = /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`|[{}]/gs;

/**
 * A response for a request without a saved one: by the schema that its tests check responses with, else with the record that
 * it sends. Undefined where neither is there.
 */
export function madeResponse(item: JsonObject, request: SavedRequest, seed: number): ExampleResponse | undefined {
  const tests = testsOf(item);
  const value = fromSchema(tests, seed) ?? (SENDING.includes(request.method) ? sentRecord(request) : undefined);
  if (value === undefined) return undefined;
  const status = Number(STATUS.exec(tests)?.[1] ?? 200);
  return { status, range: undefined, type: "application/json", headers: [], body: stringifyJson(value) };
}

function sentRecord({ body }: SavedRequest): Json | undefined {
  return body?.type === "application/json" ? body.value : undefined;
}

/** The scripts that run after the response. */
function testsOf({ event }: JsonObject): string {
  const scripts = (Array.isArray(event) ? event : []).flatMap((one) =>
    isJsonObject(one) && one.listen === "test" && isJsonObject(one.script) ? (one.script.exec ?? []) : [],
  );
  return scripts.filter((line) => typeof line === "string").join("\n");
}

function fromSchema(tests: string, seed: number): Json | undefined {
  for (const { 0: name, index } of tests.matchAll(SCHEMA)) {
    const schema = literalAt(tests.slice(index + name.length));
    if (schema === undefined) continue;
    const made = createSampler({ references: schemaReferences(schema) }, seed).sample({ value: schema, place: "#" });
    if (made !== undefined) return made;
  }
  return undefined;
}

/** The object that a text begins with, where it is one of values alone. */
function literalAt(text: string): JsonObject | undefined {
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(BRACKET)) {
    if (token === "{") depth++;
    if (token !== "}" || --depth > 0) continue;
    try {
      const value: unknown = JSON5.parse(text.slice(0, index + 1));
      return isJsonObject(value) ? value : undefined;
    } catch {
      return undefined;
    }
  }
  return undefined;
}
