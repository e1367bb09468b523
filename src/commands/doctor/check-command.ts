import { messageOf } from "../../base/errors.ts";
import { isJsonObject } from "../../base/json/json.ts";
import { CONFIG_FILES } from "../../config/config-file.ts";
import { readIdKeys } from "../../config/id-keys.ts";
import type { ServeOptions } from "../../config/options.ts";
import { resolveServeOptions } from "../../config/resolve.ts";
import type { Finding, Place } from "./finding.ts";
import type { Invocation } from "./invocation.ts";
import { lineOf } from "./json-lines.ts";
import type { Project } from "./project.ts";

/** Stands for the unknown value of a variable; a valid port. */
const UNKNOWN_VALUE = "30303";
const BARE_CORS = /^--(?:no-cors|nocors|nc)$/i;

/** The findings about a start with these arguments, and its options; undefined when it would fail. */
export interface CheckedCommand {
  readonly findings: readonly Finding[];
  readonly options: ServeOptions | undefined;
}

/** Checks the flags and the config file as a start reads them. */
export function checkFlags(project: Project, { args }: Pick<Invocation, "args">, place: Place): CheckedCommand {
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
export function isUnknownValue(text: string): boolean {
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
