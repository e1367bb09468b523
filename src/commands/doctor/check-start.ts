import { messageOf } from "../../base/errors.ts";
import { duplicateMessage, findDuplicateKey } from "../../base/json/duplicate-keys.ts";
import { isJsonObject, type Json, type JsonObject, parseJson, stringifyJson } from "../../base/json/json.ts";
import { readIdKeys } from "../../config/collections.ts";
import { CONFIG_FILES } from "../../config/find-config.ts";
import type { ServeOptions } from "../../config/options.ts";
import { resolveServeOptions } from "../../config/resolve.ts";
import { compileRewrite } from "../../http/rewrite/compile-rewrite.ts";
import { isLayerName } from "../../layers/registry.ts";
import { IdKeys } from "../../store/id-keys.ts";
import { databaseProblem } from "../../store/memory/state.ts";
import type { Finding, Level, Place } from "./finding.ts";
import { lineOfKey, type Project } from "./project.ts";

/** Data files larger than this can be served, but are not checked here. */
const MAX_BYTES = 100 * 2 ** 20;
const BARE_CORS = /^--(?:no-cors|nocors|nc)$/i;
const JSON_SERVER_AUTH = /json-server-auth/;

/** A start, as far as it can be checked. */
interface CheckedStart {
  readonly program: string;
  readonly args: readonly string[];
  readonly place: Place;
}

/** Checks a start as if it were run: flags, config file, data, rewrite rules and middlewares. */
export function checkStart(project: Project, { program, args, place }: CheckedStart): Finding[] {
  const findings: Finding[] = [];
  const add = (level: Level, message: string, fix?: string): void => {
    findings.push({ ...place, level, message, ...(fix && { fix }) });
  };
  if (args.some((word, at) => BARE_CORS.test(word) && !/^(?:true|false)$/.test(args[at + 1] ?? ""))) {
    add(
      "change",
      "--no-cors had no effect in json-server 0.17 when written without a value. In standin it works, so browsers on other origins are refused.",
      "Remove --no-cors, unless you want that.",
    );
  }
  let options: ServeOptions;
  try {
    const resolved = resolveServeOptions(args, project.folder);
    options = resolved.options;
    readIdKeys(options, resolved.configFile);
    for (const warning of resolved.warnings) if (!/cors/i.test(warning)) add("differs", warning);
  } catch (thrown) {
    const message = messageOf(thrown);
    const file = CONFIG_FILES.find((name) => message.includes(name));
    return [...findings, { ...(file ? { file, line: undefined } : place), level: "broken", message }];
  }
  const { source, routes, middlewares = [] } = options;
  if (/^\.{0,2}[\w./\\ -]+\.json$/.test(source)) {
    findings.push(...checkDataFile(project, { file: source, idKeys: IdKeys.from(readIdKeys(options)), place }));
  } else if (!/^\w+:\/\//.test(source) && project.read(source) === undefined && !project.isFolder(source)) {
    add("broken", `${source} does not exist.`);
  }
  if (options.static !== undefined && !project.isFolder(options.static)) {
    add("differs", `The static folder ${options.static} does not exist.`, "Create it, or remove the option.");
  }
  const hasGuards = JSON_SERVER_AUTH.test(`${program} ${middlewares.join(" ")}`);
  if (routes !== undefined) findings.push(...checkRules(project, routes.replace(/^\.\//, ""), hasGuards));
  for (const file of middlewares.filter((one) => /^[./]/.test(one) && !isLayerName(one))) {
    const isThere = ["", ".js", ".cjs", ".mjs", ".ts", "/index.js", "/package.json"].some(
      (ending) => project.read(`${file}${ending}`) !== undefined,
    );
    if (isThere) add("works", `The middleware ${file} runs on Express 4, as before.`);
    else add("broken", `The middleware ${file} does not exist.`);
  }
  // A line is fine only if all of it was understood.
  if (findings.every((one) => one.level === "works" || one.file !== place.file)) {
    add("works", "standin accepts the same arguments.");
  }
  return findings;
}

/** Compiles every rule of a rewrite file. With json-server-auth, entries such as `"users": 600` are its guards. */
function checkRules(project: Project, file: string, hasGuards: boolean): Finding[] {
  const rules = project.readObject(file);
  const text = project.read(file) ?? "";
  if (!rules) {
    const message = "The rewrite file must be there, with a JSON object that maps paths to paths.";
    return [{ level: "broken", file, line: undefined, message }];
  }
  return Object.entries(rules).flatMap(([from, to]): Finding[] => {
    const place = { file, line: lineOfKey(text, from) };
    if (hasGuards && /^\d{3}$/.test(String(to))) return [];
    if (!from.startsWith("/") || typeof to !== "string") {
      return [{ ...place, level: "differs", message: `"${from}" is no rewrite rule. It is ignored with a warning.` }];
    }
    try {
      compileRewrite(from, to);
      return [];
    } catch (thrown) {
      return [{ ...place, level: "broken", message: messageOf(thrown), fix: "Correct the rule or remove it." }];
    }
  });
}

interface DataCheck {
  readonly file: string;
  readonly idKeys: IdKeys;
  /** The place of the command that serves the file. */
  readonly place: Place;
}

/** Checks a data file for data that cannot be served or reached, and for duplicate ids. */
function checkDataFile(project: Project, { file, idKeys, place }: DataCheck): Finding[] {
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
