import { StartError } from "../../base/errors.ts";
import { fileProblem } from "../../base/files/file-problem.ts";
import { type Json, type JsonObject, parseJson } from "../../base/json/json.ts";
import { readFileSync } from "../../base/platform/files.ts";
import { readRules } from "./read-rules.ts";
import type { Rules } from "./rules.ts";

/** Reads the rules of a file, or those given as an object; a `StartError` names the file and the key. */
export function loadRules(given: string | JsonObject, place = "rules"): Rules {
  if (typeof given !== "string") return readRules(given, place);
  let content: Json;
  try {
    content = parseJson(readFileSync(given, "utf8"));
  } catch (thrown) {
    throw new StartError(`The rules file ${given} cannot be read: ${fileProblem(thrown)}`);
  }
  return readRules(content, given);
}
