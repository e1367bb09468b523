import { existsSync } from "node:fs";
import { extname } from "node:path";
import { StartError } from "../base/errors.ts";
import { writeAtomically } from "../base/files/atomic-write.ts";
import { fileProblem } from "../base/files/file-problem.ts";
import type { OptionTable } from "../base/option.ts";
import { SERVE_OPTIONS } from "../config/options.ts";
import { formatOf, isDataName, prepareFormats } from "../store/file/formats/formats.ts";
import { singleFile } from "../store/file/layout.ts";
import { openStore } from "../store/open-store.ts";
import { refuseDocument } from "../store/sources/served-source.ts";
import { defineCommand } from "./define-command.ts";

const OPTIONS = {
  overwrite: { name: "overwrite", type: "boolean", default: false, help: "Replace a file that exists", only: "flag" },
  quiet: { ...SERVE_OPTIONS.quiet, only: "flag" },
  help: SERVE_OPTIONS.help,
} as const satisfies OptionTable;

/** `standin convert db.json5 db.json`: writes data in the format of another file. */
export const convertCommand = defineCommand({
  name: "convert",
  usage: "<source> <file>",
  summary: "write data to a file of another format",
  help: [
    "standin convert <source> <file>   write data to a file of another format",
    "",
    "Reads any source, and writes .json, .json5, .jsonc, .yaml or, for one collection, .csv. Comments are not kept.",
  ],
  examples: ["standin convert db.json5 db.json", "standin convert products.csv db.json"],
  options: OPTIONS,
  async run({ options, words, terminal }) {
    const [source, file, ...extra] = words;
    if (source === undefined || file === undefined || extra.length > 0) {
      throw new StartError("convert needs a source and a data file: standin convert db.json5 db.json");
    }
    if (!isDataName(file)) {
      throw new StartError(`${file} cannot be written: convert writes .json, .json5, .jsonc, .yaml and .csv files.`);
    }
    refuseDocument(source, "convert");
    if (existsSync(file) && !options.overwrite) {
      throw new StartError(`${file} already exists. Add --overwrite to replace it.`);
    }
    const store = await openStore(source, {
      idKey: SERVE_OPTIONS.id.default,
      memory: true,
      durability: "process",
      followsOutside: false,
      warn: () => {},
    });
    const members = await store.export();
    await store.close();
    await prepareFormats([file]);
    if (formatOf(file)?.isTable && members.length !== 1) {
      throw new StartError(`A ${extname(file)} file holds one collection, but ${source} has ${members.length}.`);
    }
    try {
      for (const pieces of singleFile(file).render(members).values()) await writeAtomically(file, pieces);
    } catch (thrown) {
      throw new StartError(`${file} was not written: ${fileProblem(thrown)}`);
    }
    if (!options.quiet) terminal.print(`Wrote ${file}`);
  },
});
