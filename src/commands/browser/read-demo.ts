import { existsSync, readFileSync } from "node:fs";
import { closeService, openService } from "../../app/open-service.ts";
import { StartError } from "../../base/errors.ts";
import { stringifyJson } from "../../base/json/json.ts";
import type { Reporter } from "../../base/reporter.ts";
import { withDefaults } from "../../config/defaults.ts";
import { SERVE_OPTIONS, type ServeOptions } from "../../config/options.ts";
import { sourceKind } from "../../store/sources/source-kind.ts";
import type { Exported, Store } from "../../store/store.ts";

/** The data of a page as JSON, and the options of the API in it. */
export interface Demo {
  readonly data: string;
  readonly settings: Readonly<Record<string, unknown>> & { readonly base: string };
}

/** The options of a server that a page has, too. */
type DemoOptions = Partial<ServeOptions> & {
  readonly source: string;
  readonly base: string;
  readonly onNewSeed: string;
};

interface Place {
  readonly reporter: Reporter;
  readonly configFile: string | undefined;
}

/** Opens the data as a server would, so that mistakes show now and not in the page, and reads it. */
export async function readDemo(
  { base, onNewSeed, ...given }: DemoOptions,
  { reporter, configFile }: Place,
): Promise<Demo> {
  const { source } = given;
  if (sourceKind(source) === "file" && !existsSync(source)) throw new StartError(`${source} does not exist.`);
  const options = withDefaults(SERVE_OPTIONS, { ...given, memory: true });
  const service = await openService(options, { reporter, place: configFile ?? "standin.json" });
  try {
    const { id, collections, foreignKeySuffix, readOnly, delay, faults, seed, clock, rules } = options;
    const { rewrites: routes } = service.rewriter;
    const settings = {
      base,
      id,
      collections,
      foreignKeySuffix,
      readOnly,
      delay,
      faults,
      seed,
      clock,
      routes,
      rules: typeof rules === "string" ? JSON.parse(readFileSync(rules, "utf8")) : rules,
      onNewSeed,
    };
    return { data: await textOf(service.store), settings };
  } finally {
    await closeService(service);
  }
}

/** A line for each record, so that versions of the file are easy to compare. */
async function textOf(store: Store): Promise<string> {
  const members = (await store.export()).map((member) => `${JSON.stringify(member.name)}: ${contentText(member)}`);
  return `{\n${members.join(",\n")}\n}\n`;
}

function contentText(member: Exported): string {
  if (member.kind === "aside") return stringifyJson(member.value);
  if (member.kind === "singleton") return member.record.text;
  return member.records.length === 0 ? "[]" : `[\n${member.records.map(({ text }) => text).join(",\n")}\n]`;
}
