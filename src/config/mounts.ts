import { join } from "node:path";
import { StartError } from "../base/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "../base/json/json.ts";
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
  readonly file: ConfigFile<typeof SERVE_OPTIONS>;
  readonly flags: Flags<typeof SERVE_OPTIONS>["values"];
  readonly env: NodeJS.ProcessEnv;
}

/** Options of the one server that has all the sources. */
const OF_THE_SERVER = ["port", "host", "base", "https", "ssl", "ssl.cert", "ssl.key", "quiet", "mounts"];
/** Letters that a path has as they are. Names that begin with two underscores are those of our own routes. */
const NAME = /^(?!__|\.{1,2}$)[\w.~-]+$/;

/** The sources that the config file mounts; undefined where it mounts none. */
export function readMounts(given: GivenMounts): { list: MountedSource[]; warnings: string[] } | undefined {
  const { file, flags } = given;
  const configured = file.values.mounts as JsonObject | undefined;
  if (!configured) return undefined;
  if (file.values.source !== undefined) {
    throw new StartError(
      `${file.file}: "source" and "mounts" cannot be given both. Make the source one of the mounts.`,
    );
  }
  if (Object.keys(configured).length === 0) throw new StartError(`${file.file}: "mounts" names no source.`);
  const warnings: string[] = [];
  const { mounts: _, ...common } = { ...file.values, ...flags };
  const base = String(common.base ?? "").replace(/\/+$/, "");
  const list = Object.entries(configured).map(([name, entry]): MountedSource => {
    expectName(name);
    const own = ownValues(name, entry, given);
    warnings.push(...own.warnings);
    const options = { ...common, ...own.values, ...flags };
    // Each has its own snapshots.
    const shared = own.values.snapshots === undefined ? common.snapshots : undefined;
    const snapshots = shared === undefined ? options.snapshots : join(String(shared), name);
    return { name, options: withDefaults(SERVE_OPTIONS, { ...options, base: `${base}/${name}`, snapshots }) };
  });
  return { list, warnings };
}

function expectName(name: string): void {
  if (NAME.test(name)) return;
  throw new StartError(
    `"mounts": ${JSON.stringify(name)} cannot be the path of a source. A name has letters, digits and - . _ ~, and does not begin with __, which is reserved.`,
  );
}

type OwnValues = Omit<ConfigFile<typeof SERVE_OPTIONS>, "file">;

/** The options of one mount in the config file: its source, or an object that has it. */
function ownValues(name: string, entry: Json | undefined, { file, env }: GivenMounts): OwnValues {
  const place = `${file.file}: mounts.${name}`;
  if (typeof entry === "string" && entry !== "") return { values: { source: entry }, warnings: [] };
  if (!isJsonObject(entry)) {
    throw new StartError(`${place} is ${JSON.stringify(entry)}; it must be a source, or an object with a "source".`);
  }
  const misplaced = Object.keys(entry).find((key) => OF_THE_SERVER.includes(key));
  if (misplaced !== undefined)
    throw new StartError(`${place}: "${misplaced}" is for the whole server; move it to the top.`);
  const { values, warnings } = readValues(place, entry, SERVE_OPTIONS);
  if (values.source === undefined) throw new StartError(`${place} needs a "source".`);
  if (!values.layers) return { values, warnings };
  const layers = withEnvironment(values.layers as Json, env, `${place}.layers`) as JsonObject;
  return { values: { ...values, layers }, warnings };
}
