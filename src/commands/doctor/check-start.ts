import { messageOf } from "../../base/errors.ts";
import { CONFIG_FILES } from "../../config/find-config.ts";
import { readIdKeys } from "../../config/id-keys.ts";
import type { ServeOptions } from "../../config/options.ts";
import { resolveServeOptions } from "../../config/resolve.ts";
import { compileRewrite } from "../../http/rewrite/compile-rewrite.ts";
import { isLayerName } from "../../layers/registry.ts";
import { IdKeys } from "../../store/id-keys.ts";
import { checkDataFile } from "./check-data.ts";
import type { Finding, Level, Place } from "./finding.ts";
import { lineOfKey, type Project } from "./project.ts";

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
