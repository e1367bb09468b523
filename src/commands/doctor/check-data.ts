import { messageOf } from "../../base/errors.ts";
import { duplicateMessage, findDuplicateKey } from "../../base/json/duplicate-keys.ts";
import { isJsonObject, type Json, type JsonObject, parseJson, stringifyJson } from "../../base/json/json.ts";
import type { IdKeys } from "../../store/id-keys.ts";
import { databaseProblem } from "../../store/memory/state.ts";
import type { Finding, Place } from "./finding.ts";
import { lineOfKey, type Project } from "./project.ts";

/** Larger files can be served, but are not checked here. */
const MAX_BYTES = 100 * 2 ** 20;

export interface DataCheck {
  readonly file: string;
  readonly idKeys: IdKeys;
  /** The place of the command that serves the file. */
  readonly place: Place;
}

/** Checks a data file for data that cannot be served or reached, and for duplicate ids. */
export function checkDataFile(project: Project, { file, idKeys, place }: DataCheck): Finding[] {
  const text = project.read(file);
  if (text === undefined) {
    const message = `${file} does not exist. json-server creates it with posts, comments and a profile, standin with products and companies.`;
    return [{ ...place, level: "change", message, fix: `Create ${file}; an empty start is {}.` }];
  }
  if (project.bytesOf(file) > MAX_BYTES) {
    return [
      { level: "works", file, line: undefined, message: "The data file is large; its records were not checked." },
    ];
  }
  let data: Json;
  try {
    data = parseJson(text);
  } catch (thrown) {
    return [{ level: "broken", file, line: undefined, message: `It is not valid JSON: ${messageOf(thrown)}.` }];
  }
  const twice = findDuplicateKey(text, data);
  if (twice) return [{ level: "broken", file, line: twice.lines[1], message: `It ${duplicateMessage(twice)}` }];
  const problem = databaseProblem(data);
  if (problem !== undefined) return [{ level: "broken", file, line: undefined, message: problem }];
  const idProblems = Object.entries(data as JsonObject).flatMap(([name, value]): Finding[] => {
    const found = [...checkName(name), ...(Array.isArray(value) ? checkRecords(name, value, idKeys.of(name)) : [])];
    return found.map((one) => ({ ...one, file, line: lineOfKey(text, name) }));
  });
  return [...idProblems, { level: "works", file, line: undefined, message: "The data can be served." }];
}

type Remark = Pick<Finding, "level" | "message" | "fix">;

function checkName(name: string): Remark[] {
  if (name === "db" || name.startsWith("__")) {
    const message = `/${name} is a built-in route, so the data key "${name}" cannot be reached.`;
    return [{ level: "change", message, fix: "Rename the key." }];
  }
  return [];
}

/** Checks the ids: json-server finds the first of two records with the same one, and none without. */
function checkRecords(name: string, records: readonly Json[], idKey: string): Remark[] {
  const ids = records.map((record) => (isJsonObject(record) ? (record[idKey] ?? "") : ""));
  const seen = new Set<string>();
  const twice = ids.find((id) => id !== "" && seen.size === seen.add(String(id)).size);
  const without = ids.filter((id) => id === "").length;
  const findings: Remark[] = [];
  if (twice !== undefined) {
    const message = `${name}: several records have the "${idKey}" ${stringifyJson(twice)}. The first one wins; the rest cannot be reached.`;
    findings.push({ level: "change", message, fix: "Make the ids unique." });
  }
  if (without > 0) {
    const message = `${name}: ${without} of ${records.length} elements have no "${idKey}": in lists, but without a URL.`;
    findings.push({ level: "differs", message, fix: "Give each record an id, or name the id field with --id." });
  }
  return findings;
}
