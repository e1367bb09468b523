import { join, posix } from "node:path";
import { messageOf } from "../../base/errors.ts";
import { isJsonObject } from "../../base/json/json.ts";
import { CONFIG_FILES } from "../../config/find-config.ts";
import { readIdKeys } from "../../config/id-keys.ts";
import type { ServeOptions } from "../../config/options.ts";
import { resolveServeOptions } from "../../config/resolve.ts";
import { isLayerName } from "../../layers/registry.ts";
import { IdKeys } from "../../store/id-keys.ts";
import { checkCode } from "./check-code.ts";
import { checkDataFile } from "./check-data.ts";
import { checkRules } from "./check-rules.ts";
import type { Finding, Place } from "./finding.ts";
import type { Invocation } from "./invocation.ts";
import { lineOf } from "./json-lines.ts";
import { Project, type SourceText } from "./project.ts";
import type { Start } from "./starts.ts";

/** Stands for the unknown value of a variable; a valid port. */
const UNKNOWN_VALUE = "30303";
const BARE_CORS = /^--(?:no-cors|nocors|nc)$/i;

/** The findings about a start with these arguments, and its options; undefined when it would fail. */
interface CheckedCommand {
  readonly findings: readonly Finding[];
  readonly options: ServeOptions | undefined;
}

export interface StartCheck {
  readonly project: Project;
  readonly sources: readonly SourceText[];
  readonly isBeta: boolean;
}

/** Checks a start as if it were run in its folder: flags, config file, data, rewrite rules and middlewares. */
export function checkStart(check: StartCheck, start: Start): Finding[] {
  const { place, invocation } = start;
  const { folder } = invocation;
  if (folder === undefined) {
    const message = "A variable decides the folder in which this runs, so its files were not checked.";
    return [{ ...place, level: "check", message, fix: "Run standin doctor in that folder." }];
  }
  if (folder === "") return checkIn(check, start);
  const isThere = check.project.isFolder(folder);
  if (!isThere) return [{ ...place, level: "check", message: `There is no folder ${folder}, where this runs.` }];
  const findings = checkIn({ ...check, project: new Project(join(check.project.folder, folder)) }, start);
  return findings.map((one) => (isAt(one, place) ? one : { ...one, file: posix.join(folder, one.file) }));
}

function isAt(finding: Finding, place: Place): boolean {
  return finding.file === place.file && finding.line === place.line;
}

function checkIn(check: StartCheck, { place, invocation }: Start): Finding[] {
  const { findings, options } = checkFlags(check.project, invocation, place);
  if (!options) return [...findings];
  const ofFiles = checkFiles(check, options, { place, program: invocation.program });
  // A line is fine only if all of it was understood.
  if ([...findings, ...ofFiles].some((one) => isAt(one, place) && one.level !== "works")) {
    return [...findings, ...ofFiles];
  }
  const message =
    invocation.program === "json-server"
      ? "standin accepts the same arguments."
      : "json-server-auth accepts the same arguments, and starts standin if that has the name json-server.";
  return [...findings, { ...place, level: "works", message }, ...ofFiles];
}

interface StartFiles {
  readonly place: Place;
  readonly program: Start["invocation"]["program"];
}

function checkFiles({ project, sources, isBeta }: StartCheck, options: ServeOptions, files: StartFiles): Finding[] {
  const { place } = files;
  const named = [options.source, options.routes ?? "", ...(options.middlewares ?? [])];
  if (named.some(isUnknownValue)) {
    const message = "A variable decides a file that is used here, so the files of this line were not checked.";
    return [{ ...place, level: "check", message }];
  }
  const findings: Finding[] = [];
  const source = plainPath(options.source);
  const isAddress = /^\w+:\/\//.test(source);
  const isThere = isAddress || project.read(source) !== undefined || project.isFolder(source);
  // The working directory of a container or workflow is unknown.
  if (!isThere && place.file !== "package.json") {
    const message = `${source} was not found from the project's folder, so the files of this line were not checked.`;
    return [{ ...place, level: "check", message }];
  }
  const idKeys = IdKeys.from(readIdKeys(options));
  if (source.endsWith(".json")) findings.push(...checkDataFile(project, { file: source, idKeys, place }));
  else if (!isThere) findings.push({ ...place, level: "broken", message: `${source} does not exist.` });
  if (options.source.endsWith(".json5")) {
    const message = `${options.source}: JSON5 is read by json-server 1.0 beta; standin reads JSON.`;
    findings.push({ ...place, level: "broken", message, fix: "Save the data as JSON." });
  }
  if (options.routes !== undefined) {
    findings.push(...checkRules(project, plainPath(options.routes), files.program === "json-server-auth"));
  }
  for (const file of options.middlewares ?? []) {
    if (isLayerName(file)) continue;
    const text = project.read(file);
    if (text !== undefined) {
      const isKnown = sources.some((one) => join(project.folder, file).endsWith(`/${one.file}`));
      if (!isKnown) findings.push(...checkCode({ file: plainPath(file), text }, isBeta));
      findings.push({ ...place, level: "works", message: `The middleware ${file} runs on Express 4, as before.` });
    } else if (/^[./]/.test(file) && !file.includes("node_modules/") && !hasModule(project, file)) {
      findings.push({ ...place, level: "broken", message: `The middleware ${file} does not exist.` });
    }
  }
  return findings;
}

function plainPath(file: string): string {
  return file.replace(/^\.\//, "");
}

/** Whether a middleware exists that is named without its extension, or by its folder. */
function hasModule(project: Project, file: string): boolean {
  return [".js", ".cjs", ".mjs", ".ts", "/index.js"].some((ending) => project.read(`${file}${ending}`) !== undefined);
}

/** Checks the flags and the config file as a start reads them. */
function checkFlags(project: Project, { args }: Pick<Invocation, "args">, place: Place): CheckedCommand {
  const findings: Finding[] = [];
  if (hasBareCors(args)) {
    findings.push({
      ...place,
      level: "change",
      message:
        "--no-cors had no effect in json-server 0.17 when written without a value. In standin it works, so browsers on other origins are refused.",
      fix: "Remove --no-cors, unless you want that.",
    });
  }
  try {
    const { options, warnings, configFile } = resolveServeOptions(args.map(expandDefault), project.folder);
    readIdKeys(options, configFile);
    for (const warning of warnings) {
      if (!/cors/i.test(warning))
        findings.push({
          ...placeOf(project, warning, { config: configFile, otherwise: place }),
          level: "differs",
          message: warning,
        });
    }
    if (options.static !== undefined && !project.isFolder(options.static)) {
      findings.push({
        ...place,
        level: "differs",
        message: `The static folder ${options.static} does not exist.`,
        fix: "Create it, or remove the option.",
      });
    }
    return { findings, options };
  } catch (thrown) {
    const message = messageOf(thrown);
    if (isUnknownValue(message)) {
      const unread = "A variable decides an argument of this line, which was not checked.";
      return { findings: [...findings, { ...place, level: "check", message: unread }], options: undefined };
    }
    const config = CONFIG_FILES.find((name) => message.includes(name));
    findings.push({ ...placeOf(project, message, { config, otherwise: place }), level: "broken", message });
    return { findings, options: undefined };
  }
}

function hasBareCors(args: readonly string[]): boolean {
  return args.some((word, at) => BARE_CORS.test(word) && !/^(?:true|false)$/.test(args[at + 1] ?? ""));
}

/** Replaces `$PORT` and `${PORT:-3000}` by the default, or by a number that stands for the unknown value. */
function expandDefault(word: string): string {
  return word.replace(/\$\{\w+:-([^}]*)\}/g, "$1").replace(/\$\{?\w+\}?|%\w+%|\$\(.*|`.*/g, UNKNOWN_VALUE);
}

/** Whether a text has the value of a variable in it. */
function isUnknownValue(text: string): boolean {
  return text.includes(UNKNOWN_VALUE);
}

interface PlaceOptions {
  readonly config: string | undefined;
  /** The place of messages that are not about the config file. */
  readonly otherwise: Place;
}

/** The line of the config key that a message names in quotes, if it is about the config file. */
function placeOf(project: Project, message: string, { config, otherwise }: PlaceOptions): Place {
  const text = config === undefined || !message.includes(config) ? undefined : project.read(config);
  if (config === undefined || text === undefined) return otherwise;
  const named = /"([^"]+)"/.exec(message)?.[1] ?? "";
  const content = project.readObject(config);
  const key = isJsonObject(content) ? Object.keys(content).find((one) => one === named) : undefined;
  return { file: config, line: key === undefined ? undefined : lineOf(text, [key]) };
}
