import { existsSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { StartError } from "../base/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "../base/json/json.ts";
import { sourceKind, withoutPassword } from "../store/sources/source-kind.ts";
import { type ConfigFile, readValues } from "./config-file.ts";
import { withDefaults } from "./defaults.ts";
import type { Flags } from "./flags.ts";
import { SERVE_OPTIONS, type ServeOptions } from "./options.ts";
import { withEnvironment } from "./secrets.ts";

/** A source that is served below a path of its own, which ends in its name. */
export interface MountedSource {
  readonly name: string;
  readonly options: ServeOptions;
}

interface GivenMounts {
  /** The words of the command line. */
  readonly sources: readonly string[];
  readonly file: ConfigFile<typeof SERVE_OPTIONS>;
  readonly flags: Flags<typeof SERVE_OPTIONS>["values"];
  readonly env: NodeJS.ProcessEnv;
}

/** Options of the one server that has all the sources. */
const OF_THE_SERVER = ["port", "host", "base", "https", "ssl", "ssl.cert", "ssl.key", "quiet", "mounts"];
/** Letters that a path has as they are. Names that begin with two underscores are those of our own routes. */
const NAME = /^(?!__|\.{1,2}$)[\w.~-]+$/;

/** Whether a word names something that can be served. */
export function isThere(word: string): boolean {
  return existsSync(word) || sourceKind(word) === "url" || sourceKind(word) === "postgres";
}

/** Several sources: those of the command line, else those of the config file; undefined where there is one source. */
export function readMounts(given: GivenMounts): { list: MountedSource[]; warnings: string[] } | undefined {
  const { sources, file, flags } = given;
  const configured = file.values.mounts as JsonObject | undefined;
  if (sources.length === 1 || (sources.length === 0 && !configured)) return undefined;
  if (sources.length === 0 && file.values.source !== undefined) {
    throw new StartError(
      `${file.file}: "source" and "mounts" cannot be given both. Make the source one of the mounts.`,
    );
  }
  const named = sources.length > 0 ? namesFor(sources) : Object.keys(configured ?? {}).map((name) => [name] as const);
  if (named.length === 0) throw new StartError(`${file.file}: "mounts" names no source.`);
  const warnings: string[] = [];
  const { mounts: _, ...common } = { ...file.values, ...flags };
  const base = String(common.base ?? "").replace(/\/+$/, "");
  const list = named.map(([name, source]): MountedSource => {
    expectName(name, source);
    const own = ownValues(name, configured?.[name], given);
    warnings.push(...own.warnings);
    const options = { ...common, ...own.values, ...flags, ...(source !== undefined && { source }) };
    // Each has its own snapshots.
    const shared = own.values.snapshots === undefined ? common.snapshots : undefined;
    const snapshots = shared === undefined ? options.snapshots : join(String(shared), name);
    return { name, options: withDefaults(SERVE_OPTIONS, { ...options, base: `${base}/${name}`, snapshots }) };
  });
  return { list, warnings };
}

/** `shop.json` is served at `/shop`. */
function namesFor(sources: readonly string[]): (readonly [name: string, source: string])[] {
  const named = sources.map((source) => {
    const path = /^[a-z][a-z\d+.-]*:\/\//i.test(source) ? new URL(source).pathname : resolve(source);
    return [basename(path).replace(/\.(json[5c]?|ya?ml|csv|[cm]?[jt]s)$/i, ""), source] as const;
  });
  for (const [at, [name, source]] of named.entries()) {
    const [, earlier] = named.slice(0, at).find(([other]) => other === name) ?? [];
    if (earlier === undefined) continue;
    throw new StartError(
      `${withoutPassword(earlier)} and ${withoutPassword(source)} would both be served at /${name}. ${NAME_THEM}`,
    );
  }
  return named;
}

const NAME_THEM = 'Give them names in the config file: { "mounts": { "shop": "shop.json", "crm": "crm.json" } }.';

function expectName(name: string, source: string | undefined): void {
  if (NAME.test(name)) return;
  const rule = "A name has letters, digits and - . _ ~, and does not begin with __, which is reserved.";
  throw new StartError(
    source === undefined
      ? `"mounts": ${JSON.stringify(name)} cannot be the path of a source. ${rule}`
      : `${withoutPassword(source)} cannot be served at /${name}. ${rule} ${NAME_THEM}`,
  );
}

type OwnValues = Omit<ConfigFile<typeof SERVE_OPTIONS>, "file">;

/** The options of one mount in the config file: its source, or an object that has it. */
function ownValues(name: string, entry: Json | undefined, { sources, file, env }: GivenMounts): OwnValues {
  const place = `${file.file}: mounts.${name}`;
  if (typeof entry === "string" && entry !== "") return { values: { source: entry }, warnings: [] };
  if (entry === undefined) return { values: {}, warnings: [] };
  if (!isJsonObject(entry)) {
    throw new StartError(`${place} is ${JSON.stringify(entry)}; it must be a source, or an object with a "source".`);
  }
  const misplaced = Object.keys(entry).find((key) => OF_THE_SERVER.includes(key));
  if (misplaced !== undefined)
    throw new StartError(`${place}: "${misplaced}" is for the whole server; move it to the top.`);
  const { values, warnings } = readValues(place, entry, SERVE_OPTIONS);
  if (values.source === undefined && sources.length === 0) throw new StartError(`${place} needs a "source".`);
  if (!values.layers) return { values, warnings };
  const layers = withEnvironment(values.layers as Json, env, `${place}.layers`) as JsonObject;
  return { values: { ...values, layers }, warnings };
}
