import { messageOf, StartError } from "../../../base/errors.ts";
import { type Json, parseJson } from "../../../base/json/json.ts";
import { refuseDepth } from "./shape.ts";

/** JSON is YAML as well, and read ten times as fast. */
const LOOKS_LIKE_JSON = /^\uFEFF?\s*[[{]/;

/** Parses JSON, or YAML where that is allowed. A `StartError` names line and column of a mistake. */
export async function parseText(file: string, text: string, kind: "json" | "any"): Promise<Json> {
  if (kind === "json") return parseJsonText(file, text);
  if (LOOKS_LIKE_JSON.test(text)) {
    try {
      return parseJsonText(file, text);
    } catch {
      // YAML that begins like JSON.
    }
  }
  const { parseYaml } = await import("./parse-yaml.ts");
  return parseYaml(file, text);
}

function parseJsonText(file: string, text: string): Json {
  let parsed: Json;
  try {
    parsed = parseJson(text);
  } catch (thrown) {
    throw new StartError(`${file} is not valid JSON: ${messageOf(thrown)}. A YAML file ends in .yaml or .yml.`);
  }
  refuseDepth(file, parsed);
  return parsed;
}
