import { messageOf } from "../../base/errors.ts";
import { duplicateMessage, findDuplicateKey } from "../../base/json/duplicate-keys/find-duplicate-key.ts";
import { isJsonObject, type Json, type JsonObject, parseJson } from "../../base/json/json.ts";
import type { IdKeys } from "../../store/id-keys.ts";
import { databaseProblem } from "../../store/memory/state.ts";
import { counted } from "./check-rules.ts";
import type { Finding, Place } from "./finding.ts";
import { lineOf } from "./json-lines.ts";
import type { Project } from "./project.ts";

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
  if (problem !== undefined) return [{ level: "broken", file, line: problemLine(text, data), message: problem }];
  const findings = Object.entries(data as JsonObject).flatMap(([name, value]) =>
    checkMember(name, value, idKeys.of(name)).map(({ path, ...found }) => ({
      ...found,
      file,
      line: lineOf(text, [name, ...path]),
    })),
  );
  const collections = Object.values(data as JsonObject).filter(Array.isArray).length;
  const message = `${counted(collections, "collection")} can be served.`;
  return [...findings, { level: "works", file, line: undefined, message }];
}

type MemberFinding = Pick<Finding, "level" | "message" | "fix"> & { readonly path: readonly (string | number)[] };

function checkMember(name: string, value: Json, idKey: string): MemberFinding[] {
  const findings: MemberFinding[] = [];
  if (name === "db" || name.startsWith("__")) {
    findings.push({
      level: "change",
      path: [],
      message: `/${name} is a built-in route, so the data key "${name}" cannot be reached.`,
      fix: "Rename the key.",
    });
  }
  if (name.includes("/")) {
    findings.push({
      level: "differs",
      path: [],
      message: `"${name}" has a slash in it: its address is /${encodeURIComponent(name)}.`,
    });
  }
  return Array.isArray(value) ? [...findings, ...checkRecords(name, value, idKey)] : findings;
}

function checkRecords(name: string, records: readonly Json[], idKey: string): MemberFinding[] {
  const findings: MemberFinding[] = [];
  const add = ([first]: readonly number[], found: Omit<MemberFinding, "path">): void => {
    if (first !== undefined) findings.push({ ...found, path: [first] });
  };
  const odd = positionsOf(records, (record) => !isJsonObject(record));
  add(odd, {
    level: "differs",
    message: `${name}: ${counted(odd.length, "element")} ${odd.length === 1 ? "is not an object" : "are not objects"}: in lists, but without a URL.`,
  });
  const without = positionsOf(records, (record) => isJsonObject(record) && (record[idKey] ?? "") === "");
  add(without, {
    level: "differs",
    message: `${name}: ${counted(without.length, "record")} without "${idKey}": in lists, but without a URL.`,
    fix: `Give each record an id, or name the id field with --id.`,
  });
  const seen = new Set<string>();
  const twice = positionsOf(records, (record) => {
    const id = isJsonObject(record) ? record[idKey] : undefined;
    if (id === undefined || id === null || id === "") return false;
    return seen.size === seen.add(String(id)).size;
  });
  add(twice, {
    level: "change",
    message: `${name}: ${counted(twice.length, "record")} with an "${idKey}" that another record has. The first one wins; the rest cannot be reached.`,
    fix: "Make the ids unique.",
  });
  const invalid = positionsOf(records, (record) => isJsonObject(record) && isOddId(record[idKey]));
  add(invalid, {
    level: "differs",
    message: `${name}: ${counted(invalid.length, "record")} whose "${idKey}" is neither a string nor a number.`,
    fix: "Use texts or numbers.",
  });
  return findings;
}

function positionsOf(records: readonly Json[], test: (record: Json) => boolean): number[] {
  return records.flatMap((record, position) => (test(record) ? [position] : []));
}

function isOddId(id: Json | undefined): boolean {
  return typeof id === "boolean" || (typeof id === "object" && id !== null);
}

function problemLine(text: string, data: Json): number | undefined {
  if (!isJsonObject(data)) return 1;
  const scalar = Object.keys(data).find(
    (name) => name !== "$schema" && (typeof data[name] !== "object" || data[name] === null),
  );
  return scalar === undefined ? undefined : lineOf(text, [scalar]);
}
