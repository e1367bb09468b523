import { existsSync, readFileSync } from "node:fs";
import { StartError } from "../../base/errors.ts";
import { stringifyJson } from "../../base/json/json.ts";
import type { ServeOptions } from "../../config/options.ts";
import { sourceKind } from "../../store/sources/source-kind.ts";
import type { Exported, Store } from "../../store/store.ts";
import { closeService, openService, type ServiceStart } from "../open-service.ts";

/** The data of a page as JSON, and the options of the API in it. */
export interface Demo {
  readonly data: string;
  readonly settings: Readonly<Record<string, unknown>> & { readonly base: string };
}

/** Where the API of a page is, and what becomes of the changes of its visitors. */
interface DemoPlace {
  readonly base: string;
  readonly onNewSeed: string;
}

/** The options of the API in a page. */
export const PAGE_OPTIONS = [
  "id",
  "collections",
  "foreignKeySuffix",
  "relations",
  "readOnly",
  "delay",
  "faults",
  "seed",
  "clock",
  "timeline",
  "routes",
  "rules",
] as const satisfies (keyof ServeOptions)[];

/** Opens the data as a server would, so that mistakes show now and not in the page, and reads it. */
export async function readDemo(options: ServeOptions, start: ServiceStart, place: DemoPlace): Promise<Demo> {
  const { source } = options;
  if (!start.openData && sourceKind(source) === "file" && !existsSync(source))
    throw new StartError(`${source} does not exist.`);
  const service = await openService({ ...options, memory: true }, start);
  try {
    const { rules } = options;
    const settings = {
      ...place,
      ...Object.fromEntries(PAGE_OPTIONS.map((name) => [name, options[name]])),
      routes: service.rewriter.rewrites,
      rules: typeof rules === "string" ? JSON.parse(readFileSync(rules, "utf8")) : rules,
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
