import { existsSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { StartError } from "../base/errors.ts";
import { writeAtomically } from "../base/files/atomic-write.ts";
import { fileProblem } from "../base/files/file-problem.ts";
import { isJsonObject, type Json, type JsonObject, stringifyJson } from "../base/json/json.ts";
import type { OptionTable } from "../base/option.ts";
import { readIdKeys } from "../config/collections.ts";
import { SERVE_OPTIONS } from "../config/options.ts";
import { type SampledMember, toCollection, toOpenApi } from "../hosted/example-documents.ts";
import type { IdKeyOptions } from "../store/id-keys.ts";
import { openStore } from "../store/open-store.ts";
import type { Exported } from "../store/store.ts";
import { defineCommand } from "./define-command.ts";

const OPTIONS = {
  from: {
    name: "from",
    type: "string",
    default: "db.json",
    placeholder: "<source>",
    help: "Data to take examples from: a data file, folder, module or URL",
    only: "flag",
  },
  out: {
    name: "out",
    type: "string",
    default: ".",
    placeholder: "<folder>",
    help: "Folder to write the collection and the document to",
    only: "flag",
  },
  limit: {
    name: "limit",
    type: "integer",
    default: 20,
    min: 1,
    max: 1000,
    placeholder: "<count>",
    help: "Number of records per collection to use as examples",
    only: "flag",
  },
  config: { ...SERVE_OPTIONS.config, help: "Config file, for the names of primary keys" },
  id: SERVE_OPTIONS.id,
  collections: SERVE_OPTIONS.collections,
  overwrite: {
    name: "overwrite",
    aliases: ["force"],
    type: "boolean",
    default: false,
    help: "Replace existing files",
    only: "flag",
  },
  quiet: { ...SERVE_OPTIONS.quiet, only: "flag" },
  help: SERVE_OPTIONS.help,
} as const satisfies OptionTable;

/** `standin hosted export`: writes a Postman collection and an OpenAPI document with examples from data. */
export const hostedExportCommand = defineCommand({
  name: "hosted export",
  usage: "",
  summary: "write such a file from data",
  help: [
    "standin hosted export [options]   write a Postman collection and an OpenAPI document with examples from data",
  ],
  examples: ["standin hosted export --from db.json --out mocks"],
  options: OPTIONS,
  async run({ options, words, terminal }) {
    if (words.length > 0) {
      throw new StartError(`hosted export takes no arguments (${words.join(", ")}); name the data with --from.`);
    }
    const { from, out, limit, overwrite, quiet } = options;
    if (!statSync(out, { throwIfNoEntry: false })?.isDirectory()) {
      throw new StartError(`--out ${out}: no such folder. Create it first.`);
    }
    const samples = await samplesFrom(from, limit, readIdKeys(options));
    const title = basename(from).replace(/\.\w+$/, "") || "standin";
    const files: [file: string, content: JsonObject][] = [
      [join(out, `${title}.postman_collection.json`), toCollection(title, samples)],
      [join(out, `${title}.openapi.json`), toOpenApi(title, samples)],
    ];
    for (const [file] of files) {
      if (!overwrite && existsSync(file)) {
        throw new StartError(`${file} already exists. Add --overwrite to replace it.`);
      }
    }
    for (const [file, content] of files) {
      try {
        await writeAtomically(file, [`${stringifyJson(content, 2)}\n`]);
      } catch (thrown) {
        throw new StartError(`${file} was not written: ${fileProblem(thrown)}`);
      }
      if (!quiet) terminal.print(`Wrote ${file}`);
    }
  },
});

async function samplesFrom(source: string, limit: number, keys: IdKeyOptions): Promise<SampledMember[]> {
  const store = await openStore(source, {
    ...keys,
    durability: "process",
    followsOutside: false,
    memory: true,
    warn: () => {},
  });
  try {
    const samples = (await store.export()).flatMap((member) => sampleOf(member, limit, store.idKeyOf(member.name)));
    if (samples.length === 0) throw new StartError(`${source} has no collection or singleton to take examples from.`);
    return samples;
  } finally {
    await store.close();
  }
}

function sampleOf(member: Exported, limit: number, idKey: string): SampledMember[] {
  if (member.kind === "aside") return [];
  if (member.kind === "singleton")
    return [{ kind: "singleton", name: member.name, record: member.record.value as Json }];
  const values = member.records.map(({ value }) => value as Json);
  // Records without an id have no URL.
  const records = values.filter(isJsonObject).filter(({ [idKey]: id }) => id !== undefined && id !== null);
  return [{ kind: "collection", name: member.name, idKey, records: records.slice(0, limit) }];
}
